import type { EntityId } from '../../model/entity.ts';
import type { Fact, Symptom } from '../../model/facts.ts';
import type { FactBase } from '../fact-base.ts';
import { isDeleted, isGone, isYoung } from './patience.ts';

export type Show = (about: EntityId, symptom: Symptom, from: Fact, container?: string, detail?: string) => void;

/** What an event of the last hour shows, unless the pod is well since. */
export function symptomOfEvent(base: FactBase, event: Fact<'pod.event'>, show: Show): void {
  if (isKilledByProbe(event)) {
    show(event.about, 'restarts', event, event.container, 'killed by its probe');
    return;
  }
  const fresh = event.lastAgo === undefined || event.lastAgo < 60 * 60;
  if (!fresh || recoveredSince(base, event)) return;
  const symptom = symptomOfReason(event);
  // A program that starts is not ready, and neither is one that ends.
  if (symptom === 'not-ready' && (isYoung(base, event.about) || isDeleted(base, event.about))) return;
  if (symptom !== undefined) show(event.about, symptom, event, event.container, event.reason);
}

const RECENT_SECONDS = 15 * 60;

/** Killed again and again by a probe a moment ago: being ready right now is only the time in between. */
function isKilledByProbe({ reason, killedBy, lastAgo, count }: Fact<'pod.event'>): boolean {
  return (
    reason === 'Killing' &&
    (killedBy === 'liveness-probe' || killedBy === 'startup-probe') &&
    count >= 2 &&
    lastAgo !== undefined &&
    lastAgo < RECENT_SECONDS
  );
}

/** A listing that shows the pod running and ready, or a later start, speaks louder than an event of its past. */
function recoveredSince(base: FactBase, event: Fact<'pod.event'>): boolean {
  if (startedAfter(base, event)) return true;
  const statuses = base.of('pod.status', event.about);
  if (statuses.length === 0 && isGone(base, event.about)) return true;
  if (statuses.length === 0 || base.of('pod.symptom', event.about).length > 0) return false;
  return statuses.every(
    ({ status, readyContainers, containers }) =>
      status === 'Completed' ||
      status === 'Succeeded' ||
      (status === 'Running' && (readyContainers === undefined || readyContainers === containers)),
  );
}

/** What kept a container from starting is over once it has started; crashes come after a start. */
function startedAfter(base: FactBase, event: Fact<'pod.event'>): boolean {
  const symptom = symptomOfReason(event);
  if (
    event.lastAgo === undefined ||
    symptom === 'crash-loop' ||
    symptom === 'restarts' ||
    symptom === 'not-ready' ||
    symptom === 'stuck-terminating'
  )
    return false;
  return base
    .of('pod.event', event.about)
    .some(
      ({ reason, lastAgo, container }) =>
        (reason === 'Started' || (event.reason === 'FailedScheduling' && reason === 'Scheduled')) &&
        lastAgo !== undefined &&
        lastAgo < (event.lastAgo ?? 0) &&
        (event.container === undefined || container === event.container),
    );
}

function symptomOfReason(event: Fact<'pod.event'>): Symptom | undefined {
  switch (event.reason) {
    case 'BackOff':
      return /pulling image/i.test(event.message) ? 'image-pull' : /restarting failed/i.test(event.message) ? 'crash-loop' : undefined;
    case 'FailedScheduling':
      return 'pending';
    case 'FailedCreatePodSandBox':
    case 'FailedMount':
    case 'FailedAttachVolume':
    case 'FailedMapVolume':
    case 'NetworkNotReady':
    case 'FailedCreatePodContainer':
      return 'creating';
    case 'FailedKillPod':
      return 'stuck-terminating';
    case 'Evicted':
      return 'evicted';
    case 'ErrImageNeverPull':
    case 'InspectFailed':
      return 'image-pull';
    case 'Unhealthy':
      return /^Readiness/.test(event.message) ? 'not-ready' : event.count >= 3 ? 'restarts' : undefined;
    case 'Failed':
      return symptomOfFailed(event.message);
    default:
      return undefined;
  }
}

function symptomOfFailed(message: string): Symptom | undefined {
  if (/pull|ErrImage|InvalidImageName/i.test(message)) return 'image-pull';
  if (/not found|couldn't find key|CreateContainerConfigError|runAsNonRoot|subPath/i.test(message)) return 'config-error';
  return 'create-error';
}
