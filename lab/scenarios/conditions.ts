import { anyPod, everyPod, hasEvent, isPodReady, type PodJson, podsIn, restartsOf, statuses } from '../src/conditions.ts';
import type { Condition } from '../src/scenario.ts';

/** Pods that only wait are no trouble in their first minute. */
export function isOlderThan(pod: PodJson, seconds: number): boolean {
  return Date.now() - Date.parse(pod.metadata.creationTimestamp ?? '') > seconds * 1000;
}

export function somePod(what: string, withinSeconds: number, is: (pod: PodJson) => boolean): Condition {
  return { what, withinSeconds, holds: (lab, namespace) => anyPod(lab, namespace, is) };
}

export const hadAMinute = somePod('it has had a minute to start', 100, (pod) => isOlderThan(pod, 65));

/** A pod was deleted, and its deadline passed so long ago; before it the number is negative. */
export function deletedFor(seconds: number): Condition {
  return somePod('a deleted pod is still there', 120, ({ metadata: { deletionTimestamp } }) =>
    deletionTimestamp === undefined ? false : Date.now() - Date.parse(deletionTimestamp) > seconds * 1000,
  );
}

export function restarted(times: number): Condition {
  return somePod(`restarted ${times} times`, 90, (pod) => restartsOf(pod) >= times);
}

/** A container waits for this reason. */
export function waits(reason: string, withinSeconds = 60): Condition {
  return somePod(`a container waits: ${reason}`, withinSeconds, (pod) =>
    statuses(pod).some(({ state }) => state?.['waiting']?.reason === reason),
  );
}

/** In CrashLoopBackOff, and its run before ended like this. */
export function crashes({ exitCode, reason = 'Error' }: { readonly exitCode: number; readonly reason?: string }): Condition {
  return somePod(`a container is in CrashLoopBackOff after ${reason} (${exitCode})`, 90, (pod) =>
    statuses(pod).some(({ state, lastState, restartCount = 0 }) => {
      const ended = lastState?.['terminated'];
      return (
        state?.['waiting']?.reason === 'CrashLoopBackOff' && restartCount >= 2 && ended?.reason === reason && ended.exitCode === exitCode
      );
    }),
  );
}

/** Some event of the namespace has this reason and says this. */
export function eventSays(reason: string, text: RegExp, withinSeconds = 60): Condition {
  return {
    what: `an event ${reason} says ${text.source}`,
    withinSeconds,
    holds: (lab, namespace) => hasEvent(lab, namespace, reason, text),
  };
}

export function both(first: Condition, second: Condition): Condition {
  return {
    what: `${first.what}, and ${second.what}`,
    withinSeconds: Math.max(first.withinSeconds, second.withinSeconds),
    holds: async (lab, namespace) => (await first.holds(lab, namespace)) && (await second.holds(lab, namespace)),
  };
}

/** So many pods, and all are ready. */
export function allReady(count: number, withinSeconds = 60): Condition {
  return {
    what: `${count} pods are ready`,
    withinSeconds,
    holds: async (lab, namespace) => (await podsIn(lab, namespace)).length === count && (await everyPod(lab, namespace, isPodReady)),
  };
}
