import { dirname, join } from 'node:path';
import type { Authority } from './cluster/certificates.ts';
import type { Lab, LabNode } from './lab.ts';

/** Building blocks for scenarios that break a node. */

export function authorityOf(lab: Lab): Authority {
  const folder = join(dirname(lab.kubeconfig), 'pki');
  return { certificate: join(folder, 'ca.crt'), key: join(folder, 'ca.key') };
}

/** A command whose failure means that the fault was not made. */
export async function must(node: LabNode, command: string): Promise<string> {
  const ran = await node.exec(command);
  if (ran.code !== 0) throw new Error(`${node.name}: ${command} ended with ${ran.code}: ${(ran.stderr || ran.stdout).trim()}`);
  return ran.stdout;
}

export async function scale(lab: Lab, namespace: string, deployment: string, replicas: number): Promise<void> {
  const ran = await lab.kubectl(['scale', '-n', namespace, `deployment/${deployment}`, `--replicas=${replicas}`]);
  if (ran.code !== 0) throw new Error(`kubectl scale: ${ran.stderr.trim()}`);
}
