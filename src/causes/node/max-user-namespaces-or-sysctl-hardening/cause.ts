import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const flags = line(
  ['invalid kernel flag', 'invalid kernel parameter value'],
  ['kubelet-log', 'system-log'],
  /invalid kernel flag: (?<flag>[\w/.-]{3,80}), expected value: (?<wanted>-?\d{1,6}), actual value: (?<actual>-?\d{1,6})|invalid kernel parameter value (?<name>[\w.]{3,80})=(?<is>-?\d{1,9}) - expected (?<want>-?\d{1,9})/i,
);
/** rke2 with the CIS profile runs etcd under a user of its own, and does not make it. */
const noUser = line(
  ['missing required: user: unknown user', 'user: unknown user etcd', 'group: unknown group etcd'],
  ['system-log', 'kubelet-log'],
  /(?:user: unknown user|group: unknown group) (?<user>etcd)\b/,
);
const NAMESPACE_CHANNELS = ['pod-events', 'kubelet-log', 'container-log', 'containerd-log', 'crio-log'] as const;
const userns = line(
  [
    'fork/exec /proc/self/exe: no space left on device',
    'unshare failed: No space left',
    'user namespaces are not enabled',
    'max_user_namespaces',
    'unprivileged_userns_clone',
  ],
  NAMESPACE_CHANNELS,
  /(?<error>fork\/exec \/proc\/self\/exe: no space left on device|unshare failed: No space left on device|user namespaces are not enabled in \S{1,60}|(?:echo|set|increase|sysctl|check)[^\n]{0,60}(?:max_user_namespaces|unprivileged_userns_clone))/i,
);
/** The security of the pod (seccomp, capabilities) gives the same words more often than the host. */
const refused = line(
  [
    'fork/exec /proc/self/exe: operation not permitted',
    'unshare(CLONE_NEWUSER)',
    'unshare: unshare failed',
    'cannot clone: Operation not permitted',
    'cannot clone: Invalid argument',
    'No usable sandbox',
  ],
  NAMESPACE_CHANNELS,
  /(?<error>fork\/exec \/proc\/self\/exe: operation not permitted|unshare\(CLONE_NEWUSER\)[^\n"\\]{0,80}|unshare: unshare failed: (?:Operation not permitted|Invalid argument)|cannot clone: (?:Operation not permitted|Invalid argument)|No usable sandbox!)/i,
);
const noexec = line(
  ['nodev,noexec', 'nosuid,noexec', ',noexec,relatime', ',noexec)', 'rw,noexec'],
  ['host-state', 'host-tools'],
  /\s(?<mount>\/(?:var|var\/lib|opt|var\/lib\/(?:containerd|docker|kubelet))) (?:type )?\S{2,20} \(?[\w,=]{0,200}noexec/,
);
const exec = line(
  ['permission denied'],
  ['kubelet-log', 'containerd-log', 'pod-events', 'docker-log'],
  /fork\/exec (?<binary>\/(?:opt\/cni\/bin|var\/lib\/[\w./-]{1,120}|opt\/[\w./-]{1,80}|tmp\/[\w./-]{1,80}))[^\s:"\\]{0,80}: permission denied/,
);
const hardening = line(
  ['99-hardening.conf', 'cis-hardening', 'hardening.conf', 'CIS Benchmark'],
  ['host-tools', 'host-state'],
  /(?<file>(?:\d{1,3}-)?(?:cis|hardening)[\w-]{0,40}\.conf)/i,
);
const diskFull = line('no space left on device', [], /(?:write|mkdir|copy|open) \/(?:var|run|tmp|etc)[^\n]{0,300}no space left on device/i);

export const cause = defineCause({
  id: 'max-user-namespaces-or-sysctl-hardening',
  area: 'node',
  at: 'Node',
  maturity: 'stable',
  explains: [
    'kubelet-down',
    'node-not-ready',
    'creating',
    'create-error',
    'crash-loop',
    'failed',
    'control-plane-down',
    'init-crash',
    'other-trouble',
  ],
  wakesOn: [on('host.sysctl', { key: 'user.max_user_namespaces', value: '0' })],

  text: {
    name: 'Hardening of the host forbids it',
    title: 'Hardening of {where} keeps containers or the kubelet from starting: {what}',
    why: 'The host was hardened (CIS scripts, sysctl or mount options), and that forbids what Kubernetes needs on {where}: {what}. The kubelet with protectKernelDefaults ends when kernel settings differ from its own; user namespaces set to 0 and noexec mounts stop programs at their start.',
  },

  clues: {
    flags: proves(flags),
    noUser: proves(noUser),
    userns: proves(userns),
    refused: supports(refused),
    zero: proves('host.sysctl', ({ key, value }) => key === 'user.max_user_namespaces' && value === '0'),
    exec: supports(exec),
    noexec: supports(noexec),
    hardening: supports(hardening),
    protects: supports(
      'kubelet.setting',
      ({ key, value }) => /^(?:protectKernelDefaults|protect-kernel-defaults)$/.test(key) && value === 'true',
    ),
    diskFull: excludes(diskFull),
  },
  says: {
    flags: 'the kubelet wants {flag} = {wanted}, the host has {actual}',
    noUser: 'the profile CIS of rke2 wants the user etcd on the host, which does not exist',
    userns: 'a user namespace cannot be made: {error}',
    refused: 'a user namespace is refused: {denied}',
    zero: 'user.max_user_namespaces is 0 on the host',
    exec: 'a program of the host may not be executed: {binary}',
    noexec: '{mount} is mounted with noexec',
    hardening: 'a hardening file is in place: {file}',
    protects: 'the kubelet only starts with its own kernel settings (protectKernelDefaults)',
    diskFull: 'the disk is really full',
  },
  slots: (place, { flags: flag, noUser: user, userns: names, refused: denied, zero, exec: program, noexec: mount, hardening: file }) => {
    const key = flag?.fields['flag']?.replaceAll('/', '.') ?? flag?.fields['name'] ?? 'a kernel setting';
    const wanted = flag?.fields['wanted'] ?? flag?.fields['want'] ?? 'another value';
    const actual = flag?.fields['actual'] ?? flag?.fields['is'] ?? 'its own';
    const absent = user ? 'the user etcd does not exist on the host, which the CIS profile of rke2 wants' : undefined;
    return {
      where: place.kind !== 'Node' || place.name.includes(' ') ? 'this node' : `node ${place.name}`,
      flag: key,
      kubelet: flag ? 'kubelet' : '',
      userns: zero || /no space left|max_user_namespaces/i.test(names?.fields['error'] ?? '') ? 'user.max_user_namespaces' : '',
      wanted,
      actual,
      etcd: user?.fields['user'] ?? '',
      error: names?.fields['error'] ?? 'forbidden',
      denied: denied?.fields['error'] ?? 'operation not permitted',
      binary: program?.fields['binary'] ?? 'a program',
      mount: mount?.fields['mount'] ?? '/var',
      file: file?.fields['file'] ?? 'in /etc/sysctl.d',
      what: flag
        ? `the kernel setting ${key} is ${actual}, the kubelet wants ${wanted} (protectKernelDefaults)${absent ? `; and ${absent}` : ''}`
        : absent
          ? absent
          : names || zero || denied
            ? `user namespaces are forbidden (user.max_user_namespaces or unprivileged_userns_clone)${names || denied ? `: ${(names ?? denied)?.fields['error'] ?? ''}` : ''}`
            : program || mount
              ? `programs may not be executed there (noexec)`
              : 'a hardening profile is active',
    };
  },

  fixes: [
    {
      say: 'See which settings differ',
      risk: 'reads-only',
      steps: [
        {
          say: 'settings the kubelet and containers depend on',
          run: 'sysctl vm.overcommit_memory vm.panic_on_oom kernel.panic kernel.panic_on_oops kernel.keys.root_maxkeys kernel.keys.root_maxbytes user.max_user_namespaces net.ipv4.ip_forward',
          on: 'node',
        },
        {
          say: 'mounts without execution, and files that set it',
          run: "findmnt -O noexec -n -o TARGET,OPTIONS | grep -E '^/(var|tmp|opt|run)'; grep -rn . /etc/sysctl.d /etc/sysctl.conf 2>/dev/null | grep -v '#' | head -40",
          on: 'node',
        },
      ],
    },
    {
      say: 'rke2 with a CIS profile: make the user etcd, and copy its sysctl file',
      risk: 'touches-node',
      for: ['noUser'],
      steps: [
        {
          say: 'both come with rke2',
          run: "useradd -r -c 'etcd user' -s /sbin/nologin -M etcd -U; cp -f /usr/share/rke2/rke2-cis-sysctl.conf /usr/local/share/rke2/rke2-cis-sysctl.conf /etc/sysctl.d/ 2>/dev/null; systemctl restart systemd-sysctl rke2-server",
          on: 'node',
        },
      ],
    },
    {
      say: 'Set the kernel settings that the kubelet wants, at every boot',
      risk: 'touches-node',
      for: ['flags', 'protects'],
      steps: [
        {
          say: 'those of protectKernelDefaults',
          run: "printf 'vm.overcommit_memory=1\\nvm.panic_on_oom=0\\nkernel.panic=10\\nkernel.panic_on_oops=1\\nkernel.keys.root_maxkeys=1000000\\nkernel.keys.root_maxbytes=25000000\\n' > /etc/sysctl.d/90-kubelet.conf && sysctl --system && systemctl restart kubelet",
          on: 'node',
        },
        { say: 'or protectKernelDefaults: false in /var/lib/kubelet/config.yaml: then the kubelet sets them itself', on: 'node' },
      ],
      changes: [
        { do: 'sysctl', key: 'vm.overcommit_memory', value: '1' },
        { do: 'sysctl', key: 'vm.panic_on_oom', value: '0' },
        { do: 'sysctl', key: 'kernel.panic', value: '10' },
        { do: 'sysctl', key: 'kernel.panic_on_oops', value: '1' },
        { do: 'sysctl', key: 'kernel.keys.root_maxkeys', value: '1000000' },
        { do: 'sysctl', key: 'kernel.keys.root_maxbytes', value: '25000000' },
        { do: 'units', action: 'restart', units: ['{{kubelet}}'] },
      ],
      verified: 'the kubelet stays active, and {where} is Ready',
    },
    {
      say: 'Allow user namespaces, and execution where runtimes and network plugins live',
      risk: 'touches-node',
      for: ['userns', 'refused', 'zero', 'exec', 'noexec'],
      steps: [
        {
          say: 'user namespaces',
          run: "printf 'user.max_user_namespaces=28633\\n' > /etc/sysctl.d/91-userns.conf && sysctl --system",
          on: 'node',
        },
        { say: 'remount without noexec, and change /etc/fstab', run: 'mount -o remount,exec /var', on: 'node' },
      ],
      changes: [{ do: 'sysctl', key: '{{userns}}', value: '28633', atLeast: true }],
      verified: 'the containers start',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/cm/container_manager_linux.go (setupKernelTunables)',
    'Linux user_namespaces(7)',
    'k3s docs: CIS hardening guide',
  ],
});
