import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeNodeCgroups } from './cgroups.ts';
import { pkiFolder } from './cluster/control-plane.ts';
import { endNode } from './down.ts';
import type { Lab } from './lab.ts';
import { nodeProcess, startNode } from './node/start.ts';
import { holdsWithin } from './run-command.ts';
import { NAMESPACE_NODES, type NodeSettings, nodeFolder, type Paths } from './settings.ts';
import { isNodeReady, loadImages, type Say } from './up.ts';

/** Ready, and without a trace of pressure, taint or cordon. */
export async function isNodeSound(lab: Lab, name: string): Promise<boolean> {
  const query = 'jsonpath={.status.conditions[?(@.status=="True")].type}|{.spec.taints}|{.spec.unschedulable}';
  return (await lab.kubectl(['get', 'node', name, '-o', query], { timeoutSeconds: 15 })).stdout.trim() === 'Ready||';
}

export async function areNodesSound(lab: Lab): Promise<boolean> {
  for (const { name } of NAMESPACE_NODES) if (!(await isNodeSound(lab, name))) return false;
  return true;
}

/** A new disk, a new boot; the cluster sees the node come back empty. */
export async function renewNode(paths: Paths, lab: Lab, node: NodeSettings): Promise<void> {
  const known = nodeProcess(paths, node.name);
  if (known !== undefined && !(await endNode(known))) throw new Error(`${node.name} could not be ended`);
  await removeNodeCgroups(node.name);
  rmSync(join(nodeFolder(paths, node.name), 'disk.img'), { force: true });
  await lab.kubectl(['delete', 'node', node.name, '--ignore-not-found']);
  const pki = pkiFolder(paths);
  await startNode(paths, { certificate: join(pki, 'ca.crt'), key: join(pki, 'ca.key') }, node);
  await loadImages(paths, lab, node.name);
  if (!(await holdsWithin(90, () => isNodeReady(lab, node.name)))) throw new Error(`${node.name} is not ready although it was made anew`);
}

export async function heal(paths: Paths, lab: Lab, say: Say): Promise<void> {
  for (const node of NAMESPACE_NODES) {
    if (await isNodeSound(lab, node.name)) continue;
    say(`making ${node.name} anew`);
    await renewNode(paths, lab, node);
  }
}
