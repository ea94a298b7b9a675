import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const ASKED = ['pod-events', 'pod-spec', 'containerd-log', 'docker-log', 'crio-log', 'kubelet-log', 'host-tools'] as const;
/** The programs a runtime starts for every container; those of other handlers (kata, nvidia) have causes of their own. */
const PROGRAM = String.raw`(?<program>(?:\/[\w./-]{1,120}\/)?(?:(?:docker-)?(?:runc|crun|conmon|containerd(?:-shim(?:-runc-v[12])?)?)|docker-init))`;

const absent = line(
  ['executable file not found in', 'binary not installed', 'no such file or directory', 'Unable to find conmon'],
  ASKED,
  new RegExp(
    String.raw`exec: [\\"]{1,8}${PROGRAM}[\\"]{1,8}: (?:executable file not found|stat [^\n]{1,160}no such file)|binary not installed [\\"]{1,8}(?<shim>containerd-shim-runc-v[12])|fork\/exec (?<path>\/[\w./-]{1,120}\/(?:docker-)?(?:runc|crun|conmon|containerd-shim(?:-runc-v[12])?)): no such file|Unable to find (?<monitor>conmon)`,
  ),
);
const cannotRun = line(
  ['fork/exec /'],
  ASKED,
  /fork\/exec (?<path>\/[\w./-]{1,120}\/(?:docker-)?(?:runc|crun|conmon|containerd-shim(?:-runc-v[12])?)): (?<why>exec format error|permission denied|text file busy)/,
);
const moved = line(
  ['which: no runc in', 'which: no containerd-shim'],
  'host-tools',
  /which: no (?<program>runc|crun|containerd-shim[\w-]{0,20}) in/,
);
const ofContainer = line(
  ['unable to start container process', 'starting container process caused', 'exec user process'],
  [],
  /(?:unable to start container process|starting container process caused|exec user process caused)[^\n]{0,200}?exec: /,
);

export const cause = defineCause({
  id: 'runtime-program-missing',
  area: 'runtime',
  at: 'Node',
  maturity: 'sandbox',
  explains: [
    'creating',
    'create-error',
    'config-error',
    'crash-loop',
    'init-stuck',
    'init-crash',
    'failed',
    'runtime-down',
    'other-trouble',
  ],
  effectOf: ['os-upgrade-replaced-runtime-config'],

  text: {
    name: 'Program of the runtime missing',
    title: '{program} cannot be run on {node}: {what}',
    why: 'For every container the runtime starts two programs on the host: a shim (containerd-shim-runc-v2, conmon) and the OCI runtime (runc, crun). On {node} {program} cannot be run ({what}), so no container starts there; the image and the pod are not at fault. Usual reasons: a package removed, or upgraded to other file names while containers of the old one still ask for it, an archive unpacked for another architecture, or a PATH of the service without its folder.',
  },

  clues: {
    absent: proves(absent, notByContainers),
    cannotRun: proves(cannotRun, notByContainers),
    moved: supports(moved),
    ofContainer: excludes(ofContainer),
  },
  says: {
    absent: 'the runtime does not find {program}',
    cannotRun: 'the host cannot run {program}: {what}',
    moved: 'the shell of the host does not find it either',
    ofContainer: 'it is a program of the container that is not found',
  },
  slots: (place, { absent: gone, cannotRun: broken, moved: nowhere }) => {
    const fields = gone?.fields ?? broken?.fields ?? nowhere?.fields ?? {};
    const program = fields['program'] ?? fields['shim'] ?? fields['path'] ?? fields['monitor'] ?? 'a program of the runtime';
    return {
      node: place.name,
      program,
      file: program.slice(program.lastIndexOf('/') + 1),
      what: broken && !gone ? (broken.fields['why'] ?? 'an error') : 'executable file not found: it is missing or not in the PATH',
    };
  },

  fixes: [
    {
      say: 'See where the program is, and what the service looks for',
      risk: 'reads-only',
      steps: [
        {
          say: 'all copies, and whether they run',
          run: 'type -a {{file}} runc containerd-shim-runc-v2; runc --version; uname -m',
          on: 'node',
        },
        {
          say: 'the PATH of the service',
          run: 'systemctl show containerd docker crio -p Environment; systemctl cat containerd | grep -i path',
          on: 'node',
        },
        {
          say: 'what was installed or removed lately',
          run: 'grep -hE "install|remove|upgrade" /var/log/dpkg.log | tail -20; rpm -qa --last | head -20',
          on: 'node',
        },
      ],
    },
    {
      say: 'Install the runtime whole, from one package, and restart it',
      risk: 'touches-node',
      steps: [
        {
          say: 'Debian, Ubuntu',
          run: 'apt-get install --reinstall -y containerd.io || apt-get install --reinstall -y containerd runc',
          on: 'node',
          family: 'debian',
        },
        { say: 'RHEL, CentOS', run: 'yum reinstall -y containerd.io || dnf install -y runc conmon', on: 'node', family: 'rhel' },
        { say: 'then', run: 'systemctl restart containerd', on: 'node' },
      ],
      verified: 'new containers start on {node}',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'containerd core/runtime/v2/shim_manager.go, binary.go',
    'containerd go-runc runc.go',
    'cri-o pkg/config/config.go',
    'moby daemon/runtime_unix.go',
  ],
});
