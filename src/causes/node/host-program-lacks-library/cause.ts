import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const ASKED = ['pod-events', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log', 'system-log', 'host-tools'] as const;
/** What a node runs outside of containers. */
const PROGRAM = String.raw`(?<program>kubelet|kubeadm|kubectl|containerd(?:-shim[\w-]{0,20})?|ctr|crictl|runc|crun|conmon|crio|cri-dockerd|dockerd|k3s|rke2|etcd|nvidia-container-(?:cli|runtime)[\w.-]{0,10})`;

/** The loader of the host says it before the program has said a word. */
const loader = line(
  ['not found (required by ', 'error while loading shared libraries: ', 'symbol lookup error: '],
  ['host-tools', 'system-log', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log'],
  new RegExp(
    String.raw`(?:version [\x60'](?<version>[\w.]{3,40})' not found \(required by (?:\S{0,160}\/)?${PROGRAM}\))|(?:^|[\s/:"])${PROGRAM.replace('<program>', '<loads>')}: error while loading shared libraries: (?<library>[\w.+-]{3,80}): |(?:^|[\s/:"])${PROGRAM.replace('<program>', '<looks>')}: symbol lookup error: [^\n]{1,200}?undefined symbol: (?<symbol>\w{3,80})`,
  ),
);
/** 127 is what the loader returns; runc itself ends with 1. */
const ended = line(
  ['runc did not terminate successfully', 'runc did not terminate sucessfully', 'crun did not terminate successfully'],
  ASKED,
  /(?<program>runc|crun) did not terminate suc{1,2}essfully: (?:exit status )?(?<status>127)\b/,
);
/** Earlier versions do not name the number; the missing log tells that runc never got as far as its own log. */
const silent = line(
  ['unable to retrieve OCI runtime error'],
  ASKED,
  /unable to retrieve OCI runtime error \(open [^\s)]{5,200}log\.json: no such file or directory\): (?<program>runc|crun) did not terminate suc{1,2}essfully(?!: (?:exit status|signal))/,
);
const killed = line(['did not terminate suc'], [], /did not terminate suc{1,2}essfully: (?:signal|exit status (?!127)\d)/);
const absent = line(['executable file not found in'], [], /exec: [\\"]{1,8}(?:runc|crun)[\\"]{1,8}: executable file not found/);

export const cause = defineCause({
  id: 'host-program-lacks-library',
  area: 'node',
  at: 'Node',
  maturity: 'sandbox',
  explains: [
    'kubelet-down',
    'runtime-down',
    'node-not-ready',
    'control-plane-down',
    'creating',
    'create-error',
    'config-error',
    'crash-loop',
    'init-stuck',
    'init-crash',
    'failed',
    'other-trouble',
  ],
  effectOf: ['os-upgrade-replaced-runtime-config'],

  text: {
    name: 'Host library missing or too old',
    title: '{program} of {node} cannot be loaded: {what}',
    why: 'Programs of the node are linked against libraries of its operating system. {program} was built for a newer system than {node} runs, or a package it needs is not installed: {what}. The loader ends it with status 127 before it can say anything itself, so nothing that needs it starts there.',
  },

  clues: {
    loader: proves(loader, notByContainers),
    ended: proves(ended, notByContainers),
    silent: supports(silent, notByContainers),
    killed: excludes(killed),
    absent: excludes(absent),
  },
  says: {
    loader: 'the loader refuses {program}: {what}',
    ended: '{program} ends with status 127: its libraries cannot be loaded',
    silent: '{program} ends before it writes a log of its own',
    killed: 'it was ended otherwise, not by the loader',
    absent: 'the program is not there at all',
  },
  slots: (place, { loader: said, ended: status, silent: mute }) => {
    const fields = said?.fields ?? {};
    const program = fields['program'] ?? fields['loads'] ?? fields['looks'] ?? (status ?? mute)?.fields['program'] ?? 'a program';
    const oci = /^(?:runc|crun)$/.test(program);
    return {
      node: place.name,
      program,
      library: oci ? 'libseccomp' : 'glibc',
      what: fields['version']
        ? `the C library of the host is too old, it has no ${fields['version']}`
        : fields['library']
          ? `the library ${fields['library']} is not installed`
          : fields['symbol']
            ? `a library of the host is too old, it has no ${fields['symbol']}`
            : oci
              ? 'a library it needs is missing or too old, mostly libseccomp (CentOS 7 has 2.3, runc needs 2.5)'
              : 'a library it needs is missing or too old',
    };
  },

  fixes: [
    {
      say: 'Start it by hand: the loader names what is missing',
      risk: 'reads-only',
      steps: [
        { say: 'its own words', run: '{{program}} --version; ldd "$(command -v {{program}})" | grep -E "not found|=>"', on: 'node' },
        { say: 'what the host has', run: 'ldd --version | head -1; rpm -q libseccomp 2>/dev/null || dpkg -l libseccomp2', on: 'node' },
      ],
    },
    {
      say: 'runc or crun: install libseccomp 2.5 or later, or a statically linked runc',
      risk: 'touches-node',
      for: ['silent'],
      steps: [
        { say: 'RHEL, CentOS 8 and later', run: 'dnf install -y libseccomp', on: 'node', family: 'rhel' },
        { say: 'Debian, Ubuntu', run: 'apt-get install -y libseccomp2', on: 'node', family: 'debian' },
        {
          say: 'CentOS 7 has no such package: take the static runc of its releases instead',
          run: 'install -m 755 runc.amd64 "$(command -v runc)" && runc --version',
          on: 'node',
        },
        { say: 'then', run: 'systemctl restart containerd', on: 'node' },
      ],
      verified: 'runc --version prints its version, and the pods of {node} start',
    },
    {
      say: 'Other programs: install the build for this release of the operating system, or upgrade the operating system',
      risk: 'touches-node',
      steps: [
        {
          say: 'packages of the distribution fit; archives are often linked for newer ones (look for a static build, or an older one)',
          run: 'cat /etc/os-release | head -3; file "$(command -v {{program}})"',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'glibc elf/dl-load.c, dl-version.c',
    'containerd pkg/process/utils.go (getLastRuntimeError)',
    'opencontainers/runc README (libseccomp)',
  ],
});
