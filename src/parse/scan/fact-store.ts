import type { Citation } from '../../model/citation.ts';
import type { EntityId } from '../../model/entity.ts';
import type { Fact, FactKind } from '../../model/facts.ts';

const MOST_CITATIONS = 16;

/** A fact while it is being collected; nothing outside this folder may change one. */
export type Growing<F> = { -readonly [K in keyof F]: F[K] } & { cited: Citation[] };
type AnyFact = Growing<{ kind: FactKind; about: EntityId; cited: readonly Citation[]; when?: number; hearsay?: boolean }>;

const HEAD_FIELDS: ReadonlySet<string> = new Set(['kind', 'about', 'cited', 'when', 'hearsay']);

/** Adds facts to a list; one that says the same about the same thing as an earlier one only brings its citation. */
export interface FactStore {
  add(fact: Fact): void;
}

/**
 * Facts are found again by a number made of their content, not by the content itself: with a million facts the keys would weigh more
 * than the facts.
 */
export function createFactStore(facts: Fact[]): FactStore {
  const known = new Map<number, AnyFact | AnyFact[]>();
  return {
    add(fact) {
      const fresh = fact as unknown as AnyFact;
      const content = contentOf(fresh);
      const key = numberOf(content);
      const there = known.get(key);
      const same = there && asList(there).find((one) => contentOf(one) === content);
      if (same) {
        merge(same, fresh);
        return;
      }
      known.set(key, there ? [...asList(there), fresh] : fresh);
      facts.push(fact);
    },
  };
}

function asList(entry: AnyFact | AnyFact[]): AnyFact[] {
  return Array.isArray(entry) ? entry : [entry];
}

function merge(into: AnyFact, from: AnyFact): void {
  for (const citation of from.cited) addCitation(into.cited, citation, MOST_CITATIONS);
  if (from.when !== undefined) into.when = Math.min(into.when ?? from.when, from.when);
  if (!from.hearsay) delete into.hearsay;
}

export function addCitation(list: Citation[], citation: Citation, most: number): void {
  if (list.length < most && !list.some((one) => isSamePlace(one, citation))) list.push(citation);
}

function isSamePlace(one: Citation, other: Citation): boolean {
  if (one === other) return true;
  return one.doc === other.doc && JSON.stringify(one.at) === JSON.stringify(other.at) && one.quote === other.quote;
}

/** Kind, entity and payload in one string, whatever the order in which the fields were written. */
function contentOf(fact: object): string {
  const fields = fact as Readonly<Record<string, unknown>>;
  let content = `${String(fields['kind'])}\u0000${String(fields['about'])}`;
  for (const name of Object.keys(fields).sort()) {
    const value = fields[name];
    if (value === undefined || HEAD_FIELDS.has(name)) continue;
    content += `\u0000${name}=${typeof value === 'object' ? JSON.stringify(value) : `${typeof value}:${String(value)}`}`;
  }
  return content;
}

/** 53 bits of two independent hashes. */
function numberOf(text: string): number {
  let low = 0x811c9dc5 | 0;
  let high = 0x2f0b4c47 | 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high + code, 0x85ebca6b) ^ (high >>> 13);
  }
  return (high & 0x1fffff) * 0x100000000 + (low >>> 0);
}
