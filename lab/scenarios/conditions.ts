import type { Lab } from '../src/lab.ts';
import type { Condition } from '../src/scenario.ts';

interface State {
  readonly waiting?: { readonly reason?: string };
  readonly running?: object;
  readonly terminated?: { readonly reason?: string; readonly exitCode?: number };
}

interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly state: State;
  readonly lastState: State;
}

export interface Pod {
  readonly metadata: { readonly name: string; readonly creationTimestamp: string; readonly deletionTimestamp?: string };
  readonly status: {
    readonly phase: string;
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}

interface Event {
  readonly reason?: string;
  readonly message?: string;
  readonly firstTimestamp?: string | null;
}

async function items<T>(lab: Lab, namespace: string, kind: string): Promise<readonly T[]> {
  const ran = await lab.kubectl(['get', kind, '-n', namespace, '-o', 'json'], { timeoutSeconds: 20 });
  return ran.code === 0 ? (JSON.parse(ran.stdout) as { readonly items: readonly T[] }).items : [];
}

export function podsOf(lab: Lab, namespace: string): Promise<readonly Pod[]> {
  return items<Pod>(lab, namespace, 'pods');
}

/** Pods and claims that only wait are no trouble in their first minute. */
export function isOlderThan(pod: Pod, seconds: number): boolean {
  return Date.now() - Date.parse(pod.metadata.creationTimestamp) > seconds * 1000;
}

function statusesOf({ status }: Pod): readonly ContainerStatus[] {
  return [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
}

export function somePod(what: string, withinSeconds: number, is: (pod: Pod) => boolean): Condition {
  return { what, withinSeconds, holds: async (lab, namespace) => (await podsOf(lab, namespace)).some(is) };
}

/** A container waits for this reason, after at least so many restarts. */
export function waits(reason: string, { restarts = 0, withinSeconds = 60 } = {}): Condition {
  return somePod(`a container waits: ${reason}`, withinSeconds, (pod) =>
    statusesOf(pod).some(({ state, restartCount }) => state.waiting?.reason === reason && restartCount >= restarts),
  );
}

/** In CrashLoopBackOff, and its run before ended like this. */
export function crashes({ exitCode, reason = 'Error' }: { readonly exitCode: number; readonly reason?: string }): Condition {
  return somePod(`a container is in CrashLoopBackOff after ${reason} (${exitCode})`, 90, (pod) =>
    statusesOf(pod).some(
      ({ state, lastState, restartCount }) =>
        state.waiting?.reason === 'CrashLoopBackOff' &&
        restartCount >= 2 &&
        lastState.terminated?.reason === reason &&
        lastState.terminated.exitCode === exitCode,
    ),
  );
}

/** Some event of the namespace has this reason and says this, for some time already. */
export function eventSays(reason: string, text: RegExp, withinSeconds = 60, forSeconds = 0): Condition {
  return {
    what: `an event ${reason} says ${text.source}`,
    withinSeconds,
    holds: async (lab, namespace) =>
      (await items<Event>(lab, namespace, 'events')).some(
        (event) =>
          event.reason === reason &&
          text.test(event.message ?? '') &&
          (forSeconds === 0 || Date.now() - Date.parse(event.firstTimestamp ?? '') > forSeconds * 1000),
      ),
  };
}

export function both(first: Condition, second: Condition): Condition {
  return {
    what: `${first.what}, and ${second.what}`,
    withinSeconds: Math.max(first.withinSeconds, second.withinSeconds),
    holds: async (lab, namespace) => (await first.holds(lab, namespace)) && (await second.holds(lab, namespace)),
  };
}

/** Every pod runs and is ready. */
export function allReady(count: number, withinSeconds = 60): Condition {
  return {
    what: `${count} pods are ready`,
    withinSeconds,
    holds: async (lab, namespace) => {
      const pods = await podsOf(lab, namespace);
      return pods.length === count && pods.every((pod) => (pod.status.containerStatuses ?? []).every(({ ready }) => ready) && pod.status.phase === 'Running');
    },
  };
}
