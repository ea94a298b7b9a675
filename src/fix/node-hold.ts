import { setTimeout as wait } from 'node:timers/promises';
import type { ClusterPort } from '../collect/cluster/port.ts';

/** On the node itself, in the same write as the cordon: whoever comes after a run that was killed knows whose it is. */
const HELD_BY = 'podcause/held-by';

interface NodeLike {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status?: { readonly conditions?: readonly { readonly type?: string; readonly status?: string }[] };
}

interface LeaseLike {
  readonly spec?: { readonly renewTime?: string };
}

async function get<T>(port: ClusterPort, path: string): Promise<T> {
  const { body } = await port.request({ path, accept: 'application/json' });
  return JSON.parse(Buffer.from(body).toString('utf8')) as T;
}

function nodePath(node: string): string {
  return `/api/v1/nodes/${encodeURIComponent(node)}`;
}

async function patchNode(port: ClusterPort, node: string, body: unknown): Promise<void> {
  await port.request({
    method: 'PATCH',
    path: `${nodePath(node)}?fieldManager=podcause`,
    contentType: 'application/merge-patch+json',
    body,
    accept: 'application/json',
  });
}

/** Keeps new pods away while a node is changed. One that somebody cordoned before stays theirs. */
export async function holdNode(port: ClusterPort, node: string, fixId: string): Promise<void> {
  const { spec } = await get<NodeLike>(port, nodePath(node));
  if (spec?.unschedulable === true) return;
  await patchNode(port, node, { metadata: { annotations: { [HELD_BY]: fixId } }, spec: { unschedulable: true } });
}

/** Lets pods come again, where it was this fix that kept them away. */
export async function releaseNode(port: ClusterPort, node: string, fixId: string): Promise<void> {
  const { metadata } = await get<NodeLike>(port, nodePath(node));
  if (metadata?.annotations?.[HELD_BY] !== fixId) return;
  await patchNode(port, node, { metadata: { annotations: { [HELD_BY]: null } }, spec: { unschedulable: null } });
}

export async function isNodeReady(port: ClusterPort, node: string): Promise<boolean> {
  const { status } = await get<NodeLike>(port, nodePath(node));
  return status?.conditions?.some(({ type, status: says }) => type === 'Ready' && says === 'True') === true;
}

export interface Patience {
  readonly seconds: number;
  readonly now?: () => number;
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

const PAUSE_MILLISECONDS = 2000;

/**
 * Ready, and heard of anew: the word of a kubelet that is gone stands for 40 seconds, so its lease must have been
 * renewed since. Compared with itself, so that no two clocks have to agree.
 */
export async function untilNodeReady(port: ClusterPort, node: string, patience: Patience): Promise<boolean> {
  const { seconds, now = Date.now, pause = wait } = patience;
  const until = now() + seconds * 1000;
  const before = await renewedAt(port, node);
  while (now() < until) {
    await pause(PAUSE_MILLISECONDS);
    try {
      const at = await renewedAt(port, node);
      const heardOf = at === undefined || at !== before;
      if (heardOf && (await isNodeReady(port, node))) return true;
    } catch {
      // The API server may be what was restarted; it has the same time to come back.
    }
  }
  return false;
}

/** Undefined where leases may not be read: then the condition alone has to do. */
async function renewedAt(port: ClusterPort, node: string): Promise<string | undefined> {
  try {
    const path = `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${encodeURIComponent(node)}`;
    return (await get<LeaseLike>(port, path)).spec?.renewTime;
  } catch {
    return undefined;
  }
}
