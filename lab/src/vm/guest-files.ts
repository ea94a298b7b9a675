import type { TarFile } from './tar.ts';

export const kubernetesVersions = { containerd: 'v1.31.4', docker: 'v1.23.17' } as const;

/** Packages of the guest on top of debootstrap's smallest variant. */
export const guestPackages = [
  'systemd',
  'systemd-sysv',
  'dbus',
  'udev',
  'kmod',
  'procps',
  'iproute2',
  'iptables',
  'apparmor',
  'ca-certificates',
  'containerd',
  'runc',
  'containernetworking-plugins',
  'busybox-static',
  'docker.io',
  'openssh-server',
  'linux-image-cloud-amd64',
] as const;

export const debianSuite = 'bookworm';

/** The per-boot files come as a tar on the second disk, so that one image serves every boot. */
const seedUnit = `[Unit]
Description=Files of this boot
DefaultDependencies=no
Requires=dev-vdb.device
After=dev-vdb.device systemd-remount-fs.service
Before=sysinit.target systemd-networkd.service ssh.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/tar -xf /dev/vdb -C / --no-same-owner
ExecStart=/bin/sh -c 'hostname "$(cat /etc/hostname)"'

[Install]
WantedBy=sysinit.target
`;

const kubeletUnit = `[Unit]
Description=kubelet: The Kubernetes Node Agent
Documentation=https://kubernetes.io/docs/
Wants=network-online.target
After=network-online.target

[Service]
EnvironmentFile=-/etc/default/kubelet
ExecStart=/usr/bin/kubelet --kubeconfig=/etc/kubernetes/kubelet.conf --config=/var/lib/kubelet/config.yaml $KUBELET_EXTRA_ARGS
Restart=always
StartLimitInterval=0
RestartSec=10

[Install]
WantedBy=multi-user.target
`;

const sshSettings = `UseDNS no
UsePAM no
PermitRootLogin prohibit-password
PasswordAuthentication no
MaxSessions 50
`;

const sysctls = `net.ipv4.ip_forward = 1
net.bridge.bridge-nf-call-iptables = 1
vm.overcommit_memory = 1
kernel.panic = 10
`;

/** Files laid into the root of every guest before the image is made. */
export const guestFiles: readonly TarFile[] = [
  { path: 'etc/systemd/system/lab-seed.service', data: seedUnit },
  { path: 'etc/systemd/system/kubelet.service', data: kubeletUnit },
  { path: 'etc/ssh/sshd_config.d/lab.conf', data: sshSettings },
  { path: 'etc/sysctl.d/90-lab.conf', data: sysctls },
  { path: 'etc/modules-load.d/lab.conf', data: 'overlay\nbr_netfilter\n' },
  { path: 'etc/fstab', data: '' },
  { path: 'etc/machine-id', data: '' },
];

/** Links of `systemctl enable`, made by hand because nothing of the guest runs while its image is made. */
export const guestLinks: Readonly<Record<string, string>> = {
  'etc/systemd/system/sysinit.target.wants/lab-seed.service': '/etc/systemd/system/lab-seed.service',
  'etc/systemd/system/multi-user.target.wants/systemd-networkd.service': '/lib/systemd/system/systemd-networkd.service',
  'etc/systemd/system/apt-daily.timer': '/dev/null',
  'etc/systemd/system/apt-daily-upgrade.timer': '/dev/null',
  'etc/systemd/system/e2scrub_all.timer': '/dev/null',
  'etc/systemd/system/e2scrub_reap.service': '/dev/null',
  'etc/systemd/system/fstrim.timer': '/dev/null',
  'etc/systemd/system/dpkg-db-backup.timer': '/dev/null',
  'etc/systemd/system/systemd-networkd-wait-online.service': '/dev/null',
};

/** What packages enable or bring and a node of the lab does without. */
export const guestRemovals = [
  'etc/systemd/system/multi-user.target.wants/docker.service',
  'etc/systemd/system/sockets.target.wants/docker.socket',
  'var/cache/apt/archives',
  'var/lib/apt/lists',
  'usr/share/doc',
  'usr/share/man',
  'usr/share/locale',
] as const;
