import type { Citation } from '../../../model/citation.ts';
import type { EntityId } from '../../../model/entity.ts';
import type { Sink } from '../../../model/evidence.ts';
import type { FactKinds } from '../../../model/facts.ts';

/** What earlier lines of the same log said, where a fact needs more than one. */
export interface LineMemory {
  /** The last state of each unit of each node. */
  readonly units: Map<string, UnitMemory>;
  /** Process whose kill was told already with its cgroup; `next` when the process is named only by the next line. */
  killed?: string;
}

export interface UnitMemory {
  readonly about: EntityId;
  readonly payload: FactKinds['unit.state'];
  readonly cited: Citation;
  readonly when?: number;
}

export function createMemory(): LineMemory {
  return { units: new Map() };
}

/** Tells at the end of a log how it left each unit: states in between are over. */
export function settle(memory: LineMemory, sink: Pick<Sink, 'fact'>): void {
  for (const { about, payload, cited, when } of memory.units.values()) {
    sink.fact('unit.state', about, payload, cited, when === undefined ? {} : { when });
  }
  memory.units.clear();
}
