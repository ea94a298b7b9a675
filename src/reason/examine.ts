import { CHANNELS_OF, SINGLE_VALUED } from '../facts/coverage.ts';
import type { FactBase } from '../facts/fact-base.ts';
import type { AnyClue, Cause } from '../model/cause.ts';
import type { Channel } from '../model/channel.ts';
import { type EntityId, entityOf, THIS_NODE, UNKNOWN } from '../model/entity.ts';
import { ABOUT, type Fact } from '../model/facts.ts';
import type { ClueState, Examined, Reading, Verdict } from '../model/finding.ts';
import { lineIdOf } from './lines.ts';
import type { Scope, SymptomFact } from './scope.ts';
import type { Woken } from './wake.ts';
import { weigh } from './weigh.ts';

const POD_CHANNELS: ReadonlySet<Channel> = new Set<Channel>([
  'pod-status',
  'pod-spec',
  'pod-events',
  'container-log',
  'workload',
  'objects',
  'object-events',
]);
const FACTS_KEPT = 40;

/** Reads every clue of a woken cause at its place, and weighs it for each victim. */
export function examine({ cause, place, by }: Woken, base: FactBase, scope: Scope): Examined {
  const symptoms = scope.symptoms(place).filter(({ symptom }) => cause.explains.includes(symptom));
  const victims = [...new Set(symptoms.map(({ about }) => about))];
  const whom = victims.length > 0 ? victims : by;
  try {
    return examineFor(cause, place, whom, symptoms, by, base, scope);
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { cause, place, symptoms: [], wokenBy: by, verdict: { kind: 'failed', readings: [], message } };
  }
}

function examineFor(
  cause: Cause,
  place: EntityId,
  whom: readonly EntityId[],
  symptoms: readonly SymptomFact[],
  wokenBy: readonly EntityId[],
  base: FactBase,
  scope: Scope,
): Examined {
  const entries = Object.entries(cause.clues);
  const around = entitiesAround(place, whom, base, scope);
  const itself = new Set([place, ...wokenBy]);
  const shared = new Map<string, readonly Fact[]>();
  for (const [name, clue] of entries) {
    const whose = isHint(clue) && isWider(place, cause) ? itself : around;
    if (clue.role !== 'excludes' || clue.everywhere) shared.set(name, factsFor(cause, name, clue, whose, base));
  }
  let best: Verdict | undefined;
  const refuted = new Set<EntityId>();
  for (const victim of whom) {
    // Without a symptom nobody is the victim: then whatever is in the place may refute.
    const own = symptoms.length === 0 ? around : entitiesOf(victim, place, base, scope);
    const readings = entries.map(([name, clue]) => {
      const facts = shared.get(name) ?? factsFor(cause, name, clue, own, base);
      return read(name, clue, facts, victim, place, base);
    });
    const verdict = weigh(lookedBesideTheProof(readings.map(withoutOthers(readings)), victim, base));
    if (verdict.kind === 'ruled-out') refuted.add(victim);
    if (best === undefined || rank(verdict) > rank(best) || (rank(verdict) === rank(best) && open(verdict) < open(best))) best = verdict;
  }
  return {
    cause,
    place,
    verdict: best ?? { kind: 'undecided', readings: [] },
    symptoms: symptoms.filter(({ about }) => !refuted.has(about)),
    wokenBy,
  };
}

/**
 * Of several objects of one kind one may be well and another not: a line about the one refutes nothing of the other.
 * Only where both are named is that known.
 */
function withoutOthers(readings: readonly Reading[]): (reading: Reading) => Reading {
  const told = readings.flatMap(({ clue, facts }) => (clue.role === 'excludes' ? [] : facts)).map(({ about }) => entityOf(about));
  const named = told.filter(({ kind, name }) => kind === 'Object' && name !== UNKNOWN);
  return (reading) => {
    if (reading.clue.role !== 'excludes' || !reading.clue.line || named.length === 0 || named.length < told.length) return reading;
    const facts = reading.facts.filter(({ about }) => {
      const { kind, type, name } = entityOf(about);
      return (
        kind !== 'Object' || name === UNKNOWN || named.some((one) => one.name === name || one.type?.toLowerCase() !== type?.toLowerCase())
      );
    });
    return facts.length > 0 || reading.facts.length === 0 ? reading : { ...reading, state: 'absent', facts };
  };
}

const WIDE: ReadonlySet<string> = new Set(['Node', 'Namespace', 'Cluster']);

/** The line that woke it names no pod: what some pod there is like says nothing about the one that is meant. */
function isWider(place: EntityId, { at }: Cause): boolean {
  return WIDE.has(entityOf(place).kind) && !WIDE.has(at);
}

function isHint({ role, line }: AnyClue): boolean {
  return role === 'supports' && line === undefined;
}

/** Of two equal verdicts the one that rests on more is shown. */
function open({ readings }: Verdict): number {
  return readings.filter(({ state }) => state === 'unseen').length;
}

function rank(verdict: Verdict): number {
  if (verdict.kind === 'found') return { certain: 5, probable: 4, possible: 3 }[verdict.confidence];
  return { undecided: 2, failed: 1, 'ruled-out': 0 }[verdict.kind];
}

/** The place and all in it, and what the victims run on. */
function entitiesAround(place: EntityId, whom: readonly EntityId[], base: FactBase, scope: Scope): ReadonlySet<EntityId> {
  const ids = new Set<EntityId>(scope.members(place));
  for (const victim of whom) for (const id of entitiesOf(victim, place, base, scope)) ids.add(id);
  return ids;
}

/** The victim, its containers, what it runs on and belongs to, and the place. */
function entitiesOf(victim: EntityId, place: EntityId, base: FactBase, scope: Scope): ReadonlySet<EntityId> {
  const ids = new Set<EntityId>([victim, place]);
  const entity = entityOf(victim);
  const pod = entity.kind === 'Container' ? entity.parent : entity.kind === 'Pod' ? victim : undefined;
  if (pod !== undefined) {
    ids.add(pod);
    for (const container of scope.containers(pod)) ids.add(container);
    ids.add(base.topology.workloadOf(pod));
  }
  for (const kind of ['Node', 'Namespace', 'Cluster'] as const) {
    const above = base.topology.placeOf(victim, kind);
    if (above !== undefined) ids.add(above);
  }
  return ids;
}

function factsFor(cause: Cause, name: string, clue: AnyClue, ids: ReadonlySet<EntityId>, base: FactBase): readonly Fact[] {
  const about = ABOUT[clue.from as keyof typeof ABOUT];
  const lineId = clue.line ? lineIdOf(cause, name) : undefined;
  const found: Fact[] = [];
  for (const id of ids) {
    if (about !== 'any' && !id.startsWith(`${about}/`)) continue;
    for (const fact of base.of(clue.from, id)) {
      if (lineId !== undefined && (fact as Fact<'log.signature'>).line !== lineId) continue;
      if (!clue.match(fact)) continue;
      found.push(fact);
      if (found.length >= FACTS_KEPT) return found;
    }
  }
  return found;
}

function read(name: string, clue: AnyClue, facts: readonly Fact[], victim: EntityId, place: EntityId, base: FactBase): Reading {
  const about = whomToAsk(clue, victim, place, base);
  if (facts.length > 0) return { name, clue, state: 'seen', facts, looked: [], about };
  const { state, looked } = lookedFor(clue, victim, about, base);
  return { name, clue, state, facts: [], looked, about };
}

/** An excerpt that holds the proof was looked at: what would refute it stands in the same source or is not there. */
function lookedBesideTheProof(readings: readonly Reading[], victim: EntityId, base: FactBase): readonly Reading[] {
  const proofs = readings.filter(({ clue, state }) => clue.role === 'proves' && state === 'seen');
  if (proofs.length === 0) return readings;
  const documents = new Set(proofs.flatMap(({ facts }) => facts.flatMap(({ cited }) => cited.map(({ doc }) => doc))));
  return readings.map((reading) => {
    if (reading.clue.role !== 'excludes' || reading.state !== 'unseen') return reading;
    const looked = channelsOf(reading.clue).flatMap((channel) => [
      ...base.coverage.places(channel, reading.about),
      ...base.coverage.places(channel, victim),
    ]);
    const beside = looked.filter((place) => documents.has(place.replace(/:\d+-\d+$/, '')));
    return beside.length > 0 ? { ...reading, state: 'absent', looked: beside } : reading;
  });
}

function channelsOf(clue: AnyClue): readonly Channel[] {
  return clue.line ? clue.line.channels : CHANNELS_OF[clue.from as keyof typeof CHANNELS_OF];
}

/** Host evidence is asked of the node, pod evidence of the victim. */
function whomToAsk(clue: AnyClue, victim: EntityId, place: EntityId, base: FactBase): EntityId {
  const channel = channelsOf(clue)[0];
  if (channel !== undefined && POD_CHANNELS.has(channel)) return victim;
  if (entityOf(place).kind === 'Node') return place;
  return base.topology.placeOf(victim, 'Node') ?? base.identity.resolve(THIS_NODE);
}

function lookedFor(clue: AnyClue, victim: EntityId, about: EntityId, base: FactBase): { state: ClueState; looked: readonly string[] } {
  const channels = channelsOf(clue);
  const surest = channels[0];
  if (surest === undefined) return { state: 'absent', looked: [] };
  const kind = clue.from as keyof typeof ABOUT;
  if (SINGLE_VALUED.has(kind)) {
    const others = [...base.of(kind, about), ...base.of(kind, victim)];
    if (others.length > 0) return { state: 'absent', looked: others.flatMap(({ cited }) => cited.map(({ doc }) => doc)).slice(0, 2) };
  }
  // A pod whose status is shown without a symptom has none, however little else was listed.
  if ((kind === 'pod.symptom' || kind === 'pod.history' || kind === 'pod.completed') && base.of('pod.status', victim).length > 0)
    return {
      state: 'absent',
      looked: base
        .of('pod.status', victim)
        .flatMap(({ cited }) => cited.map(({ doc }) => doc))
        .slice(0, 2),
    };
  // A listing shows of the conditions only whether the node is ready, in its column STATUS.
  const listed = kind === 'node.condition' ? base.of('node.status', about).filter(({ status }) => !/^Ready(?:,|$)/.test(status)) : [];
  if (listed.length > 0 && clue.match({ kind: 'node.condition', about, cited: [], type: 'Ready', status: 'True' }))
    return { state: 'absent', looked: listed.flatMap(({ cited }) => cited.map(({ doc }) => doc)).slice(0, 2) };
  const extent = base.coverage.extent(surest, about);
  if (extent === 'whole') return { state: 'absent', looked: base.coverage.places(surest, about) };
  return { state: 'unseen', looked: [] };
}
