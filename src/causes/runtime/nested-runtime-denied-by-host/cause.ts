import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const ASKED = ['pod-events', 'pod-status', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log'] as const;
/** runc from 1.2.8, 1.3.3 and 1.4 on reopens files of /proc in a way that AppArmor of LXC denies. */
const reopen = line(
  ['open sysctl net.'],
  ASKED,
  /open sysctl (?<sysctl>net\.[\w.]{3,60}) file: reopen fd \d{1,6}: (?<error>permission denied)/,
);
const mounts = line(
  ['error mounting "proc"', 'error mounting \\"proc', 'error mounting "sysfs"', 'error mounting \\"sysfs'],
  ASKED,
  /error mounting [\\"]{1,4}(?<what>proc|sysfs)[\\"]{1,4} to rootfs at [\\"]{1,4}\/(?:proc|sys)[\\"]{1,4}: [^\n]{0,200}?(?<error>permission denied|operation not permitted)/,
);
const inside = line(
  ['Detected virtualization lxc', 'Virtualization: lxc', 'container=lxc'],
  ['system-log', 'host-os', 'host-state'],
  /Detected virtualization lxc|Virtualization: lxc|container=lxc/,
);
const machine = line(
  ['Detected virtualization '],
  [],
  /Detected virtualization (?:kvm|vmware|microsoft|xen|amazon|oracle|qemu|google|parallels)\b/,
);

export const cause = defineCause({
  id: 'nested-runtime-denied-by-host',
  area: 'runtime',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['create-error', 'creating', 'crash-loop', 'init-crash', 'init-stuck', 'failed', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'Outer host denies nested containers',
    title: 'On {node} runc may not {what} ({error}): the node is a container itself (LXC, Docker), and the host around it denies that',
    why: 'To start a container runc has to {what}. The kernel answers "{error}". On a machine of its own root may do that; inside an LXC or Docker container it takes nesting, and an AppArmor profile of the outer host that allows it. Releases of runc after November 2025 (1.2.8, 1.3.3, containerd.io 1.7.28-2) open files of /proc in a new way, which the AppArmor profile of LXC on Proxmox and others denies.',
  },

  clues: {
    reopen: proves(reopen, notByContainers),
    mounts: supports(mounts, notByContainers),
    inside: supports(inside),
    machine: excludes(machine),
  },
  says: {
    reopen: 'runc may not open the sysctl {sysctl} of the container: {error}',
    mounts: 'runc may not mount {file}: {error}',
    inside: 'the node runs in an LXC container',
    machine: 'the node is a virtual machine, not a container',
  },
  slots: (place, { reopen: sysctl, mounts: mount }) => ({
    node: place.name,
    sysctl: sysctl?.fields['sysctl'] ?? 'net.ipv4.ip_unprivileged_port_start',
    file: mount?.fields['what'] ?? 'proc',
    error: sysctl?.fields['error'] ?? mount?.fields['error'] ?? 'permission denied',
    what: sysctl
      ? `set the sysctl ${sysctl.fields['sysctl'] ?? 'of the container'}`
      : `mount ${mount?.fields['what'] ?? 'proc'} for the container`,
  }),

  fixes: [
    {
      say: 'See whether the node is a container, and what denies',
      risk: 'reads-only',
      steps: [
        {
          say: 'on the node',
          run: 'systemd-detect-virt; cat /proc/1/environ | tr "\\0" "\\n" | grep container; runc --version; containerd --version',
          on: 'node',
        },
        { say: 'on the host around it', run: "dmesg -T | grep -iE 'apparmor=.DENIED' | tail -20", on: 'node' },
      ],
    },
    {
      say: 'Allow nesting on the outer host: for LXC on Proxmox features nesting=1,keyctl=1, and a newer lxc-pve or an unconfined AppArmor profile',
      risk: 'touches-node',
      steps: [
        {
          say: 'in /etc/pve/lxc/ID.conf (LXD: security.nesting=true)',
          run: "printf 'features: keyctl=1,nesting=1\\nlxc.apparmor.profile: unconfined\\n'",
          on: 'node',
        },
        { say: 'then restart the container of the node' },
      ],
      verified: 'new pods start on {node}',
    },
    {
      say: 'Or go back to the runc and containerd before, or run the node in a virtual machine',
      risk: 'touches-node',
      steps: [
        {
          say: 'Debian, Ubuntu: list the versions and hold the one before',
          run: 'apt-cache madison containerd.io; apt-mark hold containerd.io',
          on: 'node',
          family: 'debian',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['opencontainers/runc issue 4968, advisories of November 2025', 'runc libcontainer/rootfs_linux.go, standard_init_linux.go'],
});
