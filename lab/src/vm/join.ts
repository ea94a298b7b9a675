import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueCertificate } from '../cluster/certificates.ts';
import { API_SERVER, pkiFolder } from '../cluster/control-plane.ts';
import { inlineKubeconfig } from '../cluster/kubeconfig.ts';
import { IMAGES, imageFile } from '../images.ts';
import type { Lab } from '../lab.ts';
import { holdsWithin } from '../run-command.ts';
import { API_ADDRESS, BRIDGE, CONTROL_NETWORK_NAMESPACE, type NodeSettings, nodeFolder, type Paths, POD_NETWORK } from '../settings.ts';
import { isNodeReady } from '../up.ts';
import { attachVm, startVm, stopVm, type VmNode } from './index.ts';
import type { VmNetwork } from './qemu.ts';
import { useContainerd } from './setup.ts';

export const VM_NODES: readonly NodeSettings[] = [
  { name: 'vm-a', address: API_ADDRESS.replace(/\.1$/, '.21'), podNetwork: POD_NETWORK.replace('.0.0/16', '.3.0/24') },
];

function settingsOf(name: string): NodeSettings {
  const settings = VM_NODES.find((one) => one.name === name);
  if (settings === undefined) throw new Error(`the lab knows no VM node ${name}`);
  return settings;
}

function networkOf(settings: NodeSettings): VmNetwork {
  return {
    namespace: `/run/netns/${CONTROL_NETWORK_NAMESPACE}`,
    bridge: BRIDGE,
    address: settings.address,
    prefix: 24,
    gateway: API_ADDRESS,
  };
}

/** The VM as it runs and is Ready, or a new one that the cluster does not know yet; one that a broken run left in another state is ended. */
export async function bootForLab(paths: Paths, lab: Lab, name: string, say: (line: string) => void): Promise<VmNode> {
  const settings = settingsOf(name);
  const network = networkOf(settings);
  const folder = nodeFolder(paths, name);
  const running = attachVm({ name, folder, network });
  if (running !== undefined && (await isNodeReady(lab, name))) return running;
  const pki = pkiFolder(paths);
  const authority = { certificate: join(pki, 'ca.crt'), key: join(pki, 'ca.key') };
  const issued = await issueCertificate(authority, { commonName: `system:node:${name}`, organisation: 'system:nodes' });
  const caCertificate = readFileSync(authority.certificate, 'utf8');
  const kubeconfig = inlineKubeconfig({ server: API_SERVER, user: `system:node:${name}`, authority: caCertificate, ...issued });
  const imageArchives = IMAGES.map((recipe) => imageFile(join(paths.state, 'images'), recipe.name)).filter((path) => existsSync(path));
  const cluster = { kubeconfig, caCertificate, podCidr: settings.podNetwork };
  return startVm({ paths, name, folder, network, cluster, imageArchives, say });
}

/** Starts the kubelet of a booted VM, unless it is in the cluster already. */
export async function joinLab(lab: Lab, node: VmNode): Promise<void> {
  if (await isNodeReady(lab, node.name)) return;
  await useContainerd(node);
  if (await holdsWithin(240, () => isNodeReady(lab, node.name))) return;
  const journal = await node.exec('journalctl -u kubelet -n 15 --no-pager -o cat');
  throw new Error(`${node.name} is not ready after four minutes; its kubelet says:\n${journal.stdout}`);
}

/** The VMs that run now, by name. */
export function attachedVms(paths: Paths): ReadonlyMap<string, VmNode> {
  const nodes = new Map<string, VmNode>();
  for (const settings of VM_NODES) {
    const node = attachVm({ name: settings.name, folder: nodeFolder(paths, settings.name), network: networkOf(settings) });
    if (node !== undefined) nodes.set(settings.name, node);
  }
  return nodes;
}

/** Ends every VM and takes its Node object away, which would be an unreachable node for all later scenarios. Returns what is left over. */
export async function leaveLab(paths: Paths, lab?: Lab): Promise<readonly string[]> {
  const left: string[] = [];
  for (const settings of VM_NODES) {
    const folder = nodeFolder(paths, settings.name);
    if (!existsSync(folder)) continue;
    const said = await stopVm({ name: settings.name, folder, network: networkOf(settings) });
    if (said !== undefined) left.push(said);
    await lab?.kubectl(['delete', 'node', settings.name, '--ignore-not-found', '--wait=false'], { timeoutSeconds: 20 });
  }
  return left;
}
