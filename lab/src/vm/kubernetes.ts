import type { TarFile } from './tar.ts';

export type CgroupDriver = 'systemd' | 'cgroupfs';

export interface ClusterAccess {
  /** Kubeconfig of the user system:node:NAME, with its certificates inside. */
  readonly kubeconfig: string;
  /** PEM of the authority that signs the API server's client certificate for kubelets. */
  readonly caCertificate: string;
  /** Addresses of the pods on this node, e.g. 10.88.3.0/24. */
  readonly podCidr: string;
}

/** Fields the older kubelet would refuse. */
const sinceKubelet131 = [
  'containerRuntimeEndpoint: unix:///run/containerd/containerd.sock',
  'enableSystemLogQuery: true',
  'featureGates:',
  '  NodeLogQuery: true',
];

export function kubeletConfig(options: { readonly driver: CgroupDriver; readonly runtime: 'containerd' | 'docker' }): string {
  const lines = [
    'apiVersion: kubelet.config.k8s.io/v1beta1',
    'kind: KubeletConfiguration',
    'authentication:',
    '  anonymous:',
    '    enabled: false',
    '  webhook:',
    '    enabled: true',
    '  x509:',
    '    clientCAFile: /etc/kubernetes/pki/ca.crt',
    'authorization:',
    '  mode: Webhook',
    `cgroupDriver: ${options.driver}`,
    'clusterDNS:',
    '- 10.96.0.10',
    'clusterDomain: cluster.local',
    ...(options.runtime === 'containerd' ? sinceKubelet131 : []),
    'evictionHard:',
    '  memory.available: 50Mi',
    'failSwapOn: false',
    'nodeStatusUpdateFrequency: 5s',
    'rotateCertificates: false',
    'staticPodPath: /etc/kubernetes/manifests',
  ];
  return `${lines.join('\n')}\n`;
}

/** Keeps pods of other scenarios away from a node that is slow and often broken on purpose. */
export const VM_TAINT = 'lab.local/vm';

/** /etc/default/kubelet: with Docker the kubelet itself calls the CNI plugins. */
export function kubeletFlags(options: {
  readonly name: string;
  readonly address: string;
  readonly runtime: 'containerd' | 'docker';
  readonly sandboxImage: string;
}): string {
  const taint = `--register-with-taints=${VM_TAINT}=:NoSchedule`;
  const flags = [`--hostname-override=${options.name}`, `--node-ip=${options.address}`, taint, '--housekeeping-interval=60s'];
  if (options.runtime === 'docker') {
    flags.push(
      '--network-plugin=cni',
      '--cni-bin-dir=/usr/lib/cni',
      '--cni-conf-dir=/etc/cni/net.d',
      `--pod-infra-container-image=${options.sandboxImage}`,
    );
  }
  return `KUBELET_EXTRA_ARGS=${flags.join(' ')}\n`;
}

export function cniConfig(podCidr: string): string {
  const bridge = {
    type: 'bridge',
    bridge: 'cni0',
    isGateway: true,
    ipMasq: false,
    ipam: { type: 'host-local', ranges: [[{ subnet: podCidr }]], routes: [{ dst: '0.0.0.0/0' }] },
  };
  return `${JSON.stringify({ cniVersion: '0.4.0', name: 'lab', plugins: [bridge, { type: 'portmap', capabilities: { portMappings: true } }] }, undefined, 2)}\n`;
}

/** Files of one boot, unpacked over the guest's root before its services start. */
export function seedFiles(options: {
  readonly name: string;
  readonly address: string;
  readonly prefix: number;
  readonly gateway?: string;
  readonly publicKey: string;
  readonly cluster: ClusterAccess;
}): readonly TarFile[] {
  const { name, address, prefix, gateway, publicKey, cluster } = options;
  const network = ['[Match]', 'Name=eth0', '', '[Network]', `Address=${address}/${prefix}`, 'LinkLocalAddressing=no', 'IPv6AcceptRA=no'];
  if (gateway !== undefined) network.push(`Gateway=${gateway}`);
  return [
    { path: 'etc/hostname', data: `${name}\n` },
    { path: 'etc/hosts', data: `127.0.0.1 localhost\n${address} ${name}\n` },
    { path: 'etc/resolv.conf', data: '' },
    { path: 'etc/systemd/network/10-lab.network', data: `${network.join('\n')}\n` },
    { path: 'root/.ssh/authorized_keys', data: `${publicKey.trim()}\n`, mode: 0o600 },
    { path: 'etc/kubernetes/kubelet.conf', data: cluster.kubeconfig, mode: 0o600 },
    { path: 'etc/kubernetes/pki/ca.crt', data: cluster.caCertificate },
    { path: 'etc/cni/net.d/10-lab.conflist', data: cniConfig(cluster.podCidr) },
  ];
}
