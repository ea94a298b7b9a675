import type { EntityId } from '../model/entity.ts';
import type { Evidence } from '../model/evidence.ts';
import type { Fact, FactKind } from '../model/facts.ts';
import { type CoverageIndex, createCoverage } from './coverage.ts';
import { createIdentity, type Identity } from './identity.ts';
import { adoptNameless } from './nameless.ts';
import { overcomeFacts } from './overcome.ts';
import { createTopology, type Topology } from './topology.ts';

/** All facts, resolved and indexed; the only thing the reasoning looks at. */
export interface FactBase {
  readonly topology: Topology;
  readonly coverage: CoverageIndex;
  readonly identity: Identity;
  of<K extends FactKind>(kind: K, about: EntityId): readonly Fact<K>[];
  all<K extends FactKind>(kind: K): readonly Fact<K>[];
  facts(): Iterable<Fact>;
  /** Entities with facts, in order of first mention. */
  entities(): Iterable<EntityId>;
  add(fact: Fact): void;
  /** Counted look-ups, for the linearity bench. */
  readonly lookups: { count: number };
  readonly size: number;
}

/** Most entities have one fact: a healthy pod its status. */
type Filed = Fact | Fact[];

export function createFactBase(evidence: Evidence): FactBase {
  const identity = createIdentity(evidence);
  const topology = createTopology(evidence.edges, identity);
  const coverage = createCoverage(evidence.coverage, identity, topology);
  const byEntity = new Map<EntityId, Filed>();
  const byKind = new Map<FactKind, Fact[]>();
  const lookups = { count: 0 };
  let size = 0;

  function add(fact: Fact): void {
    const facts = byEntity.get(fact.about);
    if (facts === undefined) byEntity.set(fact.about, fact);
    else if (Array.isArray(facts)) facts.push(fact);
    else byEntity.set(fact.about, [facts, fact]);
    const same = byKind.get(fact.kind);
    if (same) same.push(fact);
    else byKind.set(fact.kind, [fact]);
    size++;
  }

  const adopted = adoptNameless(evidence);
  const overcome = overcomeFacts(evidence);
  const firstHand = evidence.facts.some(
    ({ kind, hearsay }) => !hearsay && (kind === 'pod.status' || kind === 'pod.event' || kind === 'container.waiting'),
  );
  for (const fact of evidence.facts) {
    if (overcome.has(fact)) continue;
    const about = identity.resolve(adopted.get(fact) ?? fact.about);
    if (firstHand && fact.hearsay && isNamelessTrouble(fact.kind, about)) continue;
    add(about === fact.about ? fact : ({ ...fact, about } as Fact));
  }
  mergeEqualFacts(byEntity, byKind);

  return {
    topology,
    coverage,
    identity,
    add,
    lookups,
    of<K extends FactKind>(kind: K, about: EntityId) {
      lookups.count++;
      const facts = byEntity.get(about);
      if (facts === undefined) return [];
      if (!Array.isArray(facts)) return facts.kind === kind ? [facts as Fact<K>] : [];
      return facts.filter((fact): fact is Fact<K> => fact.kind === kind);
    },
    all<K extends FactKind>(kind: K) {
      return (byKind.get(kind) ?? []) as unknown as readonly Fact<K>[];
    },
    facts: () => ([] as Fact[]).concat(...byKind.values()),
    entities: () => byEntity.keys(),
    get size() {
      return size;
    },
  };
}

/** Talk of some pod adds nothing where the evidence shows the pods themselves. */
function isNamelessTrouble(kind: FactKind, about: EntityId): boolean {
  return (kind === 'pod.symptom' || kind === 'pod.event') && about.startsWith('Pod/?/');
}

const CITATIONS_KEPT = 16;

/** The same statement from two pieces (a table and a describe) is one fact with two citations. */
function mergeEqualFacts(byEntity: Map<EntityId, Filed>, byKind: Map<FactKind, Fact[]>): void {
  const replacedBy = new Map<Fact, Fact | undefined>();
  for (const [about, facts] of byEntity) {
    if (!Array.isArray(facts)) continue;
    const groups = new Map<string, Fact[]>();
    for (const fact of facts) {
      const key = payloadKey(fact);
      const group = groups.get(key);
      if (group) group.push(fact);
      else groups.set(key, [fact]);
    }
    if (groups.size === facts.length) continue;
    byEntity.set(
      about,
      [...groups.values()].map((group) => mergeGroup(group, replacedBy)),
    );
  }
  if (replacedBy.size === 0) return;
  for (const [kind, facts] of byKind) {
    byKind.set(
      kind,
      facts.flatMap((fact) => (replacedBy.has(fact) ? (replacedBy.get(fact) ?? []) : fact)),
    );
  }
}

function mergeGroup(group: readonly Fact[], replacedBy: Map<Fact, Fact | undefined>): Fact {
  const first = group[0] as Fact;
  if (group.length === 1) return first;
  const merged = { ...first, cited: group.flatMap(({ cited }) => cited).slice(0, CITATIONS_KEPT) } as Fact;
  for (const fact of group) replacedBy.set(fact, fact === first ? merged : undefined);
  return merged;
}

function payloadKey(fact: Fact): string {
  const { cited: _cited, when: _when, about: _about, ...payload } = fact as Fact & Record<string, unknown>;
  return JSON.stringify(payload);
}
