import { type EntityId, UNKNOWN } from '../../model/entity.ts';
import type { FactBase } from '../fact-base.ts';

/** Younger pods may simply still be starting. */
const STARTING_SECONDS = 60;
/** Twice the usual grace period; a longer one that has been used for a while is worth telling. */
const ENDING_SECONDS = 60;

/** Whether the pod came to be a moment ago, by any listing of it or by the event of its placement. */
export function isYoung(base: FactBase, pod: EntityId): boolean {
  const listed = base.of('pod.status', pod).flatMap(({ ageSeconds }) => ageSeconds ?? []);
  const placed = base
    .of('pod.event', pod)
    .flatMap(({ reason, firstAgo, lastAgo }) => (reason === 'Scheduled' ? (firstAgo ?? lastAgo ?? []) : []));
  const ages = listed.length > 0 ? listed : placed;
  return ages.length > 0 && Math.max(...ages) < STARTING_SECONDS;
}

export function isDeleted(base: FactBase, pod: EntityId): boolean {
  return base.of('pod.deleting', pod).length > 0;
}

/** Told to end a moment ago, or to be over soon: every update and every drain shows such pods. */
export function isEndingInTime(base: FactBase, pod: EntityId): boolean {
  const deletions = base.of('pod.deleting', pod);
  if (deletions.some(({ sinceSeconds }) => sinceSeconds !== undefined && sinceSeconds > 0)) return false;
  if (deletions.some(({ inGrace, graceSeconds }) => inGrace === true && graceSeconds !== undefined && graceSeconds <= ENDING_SECONDS))
    return true;
  const orders = base.of('pod.event', pod).filter(({ reason, killedBy }) => reason === 'Killing' && killedBy === 'stop');
  return (
    deletions.length > 0 &&
    orders.length > 0 &&
    orders.every(({ firstAgo, lastAgo }) => (firstAgo ?? lastAgo ?? ENDING_SECONDS) < ENDING_SECONDS)
  );
}

/** All pods were listed, and this one was not among them: what its events tell is over. */
export function isGone(base: FactBase, pod: EntityId): boolean {
  const named = !pod.split('/').includes(UNKNOWN);
  return named && base.of('pod.status', pod).length === 0 && base.coverage.extent('pod-status', pod) === 'whole';
}
