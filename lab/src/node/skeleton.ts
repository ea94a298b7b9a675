import { chmodSync, cpSync, existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Authority, issueCertificate } from '../cluster/certificates.ts';
import { API_SERVER } from '../cluster/control-plane.ts';
import { pathKubeconfig } from '../cluster/kubeconfig.ts';
import { API_ADDRESS, binaryPath, NAMESPACE_NODES, type NodeSettings, type Paths, REGISTRY_NAME } from '../settings.ts';
import {
  cniConfiguration,
  containerdConfiguration,
  containerdUnit,
  hostsFile,
  journaldConfiguration,
  kubeletConfiguration,
  kubeletUnit,
  labTarget,
  MASKED_UNITS,
} from './configuration.ts';

/** What programs need of the machine's own /etc; nothing else of it is shown to a node. */
const COPIED = [
  ...['passwd', 'group', 'nsswitch.conf', 'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'alternatives', 'ssl/certs', 'dbus-1'],
  ...['debian_version', 'services', 'protocols', 'login.defs', 'bash.bashrc', 'localtime', 'systemd/system.conf'],
];

const FOLDERS = [
  ...['proc', 'sys', 'dev', 'run', 'tmp', 'usr', 'root', 'home', 'mnt', 'media', 'srv', 'boot', '.usr/upper', '.usr/work'],
  ...[
    'var/lib/kubelet/pki',
    'var/lib/containerd',
    'var/lib/dbus',
    'var/log/journal',
    'var/log/pods',
    'var/log/containers',
    'var/tmp',
    'var/cache',
  ],
  ...['etc/kubernetes/manifests', 'etc/kubernetes/pki', 'etc/cni/net.d', 'opt/cni/bin', 'etc/systemd/system'],
];

const CNI_PLUGINS = ['bridge', 'host-local', 'loopback', 'portmap'];

export function nodeClientIdentity(node: string): { commonName: string; organisation: string } {
  return { commonName: `system:node:${node}`, organisation: 'system:nodes' };
}

export function nodeServingIdentity(node: NodeSettings): { commonName: string; names: readonly string[] } {
  return { commonName: `${node.name}-ca@lab`, names: [`DNS:${node.name}`, `IP:${node.address}`] };
}

/** Path inside the node to text. */
export async function nodeFiles(authority: Authority, node: NodeSettings): Promise<ReadonlyMap<string, string>> {
  const client = await issueCertificate(authority, nodeClientIdentity(node.name));
  const serving = await issueCertificate(authority, nodeServingIdentity(node));
  const current = '/var/lib/kubelet/pki/kubelet-client-current.pem';
  return new Map([
    ['/etc/hostname', `${node.name}\n`],
    ['/etc/hosts', hostsFile(NAMESPACE_NODES, API_ADDRESS)],
    ['/etc/resolv.conf', `nameserver ${API_ADDRESS}\n`],
    ['/etc/machine-id', `${Buffer.from(node.name.padEnd(16, '0')).toString('hex')}\n`],
    ['/etc/os-release', readFileSync('/etc/os-release', 'utf8')],
    ['/etc/kubernetes/pki/ca.crt', readFileSync(authority.certificate, 'utf8')],
    [current, client.certificate + client.key],
    ['/var/lib/kubelet/pki/kubelet.crt', serving.certificate],
    ['/var/lib/kubelet/pki/kubelet.key', serving.key],
    [
      '/etc/kubernetes/kubelet.conf',
      pathKubeconfig({
        server: API_SERVER,
        user: 'default-auth',
        authority: '/etc/kubernetes/pki/ca.crt',
        certificate: current,
        key: current,
      }),
    ],
    ['/var/lib/kubelet/config.yaml', kubeletConfiguration()],
    ['/etc/containerd/config.toml', containerdConfiguration()],
    [`/etc/containerd/certs.d/${REGISTRY_NAME}:5000/hosts.toml`, `server = "http://${REGISTRY_NAME}:5000"\n`],
    ['/etc/cni/net.d/10-lab.conflist', cniConfiguration(node)],
    ['/etc/systemd/system/kubelet.service', kubeletUnit(node)],
    ['/etc/systemd/system/containerd.service', containerdUnit()],
    ['/etc/systemd/journald.conf', journaldConfiguration()],
    ['/etc/systemd/system/lab.target', labTarget()],
  ]);
}

/** The files of a node's disk, as a folder that the disk image is made from. */
export async function writeSkeleton(folder: string, authority: Authority, node: NodeSettings): Promise<void> {
  for (const name of FOLDERS) mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(folder, name));
  symlinkSync('/run', join(folder, 'var/run'));
  for (const name of COPIED) {
    if (existsSync(join('/etc', name))) cpSync(join('/etc', name), join(folder, 'etc', name), { recursive: true, verbatimSymlinks: true });
  }
  for (const unit of MASKED_UNITS) symlinkSync('/dev/null', join(folder, 'etc/systemd/system', unit));
  for (const plugin of CNI_PLUGINS) cpSync(join('/usr/lib/cni', plugin), join(folder, 'opt/cni/bin', plugin));
  for (const [path, text] of await nodeFiles(authority, node)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const secret of ['kubelet.key', 'kubelet-client-current.pem']) chmodSync(join(folder, 'var/lib/kubelet/pki', secret), 0o600);
}

/** Laid over /usr of every node. */
export function writeUsrLayer(paths: Paths): string {
  const layer = join(paths.state, 'usr-layer');
  mkdirSync(join(layer, 'bin'), { recursive: true });
  for (const name of ['kubelet', 'kubectl']) {
    const target = join(layer, 'bin', name);
    if (existsSync(target)) continue;
    try {
      linkSync(binaryPath(paths, name), target);
    } catch {
      cpSync(binaryPath(paths, name), target);
    }
  }
  return layer;
}
