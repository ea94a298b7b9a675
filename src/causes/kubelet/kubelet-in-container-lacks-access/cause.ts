import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const kmsg = line(
  ['open /dev/kmsg', '/dev/kmsg: '],
  ['kubelet-log', 'system-log'],
  /open \/dev\/kmsg: (?<error>no such file or directory|operation not permitted|permission denied)/,
);
const sysctl = line(
  [
    '/proc/sys/vm/overcommit_memory',
    '/proc/sys/kernel/panic',
    'Failed to start ContainerManager',
    '/proc/sys/net/netfilter/nf_conntrack_max',
  ],
  ['kubelet-log', 'system-log'],
  /(?:Failed to start ContainerManager|failed to run Kubelet|invalid kernel flag)[^\n]{0,200}?open (?<file>\/proc\/sys\/(?:vm|kernel)\/[\w/]{3,60}): (?<error>permission denied|read-only file system|operation not permitted)/,
);
const cgroup = line(
  ['mkdir /sys/fs/cgroup'],
  ['kubelet-log', 'system-log', 'node-status'],
  /(?:Failed to start ContainerManager|failed to run Kubelet)[^\n]{0,300}?mkdir (?<file>\/sys\/fs\/cgroup\/[^\s:]{1,120}): (?<error>read-only file system|permission denied)/i,
);
const inside = line(
  ['lxc', 'proxmox', 'systemd-nspawn'].map((word) => `container=${word}`),
  ['host-os', 'host-state'],
);
const up = line('Successfully registered node', [], /Successfully registered node/);

export const cause = defineCause({
  id: 'kubelet-in-container-lacks-access',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'Kubelet confined in a container',
    title: 'The kubelet of {node} runs inside a container (LXC, Docker) that does not give it {what}',
    why: 'The kubelet wants to read the kernel log (/dev/kmsg) and to set kernel parameters below /proc/sys and cgroups below /sys/fs/cgroup. In an unprivileged container (LXC on Proxmox, LXD, a nested or rootless container) these are missing or read-only: {what}. So it ends at its start.',
  },

  clues: {
    kmsg: proves(kmsg),
    sysctl: proves(sysctl),
    cgroup: proves(cgroup),
    inside: supports(inside),
    up: excludes(up, ({ channel }) => channel === 'kubelet-log'),
  },
  says: {
    kmsg: 'the kubelet cannot open /dev/kmsg: {error}',
    sysctl: 'the kubelet cannot set {file}: {denied}',
    cgroup: 'the kubelet cannot make {folder}: {refused}',
    inside: 'the machine is itself a container',
    up: 'the node has registered since',
  },
  slots: (place, { kmsg: log, sysctl: setting, cgroup: tree }) => ({
    node: place.name,
    error: log?.fields['error'] ?? 'no such file or directory',
    file: setting?.fields['file'] ?? '/proc/sys/kernel/panic',
    denied: setting?.fields['error'] ?? 'permission denied',
    folder: tree?.fields['file'] ?? '/sys/fs/cgroup',
    refused: tree?.fields['error'] ?? 'read-only file system',
    what: setting
      ? `the right to set ${setting.fields['file'] ?? 'kernel parameters'} (${setting.fields['error'] ?? 'permission denied'})`
      : tree
        ? `a writable cgroup tree (${tree.fields['file'] ?? '/sys/fs/cgroup'}: ${tree.fields['error'] ?? 'read-only file system'})`
        : `/dev/kmsg (${log?.fields['error'] ?? 'missing'})`,
  }),

  fixes: [
    {
      say: 'See in what the kubelet runs',
      risk: 'reads-only',
      steps: [{ say: 'container or machine', run: 'systemd-detect-virt; ls -l /dev/kmsg; mount | grep -E "/proc|/sys"', on: 'node' }],
    },
    {
      say: 'Give the container what a node needs, or take a virtual machine',
      risk: 'touches-node',
      steps: [
        {
          say: 'LXC (Proxmox /etc/pve/lxc/ID.conf): privileged, nesting, no AppArmor, writable proc and sys, then restart it',
          run: 'printf "lxc.apparmor.profile: unconfined\\nlxc.cap.drop:\\nlxc.cgroup2.devices.allow: a\\nlxc.mount.auto: proc:rw sys:rw\\n" >> /etc/pve/lxc/ID.conf',
          on: 'node',
        },
        { say: 'LXD', run: 'lxc config set NAME security.nesting true security.privileged true', on: 'node' },
        {
          say: '/dev/kmsg: make it at boot',
          run: 'echo "L /dev/kmsg - - - - /dev/console" > /etc/tmpfiles.d/kmsg.conf && systemd-tmpfiles --create',
          on: 'node',
        },
        {
          say: 'rootless: let the kubelet do without',
          run: 'grep -n featureGates -A3 /var/lib/kubelet/config.yaml   # KubeletInUserNamespace: true',
          on: 'node',
        },
      ],
      verified: 'the kubelet stays active and the node registers',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/kubelet/cm/container_manager_linux.go', 'kubernetes pkg/kubelet/oom/oom_watcher_linux.go'],
});
