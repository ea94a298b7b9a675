import type { FactBase } from '../facts/fact-base.ts';
import type { Cause, Trigger } from '../model/cause.ts';
import type { EntityId } from '../model/entity.ts';
import type { Fact } from '../model/facts.ts';
import { lineHeads, lineIdOf } from './lines.ts';

export interface Woken {
  readonly cause: Cause;
  readonly place: EntityId;
  readonly by: EntityId[];
}

interface Filed extends Pick<Trigger, 'where' | 'named'> {
  readonly cause: Cause;
}

/** One pass over the facts; a fact that wakes nobody costs a map miss. */
export function wake(causes: readonly Cause[], base: FactBase): Woken[] {
  const filed = fileCauses(causes);
  const woken = new Map<string, Woken>();
  for (const fact of base.facts()) {
    const key = fact.kind === 'log.signature' ? lineKey(fact as Fact<'log.signature'>) : fact.kind;
    for (const { cause, where, named } of filed.get(key) ?? []) {
      if (!matches(fact, where) || (named !== undefined && !fact.about.includes(named))) continue;
      const place = placeOf(cause, fact, base);
      const id = `${cause.id}@${place}`;
      const known = woken.get(id);
      if (!known) woken.set(id, { cause, place, by: [fact.about] });
      else if (known.by.length < 50 && !known.by.includes(fact.about)) known.by.push(fact.about);
    }
  }
  return foldNameless([...woken.values()]);
}

/** A line that names the pod but not the container speaks of the one container the same cause was woken for. */
function foldNameless(woken: readonly Woken[]): Woken[] {
  if (!woken.some(({ place }) => place.endsWith('/?'))) return [...woken];
  const named = new Map<string, Woken[]>();
  for (const one of woken) {
    if (one.place.endsWith('/?')) continue;
    const key = `${one.cause.id}@${one.place.slice(0, one.place.lastIndexOf('/'))}`;
    const siblings = named.get(key);
    if (siblings) siblings.push(one);
    else named.set(key, [one]);
  }
  return woken.filter((one) => {
    if (!one.place.endsWith('/?') || !/^(?:Workload)?Container\//.test(one.place)) return true;
    const siblings = named.get(`${one.cause.id}@${one.place.slice(0, -2)}`) ?? [];
    const only = siblings.length === 1 ? siblings[0] : undefined;
    only?.by.push(...one.by);
    return only === undefined;
  });
}

function fileCauses(causes: readonly Cause[]): Map<string, Filed[]> {
  const filed = new Map<string, Filed[]>();
  function file(key: string, entry: Filed): void {
    const entries = filed.get(key);
    if (entries) entries.push(entry);
    else filed.set(key, [entry]);
  }
  for (const cause of causes) {
    for (const { kind, ...trigger } of cause.wakesOn ?? []) file(kind, { cause, ...trigger });
    for (const { clue, role } of lineHeads(cause)) if (role !== 'excludes') file(`line|${lineIdOf(cause, clue)}`, { cause, where: {} });
  }
  return filed;
}

function lineKey(fact: Fact<'log.signature'>): string {
  return `line|${fact.line}`;
}

function matches(fact: Fact, where: Trigger['where']): boolean {
  for (const field in where) {
    if ((fact as unknown as Record<string, unknown>)[field] !== where[field]) return false;
  }
  return true;
}

/** The entity of the cause's own kind above the fact; where the evidence names none, the fact's own entity. */
function placeOf(cause: Cause, fact: Fact, base: FactBase): EntityId {
  const container = 'container' in fact && typeof fact.container === 'string' ? fact.container : undefined;
  return base.topology.placeOf(fact.about, cause.at, container) ?? fact.about;
}
