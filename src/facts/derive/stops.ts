import type { EntityId } from '../../model/entity.ts';
import type { Fact } from '../../model/facts.ts';
import type { FactBase } from '../fact-base.ts';
import { citedOf } from './cited.ts';

const QUIET_AFTER_SECONDS = 10 * 60;
/** Events that name another reason for a stop. */
const OTHER_REASON =
  /^(Unhealthy|Failed|FailedCreatePodSandBox|Evicted|Preempting|Preempted|OOMKilling|FailedPostStartHook|TaintManagerEviction|NodeShutdown|ExceededGracePeriod|FailedKillPod)$/;

/** Who stopped the containers, and how often: the kubelet's Normal events are the only trace of a silent stop. */
export function deriveStops(base: FactBase): void {
  const byPod = new Map<EntityId, Fact<'pod.event'>[]>();
  for (const event of base.all('pod.event')) {
    const events = byPod.get(event.about);
    if (events) events.push(event);
    else byPod.set(event.about, [event]);
  }
  for (const [pod, events] of byPod) deriveStopsOfPod(base, pod, events);
}

function deriveStopsOfPod(base: FactBase, pod: EntityId, events: readonly Fact<'pod.event'>[]): void {
  const sandbox = events.filter(({ reason }) => reason === 'SandboxChanged');
  if (sandbox.length === 0) return;
  const kills = events.filter(({ reason, killedBy }) => reason === 'Killing' && (killedBy ?? 'stop') === 'stop');
  const sandboxChanges = total(sandbox);
  const told = [...sandbox, ...kills];
  if (isOneBurst(sandbox, kills)) {
    base.add({
      kind: 'pod.one-burst',
      about: pod,
      cited: citedOf(told),
      agoSeconds: Math.min(...sandbox.map(({ lastAgo }) => lastAgo ?? 0)),
    });
    return;
  }
  const restartsAgainAndAgain = sandboxChanges + total(kills) >= 3 || sandbox.some(({ hearsay }) => hearsay);
  const ordered = kills.length > 0 || sandbox.some(({ hearsay }) => hearsay);
  if (!restartsAgainAndAgain || !ordered || events.some(({ reason }) => OTHER_REASON.test(reason))) return;
  const over = spread(told);
  base.add({
    kind: 'pod.silent-stops',
    about: pod,
    cited: citedOf(told),
    kills: total(kills),
    sandboxChanges,
    ...(over > 0 ? { overSeconds: over } : {}),
    ...(told.every(({ hearsay }) => hearsay) ? { hearsay: true } : {}),
  });
}

/** A reboot or a runtime restart changes every sandbox once; then it stays quiet. */
function isOneBurst(sandbox: readonly Fact<'pod.event'>[], kills: readonly Fact<'pod.event'>[]): boolean {
  if (sandbox.some(({ hearsay }) => hearsay)) return false;
  if (total(sandbox) > 1 && spread(sandbox) > 120) return false;
  if (kills.length > 0 && total(kills) > 2) return false;
  return sandbox.every(({ lastAgo }) => lastAgo === undefined || lastAgo >= QUIET_AFTER_SECONDS) || total(sandbox) === 1;
}

function total(events: readonly Fact<'pod.event'>[]): number {
  return distinct(events).reduce((sum, { count }) => sum + count, 0);
}

const SAME_EVENT_SECONDS = 30;

/** One event shows up in the pod's description and again in a listing, there without its count. */
function distinct(events: readonly Fact<'pod.event'>[]): readonly Fact<'pod.event'>[] {
  const kept: Fact<'pod.event'>[] = [];
  for (const event of [...events].sort((left, right) => right.count - left.count)) {
    if (!kept.some((one) => one.message === event.message && covers(one, event))) kept.push(event);
  }
  return kept;
}

function covers(one: Fact<'pod.event'>, other: Fact<'pod.event'>): boolean {
  if (one.lastAgo === undefined || other.lastAgo === undefined) return false;
  const first = one.firstAgo ?? one.lastAgo;
  return other.lastAgo >= one.lastAgo - SAME_EVENT_SECONDS && (other.firstAgo ?? other.lastAgo) <= first + SAME_EVENT_SECONDS;
}

const LATELY_SECONDS = 15 * 60;

/** Stopped again and again up to now: being ready, or ended well, is only the time in between. */
export function isStoppedLately(base: FactBase, pod: EntityId): boolean {
  if (base.of('pod.silent-stops', pod).length === 0) return false;
  return base.of('pod.event', pod).some(({ reason, lastAgo }) => reason === 'SandboxChanged' && (lastAgo ?? 0) < LATELY_SECONDS);
}

function spread(events: readonly Fact<'pod.event'>[]): number {
  const first = Math.max(0, ...events.map(({ firstAgo, lastAgo }) => firstAgo ?? lastAgo ?? 0));
  const last = Math.min(...events.map(({ lastAgo, firstAgo }) => lastAgo ?? firstAgo ?? first));
  return first - last;
}
