import type { Lab } from '../lab.ts';
import { holdsWithin } from '../run-command.ts';
import { isNodeReady } from '../up.ts';

export interface SeenEvent {
  readonly reason: string;
  readonly message: string;
  readonly object: string;
  readonly count: number;
}

export interface SeenContainer {
  readonly name: string;
  readonly restartCount: number;
  readonly ready: boolean;
  readonly running: boolean;
  readonly waiting?: string;
}

export interface SeenPod {
  readonly name: string;
  readonly phase: string;
  readonly deleting: boolean;
  readonly containers: readonly SeenContainer[];
  readonly inits: readonly SeenContainer[];
}

interface Listed {
  readonly items?: readonly Record<string, unknown>[];
}

export async function eventsIn(lab: Lab, namespace: string): Promise<readonly SeenEvent[]> {
  return (await listed(lab, ['get', 'events', '-n', namespace])).map((item) => {
    const event = item as { reason?: string; message?: string; count?: number; involvedObject?: { name?: string } };
    return { reason: event.reason ?? '', message: event.message ?? '', object: event.involvedObject?.name ?? '', count: event.count ?? 1 };
  });
}

export async function podsIn(lab: Lab, namespace: string): Promise<readonly SeenPod[]> {
  return (await listed(lab, ['get', 'pods', '-n', namespace])).map((item) => {
    const pod = item as {
      metadata?: { name?: string; deletionTimestamp?: string };
      status?: { phase?: string; containerStatuses?: readonly RawStatus[]; initContainerStatuses?: readonly RawStatus[] };
    };
    return {
      name: pod.metadata?.name ?? '',
      phase: pod.status?.phase ?? '',
      deleting: pod.metadata?.deletionTimestamp !== undefined,
      containers: (pod.status?.containerStatuses ?? []).map(seenContainer),
      inits: (pod.status?.initContainerStatuses ?? []).map(seenContainer),
    };
  });
}

interface RawStatus {
  readonly name?: string;
  readonly restartCount?: number;
  readonly ready?: boolean;
  readonly state?: { readonly running?: unknown; readonly waiting?: { readonly reason?: string } };
}

function seenContainer(status: RawStatus): SeenContainer {
  const waiting = status.state?.waiting?.reason;
  return {
    name: status.name ?? '',
    restartCount: status.restartCount ?? 0,
    ready: status.ready ?? false,
    running: status.state?.running !== undefined,
    ...(waiting === undefined ? {} : { waiting }),
  };
}

/** An API server that does not answer for a moment has nothing to show; the caller looks again. */
async function listed(lab: Lab, args: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const ran = await lab.kubectl([...args, '-o', 'json'], { timeoutSeconds: 30 });
  if (ran.code !== 0) return [];
  return (JSON.parse(ran.stdout) as Listed).items ?? [];
}

export async function allReady(lab: Lab, namespace: string, count: number): Promise<boolean> {
  const pods = await podsIn(lab, namespace);
  return pods.length >= count && pods.every((pod) => pod.containers.length > 0 && pod.containers.every(({ ready }) => ready));
}

export async function applyManifest(lab: Lab, namespace: string, manifest: string): Promise<void> {
  const ran = await lab.kubectl(['apply', '-n', namespace, '-f', '-'], { input: manifest });
  if (ran.code !== 0) throw new Error(`the manifest was not taken: ${ran.stderr.trim()}`);
}

export async function waitForReady(lab: Lab, node: string, seconds = 240): Promise<void> {
  if (await holdsWithin(seconds, () => isNodeReady(lab, node), 1000)) return;
  throw new Error(`${node} did not become Ready again within ${seconds} seconds`);
}
