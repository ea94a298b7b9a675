import { setTimeout as wait } from 'node:timers/promises';
import { ClusterError, type ClusterPort } from '../collect/cluster/port.ts';

interface PodLike {
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly kind?: string }[];
  };
  readonly status?: { readonly phase?: string };
}

export async function podsOn(port: ClusterPort, node: string): Promise<readonly PodLike[]> {
  const path = `/api/v1/pods?fieldSelector=${encodeURIComponent(`spec.nodeName=${node}`)}`;
  const { body } = await port.request({ path, accept: 'application/json', limitBytes: 64 << 20 });
  return (JSON.parse(Buffer.from(body).toString('utf8')) as { items?: readonly PodLike[] }).items ?? [];
}

/** Those that a drain moves: what a DaemonSet or the kubelet itself keeps on the node stays. */
export function movable(pods: readonly PodLike[]): readonly PodLike[] {
  return pods.filter(
    ({ metadata, status }) =>
      metadata?.annotations?.['kubernetes.io/config.mirror'] === undefined &&
      !metadata?.ownerReferences?.some(({ kind }) => kind === 'DaemonSet') &&
      status?.phase !== 'Succeeded' &&
      status?.phase !== 'Failed',
  );
}

const PAUSE_MILLISECONDS = 3000;

/** Evicts every pod that can go elsewhere and waits until they are gone; a disruption budget may make it wait. */
export async function drain(port: ClusterPort, node: string, seconds: number, onStep: (says: string) => void): Promise<void> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const left = movable(await podsOn(port, node));
    if (left.length === 0) return;
    if (Date.now() > until) {
      const names = left.slice(0, 5).map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`);
      throw new Error(`${node} could not be drained within ${seconds} s; still there: ${names.join(', ')}`);
    }
    onStep(`draining ${node}: ${left.length} pods to go`);
    for (const pod of left) await evict(port, pod);
    await wait(PAUSE_MILLISECONDS);
  }
}

async function evict(port: ClusterPort, { metadata }: PodLike): Promise<void> {
  const { namespace = '', name = '' } = metadata ?? {};
  try {
    await port.request({
      method: 'POST',
      path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/eviction`,
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { namespace, name } },
      accept: 'application/json',
    });
  } catch (error) {
    // Gone meanwhile, or its budget says not now: the next round asks again.
    if (!(error instanceof ClusterError) || (error.kind !== 'not-found' && error.kind !== 'throttled')) throw error;
  }
}
