import { API_SERVICE_ADDRESS, type NodeSettings, REGISTRY_NAME } from '../settings.ts';

export type CgroupDriver = 'systemd' | 'cgroupfs';

export const SANDBOX_IMAGE = 'registry.k8s.io/pause:3.9';

/** Like kubeadm's, with NodeLogQuery on and without demands that a machine in a machine cannot meet. */
export function kubeletConfiguration(driver: CgroupDriver = 'systemd', extra = ''): string {
  return `apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication:
  anonymous:
    enabled: false
  webhook:
    cacheTTL: 0s
    enabled: true
  x509:
    clientCAFile: /etc/kubernetes/pki/ca.crt
authorization:
  mode: Webhook
  webhook:
    cacheAuthorizedTTL: 0s
    cacheUnauthorizedTTL: 0s
cgroupDriver: ${driver}
clusterDNS:
- ${API_SERVICE_ADDRESS.replace(/1$/, '10')}
clusterDomain: cluster.local
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
enableSystemLogHandler: true
enableSystemLogQuery: true
evictionPressureTransitionPeriod: 30s
failSwapOn: false
featureGates:
  NodeLogQuery: true
healthzBindAddress: 127.0.0.1
healthzPort: 10248
nodeStatusUpdateFrequency: 5s
oomScoreAdj: 0
rotateCertificates: true
staticPodPath: /etc/kubernetes/manifests
tlsCertFile: /var/lib/kubelet/pki/kubelet.crt
tlsPrivateKeyFile: /var/lib/kubelet/pki/kubelet.key
${extra}`;
}

export function containerdConfiguration(driver: CgroupDriver = 'systemd'): string {
  return `version = 2

[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${SANDBOX_IMAGE}"
  # The lab's machine may not lower oom_score_adj.
  restrict_oom_score_adj = true

  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/opt/cni/bin"
    conf_dir = "/etc/cni/net.d"

  [plugins."io.containerd.grpc.v1.cri".containerd]
    default_runtime_name = "runc"

    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"

      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        SystemdCgroup = ${driver === 'systemd'}

  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path = "/etc/containerd/certs.d"
`;
}

export function cniConfiguration(node: NodeSettings): string {
  const bridge = {
    type: 'bridge',
    bridge: 'cni0',
    isGateway: true,
    ipMasq: false,
    promiscMode: false,
    ipam: { type: 'host-local', ranges: [[{ subnet: node.podNetwork }]], routes: [{ dst: '0.0.0.0/0' }] },
  };
  const list = { cniVersion: '0.4.0', name: 'lab', plugins: [bridge, { type: 'portmap', capabilities: { portMappings: true } }] };
  return `${JSON.stringify(list, null, 2)}\n`;
}

export function kubeletUnit(node: NodeSettings): string {
  const flags = [
    '--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf',
    '--kubeconfig=/etc/kubernetes/kubelet.conf',
    '--config=/var/lib/kubelet/config.yaml',
    `--hostname-override=${node.name}`,
    `--node-ip=${node.address}`,
  ];
  return `[Unit]
Description=kubelet: The Kubernetes Node Agent
Documentation=https://kubernetes.io/docs/
Wants=network-online.target
After=network-online.target containerd.service

[Service]
ExecStart=/usr/bin/kubelet ${flags.join(' ')}
Restart=always
StartLimitInterval=0
RestartSec=10

[Install]
WantedBy=multi-user.target
`;
}

export function containerdUnit(): string {
  return `[Unit]
Description=containerd container runtime
Documentation=https://containerd.io
After=network.target local-fs.target

[Service]
ExecStart=/usr/bin/containerd
Type=notify
Delegate=yes
KillMode=process
Restart=always
RestartSec=5
TasksMax=infinity

[Install]
WantedBy=multi-user.target
`;
}

export function journaldConfiguration(): string {
  return '[Journal]\nStorage=persistent\nSystemMaxUse=200M\nReadKMsg=no\n';
}

export function labTarget(): string {
  return `[Unit]
Description=Node of the lab
Wants=systemd-journald.service dbus.socket dbus.service containerd.service kubelet.service
After=basic.target
AllowIsolate=yes
`;
}

/** They would touch the machine below: devices, kernel settings, its clock, its temporary files. */
export const MASKED_UNITS: readonly string[] = [
  ...[
    'apparmor',
    'systemd-tmpfiles-setup',
    'systemd-tmpfiles-setup-dev',
    'systemd-tmpfiles-clean',
    'systemd-udevd',
    'systemd-udev-trigger',
  ],
  ...['systemd-sysctl', 'procps', 'systemd-modules-load', 'systemd-random-seed', 'systemd-update-utmp', 'systemd-binfmt', 'systemd-pstore'],
  ...[
    'systemd-firstboot',
    'systemd-sysusers',
    'systemd-hwdb-update',
    'systemd-machine-id-commit',
    'systemd-remount-fs',
    'systemd-fsck-root',
  ],
  ...[
    'systemd-timesyncd',
    'systemd-networkd',
    'systemd-logind',
    'kmod',
    'udev',
    'hwclock',
    'e2scrub_reap',
    'systemd-journal-catalog-update',
  ],
  ...[
    'systemd-ask-password-console.path',
    'systemd-ask-password-wall.path',
    'proc-sys-fs-binfmt_misc.automount',
    'swap.target',
    'timers.target',
  ],
  ...['dev-hugepages.mount', 'dev-mqueue.mount', 'sys-fs-fuse-connections.mount', 'sys-kernel-config.mount', 'sys-kernel-debug.mount'],
  ...[
    'sys-kernel-tracing.mount',
    'systemd-udevd-control.socket',
    'systemd-udevd-kernel.socket',
    'systemd-initctl.socket',
    'systemd-journald-audit.socket',
  ],
].map((name) => (name.includes('.') ? name : `${name}.service`));

export function hostsFile(nodes: readonly NodeSettings[], registryAddress: string): string {
  const lines = ['127.0.0.1 localhost', ...nodes.map((node) => `${node.address} ${node.name}`), `${registryAddress} ${REGISTRY_NAME}`];
  return `${lines.join('\n')}\n`;
}
