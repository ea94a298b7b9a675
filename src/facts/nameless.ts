import { type EntityId, entityOf, podId, UNKNOWN } from '../model/entity.ts';
import type { Evidence } from '../model/evidence.ts';
import type { Fact } from '../model/facts.ts';

const NAMELESS = podId(undefined, UNKNOWN);

/**
 * Events and lines pasted without their pod ("Events:" and what follows) belong to the only pod that the rest of the
 * evidence leaves for them: the one their own document names, or the ones whose state such an event goes with.
 */
export function adoptNameless(evidence: Evidence): ReadonlyMap<Fact, EntityId> {
  const adopted = new Map<Fact, EntityId>();
  const orphans = evidence.facts.filter(({ about, hearsay }) => about === NAMELESS && !hearsay);
  if (orphans.length === 0) return adopted;
  const byDocument = groupBy(orphans, documentOf);
  const named = evidence.facts.filter(({ about }) => isNamed(about));
  for (const [document, facts] of byDocument) {
    const pod = onlyPodIn(document, named) ?? onlyFittingPod(facts, evidence);
    if (pod !== undefined) for (const fact of facts) adopted.set(fact, pod);
  }
  return adopted;
}

function documentOf({ cited }: Fact): string {
  return cited[0]?.doc ?? '';
}

function isNamed(about: EntityId): boolean {
  return about.startsWith('Pod/')
    ? entityOf(about).name !== UNKNOWN
    : about.startsWith('Container/') && isNamed(entityOf(about).parent ?? '');
}

function onlyPodIn(document: string, named: readonly Fact[]): EntityId | undefined {
  const pods = new Set<EntityId>();
  for (const fact of named) {
    if (documentOf(fact) !== document) continue;
    pods.add(fact.about.startsWith('Pod/') ? fact.about : (entityOf(fact.about).parent ?? fact.about));
    if (pods.size > 1) return undefined;
  }
  return [...pods][0];
}

/** Which states of a pod an event goes with. */
const STATES: Readonly<Record<string, RegExp>> = {
  FailedScheduling: /^Pending$/,
  FailedMount: /^(?:ContainerCreating|Init:|PodInitializing|Pending)/,
  FailedAttachVolume: /^(?:ContainerCreating|Init:|PodInitializing|Pending)/,
  FailedCreatePodSandBox: /^(?:ContainerCreating|Init:|PodInitializing|Pending)/,
  NetworkNotReady: /^(?:ContainerCreating|Init:|PodInitializing|Pending)/,
  Evicted: /^(?:Evicted|Error|Failed)/,
  FailedKillPod: /^Terminating/,
};
// Reasons come from evidence; one called `constructor` must find nothing.
Object.setPrototypeOf(STATES, null);

function statesOf(facts: readonly Fact[]): RegExp | undefined {
  for (const fact of facts) {
    if (fact.kind !== 'pod.event') continue;
    const fixed = STATES[fact.reason];
    if (fixed) return fixed;
    if (/pull/i.test(fact.message) && (fact.reason === 'Failed' || fact.reason === 'BackOff')) return /ImagePull|InvalidImageName/;
    if (fact.reason === 'BackOff') return /CrashLoopBackOff|^Error$|OOMKilled|^Running$/;
  }
  return undefined;
}

/** The first pod in such a state, when all pods in it look like one workload's. */
function onlyFittingPod(facts: readonly Fact[], evidence: Evidence): EntityId | undefined {
  const states = statesOf(facts);
  if (!states) return undefined;
  const fitting = evidence.facts.filter((fact) => fact.kind === 'pod.status' && states.test(fact.status) && isNamed(fact.about));
  const first = fitting[0];
  if (!first) return undefined;
  const stem = stemOf(first.about);
  return fitting.every(({ about }) => stemOf(about) === stem) ? first.about : undefined;
}

/** The name without what controllers append to it. */
function stemOf(pod: EntityId): string {
  const { namespace, name } = entityOf(pod);
  return `${namespace}/${name.replace(/(?:-[a-z0-9]{6,10})?-[a-z0-9]{5}$|-\d+$/, '')}`;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
