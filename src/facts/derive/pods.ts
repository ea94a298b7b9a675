import { type EntityId, entityOf } from '../../model/entity.ts';
import type { Fact, FactKind } from '../../model/facts.ts';
import type { FactBase } from '../fact-base.ts';

/** Pods that have anything beyond a plain healthy status, with their containers. */
export function* notablePods(base: FactBase): Iterable<{ pod: EntityId; containers: readonly EntityId[] }> {
  const containers = new Map<EntityId, EntityId[]>();
  for (const id of base.entities()) {
    if (id.startsWith('Pod/')) {
      if (!containers.has(id)) containers.set(id, []);
    } else if (id.startsWith('Container/')) {
      const pod = entityOf(id).parent;
      if (pod === undefined) continue;
      const known = containers.get(pod);
      if (known) known.push(id);
      else containers.set(pod, [id]);
    }
  }
  for (const [pod, own] of containers) yield { pod, containers: own };
}

export function citedOf(facts: readonly Fact[], limit = 4) {
  return facts.flatMap(({ cited }) => cited).slice(0, limit);
}

export function factsOf<K extends FactKind>(base: FactBase, kind: K, ids: readonly EntityId[]): Fact<K>[] {
  return ids.flatMap((id) => base.of(kind, id) as Fact<K>[]);
}
