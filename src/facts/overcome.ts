import type { Citation } from '../model/citation.ts';
import { type EntityId, entityOf, podId, UNKNOWN } from '../model/entity.ts';
import type { Evidence } from '../model/evidence.ts';
import type { Fact } from '../model/facts.ts';

const NAMELESS = podId(undefined, UNKNOWN);

/** No container begins before its pod has a node and all its volumes. */
const BEFORE_THE_START: ReadonlySet<string> = new Set(['FailedScheduling', 'FailedMount', 'FailedAttachVolume']);

/** What a controller says when it has done at last what it failed to do before. */
const DONE: Readonly<Record<string, RegExp>> = {
  SuccessfullyReconciled: /^Failed(?:BuildModel|DeployModel|AddFinalizer|UpdateStatus)$/,
  EnsuredLoadBalancer: /^(?:SyncLoadBalancerFailed|CreatingLoadBalancerFailed|UpdateLoadBalancerFailed)$/,
  UpdatedLoadBalancer: /^(?:SyncLoadBalancerFailed|UpdateLoadBalancerFailed)$/,
  IPAllocated: /^AllocationFailed$/,
};

type ToldEvent = Fact<'pod.event'> | Fact<'object.event'>;

/**
 * The lines of what is overcome: a volume that could not be mounted before its container began has nothing to do with why
 * that container ends, and what a controller could not do before it did it is no trouble any more (nor is it done when it
 * failed again since). Only where both times are known; the failed event itself stays.
 */
export function overcomeFacts(evidence: Evidence): ReadonlySet<Fact> {
  return new Set([...overcomeByStart(evidence), ...overcomeByController(evidence), ...overcomeByTime(evidence)]);
}

/** Whatever still goes wrong is told again within minutes. */
const LONG_AGO_SECONDS = 900;

/** Warnings of long ago that no pod is named for, where every pod that is listed is well. */
function overcomeByTime({ facts }: Evidence): readonly Fact[] {
  const listed = facts.filter((fact) => fact.kind === 'pod.status' && !fact.hearsay);
  if (listed.length === 0 || !listed.every((fact) => fact.kind === 'pod.status' && isWellNow(fact))) return [];
  const past = new Set<string>();
  for (const fact of facts) {
    if (fact.kind !== 'pod.event' || fact.about !== NAMELESS || (fact.lastAgo ?? 0) < LONG_AGO_SECONDS) continue;
    for (const cited of fact.cited) past.add(keyOf(fact.about, cited));
  }
  return past.size === 0 ? [] : facts.filter((fact) => isTold(fact) && fact.cited.some((cited) => past.has(keyOf(fact.about, cited))));
}

function isWellNow({ status, readyContainers, containers }: Fact<'pod.status'>): boolean {
  return status === 'Completed' || (status === 'Running' && containers !== undefined && readyContainers === containers);
}

function isTold(fact: Fact): boolean {
  return fact.kind === 'log.signature' || fact.kind === 'log.error';
}

function overcomeByController({ facts }: Evidence): readonly Fact[] {
  const events = facts.filter((fact): fact is ToldEvent => fact.kind === 'pod.event' || fact.kind === 'object.event');
  const latest = new Map<string, ToldEvent>();
  for (const event of events) {
    if (!Object.hasOwn(DONE, event.reason)) continue;
    const key = `${event.reason} ${event.about}`;
    const known = latest.get(key);
    if (known === undefined || isBefore(known, event)) latest.set(key, event);
  }
  if (latest.size === 0) return [];
  const past = new Set<string>();
  const undone = new Set<Fact>();
  for (const event of events) {
    for (const [reason, failures] of Object.entries(DONE)) {
      const done = failures.test(event.reason) ? latest.get(`${reason} ${event.about}`) : undefined;
      if (done === undefined) continue;
      if (isBefore(event, done)) for (const cited of event.cited) past.add(keyOf(event.about, cited));
      else if (isBefore(done, event)) undone.add(done);
    }
  }
  return facts.filter((fact) => undone.has(fact) || (isTold(fact) && fact.cited.some((cited) => past.has(keyOf(fact.about, cited)))));
}

function isBefore(one: ToldEvent, other: ToldEvent): boolean {
  if (one.when !== undefined && other.when !== undefined) return one.when < other.when;
  return one.lastAgo !== undefined && other.lastAgo !== undefined && one.lastAgo > other.lastAgo;
}

function overcomeByStart({ facts }: Evidence): ReadonlySet<Fact> {
  const early = new Set<string>();
  for (const fact of facts) {
    if (fact.kind !== 'pod.event' || !BEFORE_THE_START.has(fact.reason)) continue;
    for (const cited of fact.cited) early.add(keyOf(fact.about, cited));
  }
  if (early.size === 0) return new Set();
  const began = lastBeginnings(facts);
  return new Set(
    facts.filter((fact) => {
      if (fact.kind !== 'log.signature' || !fact.cited.some((cited) => early.has(keyOf(fact.about, cited)))) return false;
      const last = fact.last ?? fact.when;
      const start = began.get(fact.about);
      return last !== undefined && start !== undefined && last < start;
    }),
  );
}

function lastBeginnings(facts: readonly Fact[]): ReadonlyMap<EntityId, number> {
  const began = new Map<EntityId, number>();
  for (const fact of facts) {
    if (fact.kind !== 'container.terminated' && fact.kind !== 'container.running') continue;
    const { parent } = entityOf(fact.about);
    if (parent === undefined || fact.startedAt === undefined) continue;
    began.set(parent, Math.max(began.get(parent) ?? 0, fact.startedAt));
  }
  return began;
}

function keyOf(about: EntityId, { doc, at }: Citation): string {
  return `${about}|${doc}|${JSON.stringify(at)}`;
}
