import type { Lab } from './lab.ts';
import type { Condition } from './scenario.ts';

/** Building blocks for `until` and `ready` of scenarios; an unanswered call is simply not true yet. */

export interface ContainerStatusJson {
  readonly name: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: Readonly<Record<string, { readonly reason?: string; readonly exitCode?: number }>>;
  readonly lastState?: Readonly<Record<string, { readonly reason?: string; readonly exitCode?: number }>>;
}

export interface PodJson {
  readonly metadata: {
    readonly name: string;
    readonly creationTimestamp?: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec: { readonly nodeName?: string };
  readonly status: {
    readonly phase?: string;
    readonly reason?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
    readonly initContainerStatuses?: readonly ContainerStatusJson[];
    readonly containerStatuses?: readonly ContainerStatusJson[];
  };
}

async function listOf<T>(lab: Lab, args: readonly string[]): Promise<readonly T[]> {
  const ran = await lab.kubectl([...args, '-o', 'json'], { timeoutSeconds: 20 });
  if (ran.code !== 0) return [];
  return (JSON.parse(ran.stdout) as { readonly items: readonly T[] }).items;
}

export function podsIn(lab: Lab, namespace: string): Promise<readonly PodJson[]> {
  return listOf<PodJson>(lab, ['get', 'pods', '-n', namespace]);
}

export async function everyPod(lab: Lab, namespace: string, holds: (pod: PodJson) => boolean): Promise<boolean> {
  const pods = await podsIn(lab, namespace);
  return pods.length > 0 && pods.every(holds);
}

export async function anyPod(lab: Lab, namespace: string, holds: (pod: PodJson) => boolean): Promise<boolean> {
  return (await podsIn(lab, namespace)).some(holds);
}

export function isPodReady(pod: PodJson): boolean {
  return (pod.status.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True');
}

/** Trouble of a pod that has only just begun is taken for its start. */
export function isOlderThan(pod: PodJson, seconds: number, now = Date.now()): boolean {
  return now - Date.parse(pod.metadata.creationTimestamp ?? '') > seconds * 1000;
}

/** `CrashLoopBackOff`, `ImagePullBackOff` … of any container. */
export function waitsWith(pod: PodJson, reason: string): boolean {
  return statuses(pod).some((status) => status.state?.['waiting']?.reason === reason);
}

export function restartsOf(pod: PodJson): number {
  return statuses(pod).reduce((sum, status) => sum + (status.restartCount ?? 0), 0);
}

/** Init containers first. */
export function statuses(pod: PodJson): readonly ContainerStatusJson[] {
  return [...(pod.status.initContainerStatuses ?? []), ...(pod.status.containerStatuses ?? [])];
}

interface EventJson {
  readonly reason?: string;
  readonly message?: string;
  readonly involvedObject: { readonly kind?: string; readonly name?: string };
}

/** Events about nodes are kept in the namespace `default`. */
export async function hasEvent(lab: Lab, namespace: string, reason: string, words: string | RegExp = ''): Promise<boolean> {
  const events = await listOf<EventJson>(lab, ['get', 'events', '-n', namespace]);
  return events.some((event) => event.reason === reason && says(event.message ?? '', words));
}

/** How many objects have such an event. */
export async function countWithEvent(lab: Lab, namespace: string, reason: string, words: string | RegExp = ''): Promise<number> {
  const events = await listOf<EventJson>(lab, ['get', 'events', '-n', namespace]);
  const matching = events.filter((event) => event.reason === reason && says(event.message ?? '', words));
  return new Set(matching.map((event) => event.involvedObject.name)).size;
}

function says(message: string, words: string | RegExp): boolean {
  return typeof words === 'string' ? message.includes(words) : words.test(message);
}

interface NodeJson {
  readonly status: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
  };
}

export async function nodeCondition(
  lab: Lab,
  node: string,
  type: string,
): Promise<{ status: string; reason: string; message: string } | undefined> {
  const ran = await lab.kubectl(['get', 'node', node, '-o', 'json'], { timeoutSeconds: 20 });
  if (ran.code !== 0) return undefined;
  const found = (JSON.parse(ran.stdout) as NodeJson).status.conditions?.find((condition) => condition.type === type);
  return found && { status: found.status, reason: found.reason ?? '', message: found.message ?? '' };
}

/** The usual state before a fault is made. */
export function allPodsReady(withinSeconds = 60): {
  what: string;
  withinSeconds: number;
  holds(lab: Lab, namespace: string): Promise<boolean>;
} {
  return { what: 'all pods are ready', withinSeconds, holds: (lab, namespace) => everyPod(lab, namespace, isPodReady) };
}

/** The node is silent, and its pods are long enough known to be taken for more than just begun. */
export function nodeIsSilent(node: string): Condition {
  return {
    what: `the control plane hears nothing from ${node}`,
    withinSeconds: 240,
    holds: async (lab, namespace) =>
      (await nodeCondition(lab, node, 'Ready'))?.status === 'Unknown' &&
      (await everyPod(lab, namespace, (pod) => !isPodReady(pod) && isOlderThan(pod, 65))),
  };
}
