import type { FactBase } from '../facts/fact-base.ts';
import { type EntityId, entityOf } from '../model/entity.ts';
import type { Examined } from '../model/finding.ts';
import type { Confidence } from '../model/report.ts';
import { isOver } from './over.ts';
import { isReadyNode } from './ready-node.ts';
import type { SymptomFact } from './scope.ts';

/** Symptoms with one root, the links between, and what else would explain them. */
export interface Group {
  readonly root: Examined;
  /** Effects of the root that claimed symptoms, nearest to the root first. */
  readonly chain: readonly Examined[];
  readonly symptoms: readonly { readonly symptom: SymptomFact; readonly through: Examined }[];
  readonly rivals: readonly Examined[];
}

export interface Correlated {
  readonly groups: readonly Group[];
  readonly unexplained: readonly SymptomFact[];
  /** Proved once by a log, and over: the node is well and has been quiet since. */
  readonly over: readonly Examined[];
}

interface Claim {
  readonly finding: Examined;
  readonly root: Examined;
  readonly path: readonly Examined[];
}

/** Claim, climb, group by root: only a declared `effectOf` joins two findings, never mere neighbourhood. */
export function correlate(examined: readonly Examined[], symptoms: readonly SymptomFact[], base: FactBase): Correlated {
  const found = withoutStrays(examined.filter(({ verdict }) => verdict.kind === 'found'));
  const byPlace = new Map(found.map((finding) => [`${finding.cause.id}@${finding.place}`, finding]));
  const claims = claimSymptoms(found, byPlace, base);
  const groups = new Map<Examined, { symptoms: Group['symptoms'][number][]; chain: Set<Examined>; rivals: Set<Examined> }>();
  function groupOf(root: Examined) {
    const known = groups.get(root);
    if (known) return known;
    const fresh = { symptoms: [], chain: new Set<Examined>(), rivals: new Set<Examined>() };
    groups.set(root, fresh);
    return fresh;
  }

  const explainedPods = new Set<EntityId>();
  const left: SymptomFact[] = [];
  for (const symptom of symptoms) {
    const own = claims.get(symptom);
    const best = own?.[0];
    if (!own || !best) {
      left.push(symptom);
      continue;
    }
    explainedPods.add(symptom.about);
    const group = groupOf(best.root);
    group.symptoms.push({ symptom, through: best.finding });
    for (const link of best.path) group.chain.add(link);
    for (const other of own) if (other.root !== best.root) group.rivals.add(other.root);
  }
  const over = found.filter((finding) => finding.symptoms.length === 0 && !groups.has(finding) && isOver(finding, base));
  const lasting = found.filter((finding) => !over.includes(finding));
  addFindingsWithoutSymptoms(lasting, byPlace, base, groups, groupOf);
  return {
    groups: [...groups].map(([root, group]) => ({
      root,
      symptoms: group.symptoms,
      chain: [...group.chain],
      rivals: rivalsOf(root, group.rivals, groups),
    })),
    // Another symptom of a pod whose trouble is explained needs no second explanation.
    unexplained: left.filter(({ about }) => !explainedPods.has(about)),
    over,
  };
}

/** A cause found where it belongs needs no second finding at the place of a line that named nobody. */
function withoutStrays(found: readonly Examined[]): Examined[] {
  const placed = new Set(found.filter(isPlaced).map(({ cause }) => cause.id));
  return found.filter((finding) => isPlaced(finding) || !placed.has(finding.cause.id));
}

function isPlaced({ cause, place }: Examined): boolean {
  return entityOf(place).kind === cause.at;
}

function claimSymptoms(found: readonly Examined[], byPlace: ReadonlyMap<string, Examined>, base: FactBase): Map<SymptomFact, Claim[]> {
  const claims = new Map<SymptomFact, Claim[]>();
  for (const finding of found) {
    for (const symptom of finding.symptoms) {
      const path = climbToRoot(finding, symptom.about, byPlace, base);
      const root = path.at(-1) ?? finding;
      const claim = { finding, root, path: [finding, ...path].filter((link) => link !== root) };
      const known = claims.get(symptom);
      if (known) known.push(claim);
      else claims.set(symptom, [claim]);
    }
  }
  for (const [symptom, own] of claims) claims.set(symptom, behindReasons(own));
  for (const own of claims.values())
    own.sort((a, b) => strength(b.root) - strength(a.root) || b.path.length - a.path.length || breadth(b.root) - breadth(a.root));
  return claims;
}

/** Who only says that something failed stands behind whoever says why, of the same symptom. */
function behindReasons(own: readonly Claim[]): Claim[] {
  const reasons = own.filter(({ finding, root }) => !finding.cause.restates && !root.cause.restates);
  return own.map((claim) => {
    if (!claim.root.cause.restates) return claim;
    const reason = strongest(reasons.map(({ root }) => root).filter((root) => isSureEnough(root, claim.root)));
    return reason ? { finding: claim.finding, root: reason, path: [...claim.path, claim.root] } : claim;
  });
}

function strongest(findings: readonly Examined[]): Examined | undefined {
  return [...findings].sort((a, b) => strength(b) - strength(a))[0];
}

/** Follows `effectOf` from a finding about a victim; an effect never starts before its cause when both times are known. */
function climbToRoot(finding: Examined, victim: EntityId, byPlace: ReadonlyMap<string, Examined>, base: FactBase): Examined[] {
  const path: Examined[] = [];
  const visited = new Set<Examined>([finding]);
  let current = finding;
  for (;;) {
    const next = upstreamOf(current, victim, byPlace, base);
    if (!next || visited.has(next)) return path;
    visited.add(next);
    path.push(next);
    current = next;
  }
}

/** A mere possibility does not become the root of something certain. */
function isSureEnough(upstream: Examined, effect: Examined): boolean {
  return sureness(upstream) >= sureness(effect) - 1;
}

function sureness({ verdict }: Examined): number {
  return verdict.kind === 'found' ? CONFIDENCE[verdict.confidence] : 0;
}

function upstreamOf(finding: Examined, victim: EntityId, byPlace: ReadonlyMap<string, Examined>, base: FactBase): Examined | undefined {
  let best: Examined | undefined;
  for (const id of finding.cause.effectOf ?? []) {
    for (const kind of ['Pod', 'WorkloadContainer', 'Container', 'Workload', 'Node', 'Namespace', 'Cluster'] as const) {
      const place = base.topology.placeOf(victim, kind);
      const candidate = place === undefined ? undefined : byPlace.get(`${id}@${place}`);
      if (candidate && isSureEnough(candidate, finding) && (!best || strength(candidate) > strength(best))) best = candidate;
    }
    for (const here of foundAround(id, finding, byPlace))
      if (isSureEnough(here, finding) && (!best || strength(here) > strength(best))) best = here;
  }
  return best;
}

/** At the same place; of an effect on the whole cluster, anywhere in it. */
function foundAround(id: string, { place }: Examined, byPlace: ReadonlyMap<string, Examined>): readonly Examined[] {
  if (entityOf(place).kind === 'Cluster') return [...byPlace.values()].filter(({ cause }) => cause.id === id);
  const here = byPlace.get(`${id}@${place}`);
  return here ? [here] : [];
}

/** A fault may be proved where no pod is shown at all: a kubelet that does not start, a pasted line. */
function addFindingsWithoutSymptoms(
  found: readonly Examined[],
  byPlace: ReadonlyMap<string, Examined>,
  base: FactBase,
  groups: ReadonlyMap<Examined, { chain: Set<Examined>; rivals: Set<Examined> }>,
  groupOf: (root: Examined) => { chain: Set<Examined> },
): void {
  const allPodsWell = base.all('pod.status').length > 0 && base.all('pod.symptom').length === 0;
  for (const finding of found) {
    if (finding.symptoms.length > 0 || groups.has(finding)) continue;
    if (finding.wokenBy.length > 0 && finding.wokenBy.every((id) => isWell(id, base))) continue;
    // A hint without a symptom is nothing where pods are shown and all of them are well.
    if (!isProved(finding) && (isReadyNode(finding.place, base) || allPodsWell)) continue;
    const victim = finding.wokenBy[0] ?? finding.place;
    const climbed = climbToRoot(finding, victim, byPlace, base);
    const reason = (climbed.at(-1) ?? finding).cause.restates ? reasonAt(victim, finding, found, base) : undefined;
    const path = reason ? [...climbed, reason, ...climbToRoot(reason, victim, byPlace, base)] : climbed;
    const root = path.at(-1) ?? finding;
    const group = groupOf(root);
    for (const link of [finding, ...path]) if (link !== root) group.chain.add(link);
  }
}

/** What says why something failed, found at the same pod, container or workload. */
function reasonAt(victim: EntityId, restating: Examined, found: readonly Examined[], base: FactBase): Examined | undefined {
  const places = new Set(OWN_PLACES.map((kind) => base.topology.placeOf(victim, kind)));
  return strongest(
    found.filter(
      (one) =>
        !one.cause.restates &&
        places.has(one.place) &&
        isSureEnough(one, restating) &&
        one.cause.explains.some((symptom) => restating.cause.explains.includes(symptom)) &&
        !one.cause.effectOf?.includes(restating.cause.id),
    ),
  );
}

function rivalsOf(root: Examined, rivals: ReadonlySet<Examined>, groups: ReadonlyMap<Examined, unknown>): Examined[] {
  return [...rivals].filter((rival) => rival !== root && !groups.has(rival)).sort((a, b) => strength(b) - strength(a));
}

const CONFIDENCE: Readonly<Record<Confidence, number>> = { certain: 3, probable: 2, possible: 1 };

/** How sure first; then how many clues carry it. */
export function strength({ verdict }: Examined): number {
  if (verdict.kind !== 'found') return 0;
  const seen = verdict.readings.filter(({ state, clue }) => state === 'seen' && clue.role !== 'excludes');
  const proofs = seen.filter(({ clue }) => clue.role === 'proves').length;
  return CONFIDENCE[verdict.confidence] * 100 + Math.min(proofs, 4) * 10 + Math.min(seen.length, 9);
}

function breadth({ symptoms, place }: Examined): number {
  return symptoms.length + (entityOf(place).kind === 'Node' ? 0.5 : 0);
}

function isProved({ verdict }: Examined): boolean {
  return verdict.readings.some(({ clue, state }) => clue.role === 'proves' && state === 'seen');
}

const OWN_PLACES = ['Pod', 'WorkloadContainer', 'Container', 'Workload'] as const;

/** A pod seen Running and ready, without any trouble: what its events tell is over. */
function isWell(id: EntityId, base: FactBase): boolean {
  const pod = base.topology.climb(id, 'Pod');
  if (pod === undefined || base.of('pod.symptom', pod).length > 0) return false;
  const statuses = base.of('pod.status', pod);
  return (
    statuses.length > 0 &&
    statuses.every(
      ({ status, readyContainers, containers }) => status === 'Completed' || (status === 'Running' && readyContainers === containers),
    )
  );
}
