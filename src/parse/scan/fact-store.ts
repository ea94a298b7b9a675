import type { Citation } from '../../model/citation.ts';
import type { EntityId } from '../../model/entity.ts';
import type { Fact, FactKind } from '../../model/facts.ts';

const MOST_CITATIONS = 16;
/** Up to here comparing one by one is cheaper than making keys. */
const SHORT_LIST = 16;

/** A fact while it is being collected; nothing outside this folder may change one. */
export type Growing<F> = { -readonly [K in keyof F]: F[K] } & { cited: Citation[] };
type AnyFact = Growing<{ kind: FactKind; about: EntityId; cited: readonly Citation[]; when?: number; hearsay?: boolean }>;
/** What is known about one thing: mostly a single fact. */
type Filed = AnyFact | AnyFact[] | Map<string, AnyFact>;
type Fields = Readonly<Record<string, unknown>>;

const HEAD_FIELDS: ReadonlySet<string> = new Set(['about', 'cited', 'when', 'hearsay']);

/** Adds facts to a list; one that says the same about the same thing as an earlier one only brings its citation. */
export interface FactStore {
  add(fact: Fact): void;
}

/** Most things have a handful of facts of different kinds, a node may have thousands: only the latter are filed by content. */
export function createFactStore(facts: Fact[]): FactStore {
  const known = new Map<EntityId, Filed>();

  function find(there: Filed, fact: AnyFact): AnyFact | undefined {
    if (Array.isArray(there)) return there.find((one) => saysSame(one, fact));
    if (there instanceof Map) return there.get(contentOf(fact));
    return saysSame(there, fact) ? there : undefined;
  }

  function file(there: Filed, fact: AnyFact): void {
    if (there instanceof Map) there.set(contentOf(fact), fact);
    else if (!Array.isArray(there)) known.set(fact.about, [there, fact]);
    else if (there.length < SHORT_LIST) there.push(fact);
    else known.set(fact.about, new Map([...there, fact].map((one) => [contentOf(one), one])));
  }

  return {
    add(fact) {
      const fresh = fact as unknown as AnyFact;
      const there = known.get(fresh.about);
      if (there === undefined) known.set(fresh.about, fresh);
      else {
        const same = find(there, fresh);
        if (same) {
          merge(same, fresh);
          return;
        }
        file(there, fresh);
      }
      facts.push(fact);
    },
  };
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
  return one.doc === other.doc && one.quote === other.quote && JSON.stringify(one.at) === JSON.stringify(other.at);
}

function saysSame(one: AnyFact, other: AnyFact): boolean {
  return one.kind === other.kind && contentOf(one) === contentOf(other);
}

/** Kind and payload in one string, whatever the order in which the fields were written. */
function contentOf(fact: object): string {
  const fields = fact as Fields;
  let content = '';
  for (const name of Object.keys(fields).sort()) {
    const value = fields[name];
    if (value !== undefined && !HEAD_FIELDS.has(name)) content += `${name}=${JSON.stringify(value)}\u0000`;
  }
  return content;
}
