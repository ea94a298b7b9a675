import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['pod-events', 'pod-spec', 'kubelet-log', 'crio-log', 'containerd-log', 'docker-log'] as const;
const refused = line(
  ['devices.allow', 'devices.deny', "resulting devices cgroup doesn't match target mode"],
  SAID_BY,
  /writ(?:ing|e)(?: file)? [`\\"]{0,4}(?<file>[^\s`"\\]{0,300}devices\.(?:allow|deny))[`\\"]{0,4}: (?<error>[Oo]peration not permitted|[Ii]nvalid argument|[Pp]ermission denied)|(?<mode>resulting devices cgroup doesn't match target mode)/,
);
const filter = line(
  ['bpf_prog_query', 'BPF_PROG_TYPE_CGROUP_DEVICE', 'load program: operation not permitted'],
  [],
  /bpf_prog_query|BPF_PROG_TYPE_CGROUP_DEVICE|load program: operation not permitted/,
);

export const cause = defineCause({
  id: 'device-rules-refused',
  area: 'runtime',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['create-error', 'creating', 'crash-loop', 'init-crash', 'init-stuck', 'failed', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'Kernel refuses device rules',
    title: 'On {node} the runtime ({runtime}) cannot write the device rules of containers: {error}',
    why: 'On a host with cgroup v1 the runtime tells the kernel through the files devices.allow and devices.deny which devices a container may use. The kernel refuses what {runtime} writes ({error}): a runtime that writes the rules in another order or form than this kernel takes (crun 1.18 did so), a kernel of an outer container (LXC, Docker in Docker) that lets nobody widen its own rules, or runc and kernel that do not fit. No container starts on {node} then, etcd and the API server included.',
  },

  clues: {
    refused: proves(refused, notByContainers),
    crun: supports('host.version', ({ component }) => component === 'crun' || component === 'runc'),
    hierarchy: supports('host.cgroup-version', ({ version }) => version === 1),
    filter: excludes(filter),
  },
  says: {
    refused: 'the runtime fails to set the device rules: {error}',
    crun: 'the runtime is {runtime}',
    hierarchy: 'the host uses cgroup v1',
    filter: 'the host uses cgroup v2: its device filter (BPF) is refused',
  },
  slots: (place, { refused: said, crun: program }) => ({
    node: place.name,
    runtime: program ? `${program.component} ${program.version}` : 'crun or runc',
    error: said?.fields['mode'] ?? `devices.allow: ${(said?.fields['error'] ?? 'operation not permitted').toLowerCase()}`,
  }),

  fixes: [
    {
      say: 'See runtime, its version and the cgroup version of the host',
      risk: 'reads-only',
      steps: [
        {
          say: 'tmpfs means cgroup v1, cgroup2fs means v2',
          run: 'stat -fc %T /sys/fs/cgroup; crun --version; runc --version; systemd-detect-virt; uname -r',
          on: 'node',
        },
        {
          say: 'was it upgraded',
          run: 'grep -hE "crun|runc|cri-o|containerd" /var/log/dpkg.log /var/log/dnf.log 2>/dev/null | tail',
          on: 'node',
        },
      ],
    },
    {
      say: 'Put another version of the runtime in place: crun after 1.18 or before it, or runc',
      risk: 'touches-node',
      steps: [
        { say: 'Debian, Ubuntu', run: 'apt-get update && apt-get install --only-upgrade -y crun runc', on: 'node', family: 'debian' },
        { say: 'RHEL, Fedora: the version before', run: 'dnf downgrade -y crun', on: 'node', family: 'rhel' },
        { say: 'then', run: 'systemctl restart crio || systemctl restart containerd', on: 'node' },
      ],
      verified: 'containers are created on {node} again',
    },
    {
      say: 'Or move the host to cgroup v2, where device rules are a BPF program',
      risk: 'touches-node',
      steps: [
        {
          say: 'boot parameter, then reboot',
          run: 'grubby --update-kernel=ALL --args=systemd.unified_cgroup_hierarchy=1 && systemctl reboot',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['containers/crun src/libcrun/cgroup-resources.c', 'opencontainers/cgroups devices/v1.go', 'Linux security/device_cgroup.c'],
});
