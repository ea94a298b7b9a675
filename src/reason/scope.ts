import type { FactBase } from '../facts/fact-base.ts';
import { CLUSTER, type EntityId, type EntityKind, entityOf } from '../model/entity.ts';
import type { Fact } from '../model/facts.ts';

export type SymptomFact = Fact<'pod.symptom' | 'node.symptom' | 'object.symptom'>;

/** Who belongs to a place, and which symptoms show there: built once per kind of place, by key. */
export interface Scope {
  /** Notable entities inside a place, the place itself first. */
  members(place: EntityId): readonly EntityId[];
  symptoms(place: EntityId): readonly SymptomFact[];
  /** Containers with facts, of a pod. */
  containers(pod: EntityId): readonly EntityId[];
  /** Pods without trouble of a workload that has others in trouble. */
  wellSiblings(workload: EntityId): readonly EntityId[];
}

const PLAIN = new Set(['pod.status', 'pod.history', 'pod.completed']);

export function createScope(base: FactBase): Scope {
  const notable = new Set<EntityId>();
  for (const fact of base.facts()) if (!PLAIN.has(fact.kind)) notable.add(fact.about);
  const memberIndex = new Map<EntityKind, Map<EntityId, EntityId[]>>();
  let wellIndex: Map<EntityId, EntityId[]> | undefined;
  const symptomIndex = new Map<EntityKind, Map<EntityId, SymptomFact[]>>();
  const containersOf = new Map<EntityId, EntityId[]>();
  for (const id of notable) {
    const { kind, parent } = entityOf(id);
    if (kind === 'Container' && parent !== undefined) push(containersOf, parent, id);
  }
  const allSymptoms: SymptomFact[] = [...base.all('pod.symptom'), ...base.all('node.symptom'), ...base.all('object.symptom')];

  function membersByKind(kind: EntityKind): Map<EntityId, EntityId[]> {
    const known = memberIndex.get(kind);
    if (known) return known;
    const index = new Map<EntityId, EntityId[]>();
    for (const id of notable) {
      const place = base.topology.placeOf(id, kind);
      if (place !== undefined && place !== id) push(index, place, id);
    }
    memberIndex.set(kind, index);
    return index;
  }

  function symptomsByKind(kind: EntityKind): Map<EntityId, SymptomFact[]> {
    const known = symptomIndex.get(kind);
    if (known) return known;
    const index = new Map<EntityId, SymptomFact[]>();
    for (const symptom of allSymptoms) {
      const container = symptom.container;
      const place = base.topology.placeOf(symptom.about, kind, container);
      if (place !== undefined) push(index, place, symptom);
    }
    symptomIndex.set(kind, index);
    return index;
  }

  return {
    members(place) {
      const { kind } = entityOf(place);
      if (place === CLUSTER) return [place, ...notable];
      return [place, ...(membersByKind(kind).get(place) ?? [])];
    },
    symptoms(place) {
      const { kind } = entityOf(place);
      const index = symptomsByKind(kind);
      const own = index.get(place) ?? [];
      if (kind !== 'Container' && kind !== 'WorkloadContainer') return own;
      // A listing shows the pod's trouble without naming the container.
      const unnamed = place.replace(/[^/]*$/, '?');
      return unnamed === place ? own : [...own, ...(index.get(unnamed) ?? [])];
    },
    containers: (pod) => containersOf.get(pod) ?? [],
    wellSiblings(workload) {
      wellIndex ??= wellByWorkload(base);
      return wellIndex.get(workload) ?? [];
    },
  };
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}

/** One pass over all pods, kept for the workloads in trouble only: a large cluster is mostly well. */
function wellByWorkload(base: FactBase): Map<EntityId, EntityId[]> {
  const troubled = new Set(base.all('pod.symptom').map(({ about }) => about));
  const workloads = new Set([...troubled].map((pod) => base.topology.workloadOf(pod)));
  const index = new Map<EntityId, EntityId[]>();
  for (const { about, status, readyContainers, containers } of base.all('pod.status')) {
    if (status !== 'Running' || readyContainers === undefined || readyContainers !== containers || troubled.has(about)) continue;
    const workload = base.topology.workloadOf(about);
    if (workloads.has(workload)) push(index, workload, about);
  }
  return index;
}
