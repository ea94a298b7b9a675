import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

/** /proc/mounts has six columns; a blank inside one makes a seventh. */
const columns = line(
  ['wrong number of fields (expected'],
  ['kubelet-log', 'system-log'],
  /wrong number of fields \(expected (?:at least )?(?<wanted>\d), got (?<got>\d{1,2})\)/,
);
const desktop = line(
  ['aname=drvfs', '/Docker/host', 'microsoft-standard-WSL2'],
  ['host-state', 'host-os', 'prose', 'kubelet-log'],
  /aname=drvfs[^\n]{0,300}? Files|\/Docker\/host|microsoft-standard-WSL2/,
);
const up = line('Successfully registered node', 'kubelet-log', /Successfully registered node/);

export const cause = defineCause({
  id: 'kubelet-mount-table-unreadable',
  area: 'kubelet',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'Kubelet cannot read the mounts',
    title: 'The kubelet of {node} cannot read /proc/mounts: the options of a mount hold a space (WSL2 with Docker Desktop)',
    why: 'At its start the kubelet reads /proc/mounts, whose lines have {wanted} columns. The kernel writes a blank in a path as \\040, but not one in the options of some file systems: Docker Desktop mounts C:\\Program Files\\Docker into every WSL2 distribution in that way (drvfs), and CIFS or FUSE mounts can do the same. One such line stops the kubelet (of kubeadm, k3s, microk8s and others).',
  },

  clues: {
    columns: proves(columns),
    desktop: supports(desktop),
    up: excludes(up),
  },
  says: {
    columns: 'the kubelet stops at a line of {got} columns',
    desktop: 'the host is WSL2, or has the mount of Docker Desktop',
    up: 'the node has registered since',
  },
  slots: (place, { columns: said }) => ({
    node: place.name,
    wanted: said?.fields['wanted'] ?? '6',
    got: said?.fields['got'] ?? '7',
  }),

  fixes: [
    {
      say: 'Find the mount',
      risk: 'reads-only',
      steps: [{ say: 'lines with more than six columns', run: "awk 'NF > 6' /proc/mounts", on: 'node' }],
    },
    {
      say: 'Take it away and start the kubelet again; in Docker Desktop switch the WSL integration off for this distribution, or end Docker Desktop',
      risk: 'touches-node',
      steps: [
        { say: 'the mount of Docker Desktop; for another one its own path', run: 'umount /Docker/host', on: 'node' },
        {
          say: 'before each start of the kubelet (for k3s: k3s.service.d)',
          run: "mkdir -p /etc/systemd/system/kubelet.service.d && printf '[Service]\\nExecStartPre=-/bin/umount /Docker/host\\n' > /etc/systemd/system/kubelet.service.d/30-mounts.conf && systemctl daemon-reload && systemctl restart kubelet",
          on: 'node',
        },
      ],
      verified: 'the kubelet stays active, and the node becomes Ready',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes staging/src/k8s.io/mount-utils/mount_linux.go (parseProcMounts)', 'kubernetes issue 135554'],
});
