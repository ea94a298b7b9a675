import type { Fact } from '../../model/facts.ts';
import type { Saying } from '../../model/reading.ts';
import { addCitation, type Growing } from './fact-store.ts';
import type { LineHit } from './scanner.ts';

const MOST_CITATIONS = 8;
/** Forms of one line (other fields) about one thing; what a program repeats with ever new values stops here. */
export const MOST_FORMS = 256;

export type SignatureFact = Growing<Fact<'log.signature'>>;

/** Known lines that were seen, one fact per line, entity, channel and fields. */
export interface SignatureStore {
  take(saying: Saying, hit: LineHit): SignatureFact | undefined;
  again(fact: SignatureFact, times: number, when: number | undefined): void;
  readonly dropped: number;
}

export function createSignatureStore(facts: Fact[]): SignatureStore {
  /** By line, entity and channel, then by fields. */
  const known = new Map<string, Map<string, SignatureFact>>();
  let dropped = 0;

  function take(saying: Saying, { spec, fields }: LineHit): SignatureFact | undefined {
    const place = [spec.id, saying.about, saying.channel, saying.hearsay ? 'hearsay' : '', programOf(saying) ?? ''].join('\u0000');
    const forms = known.get(place) ?? new Map<string, SignatureFact>();
    if (forms.size === 0) known.set(place, forms);
    const form = formOf(fields);
    const there = forms.get(form);
    if (there) {
      again(there, timesOf(saying), saying.when);
      addCitation(there.cited, saying.cited, MOST_CITATIONS);
      return there;
    }
    if (forms.size >= MOST_FORMS) {
      dropped++;
      return undefined;
    }
    const fact = newFact(saying, spec.id, fields);
    forms.set(form, fact);
    facts.push(fact as Fact);
    return fact;
  }

  return {
    take,
    again,
    get dropped() {
      return dropped;
    },
  };
}

function again(fact: SignatureFact, times: number, when: number | undefined): void {
  fact.count += times;
  if (when === undefined) return;
  fact.first = Math.min(fact.first ?? when, when);
  fact.last = Math.max(fact.last ?? when, when);
  fact.when = fact.first;
}

function newFact(saying: Saying, line: string, fields: Readonly<Record<string, string>>): SignatureFact {
  const { about, channel, cited, when, hearsay } = saying;
  const by = programOf(saying);
  return {
    kind: 'log.signature',
    about,
    cited: [cited],
    ...(when !== undefined ? { when, first: when, last: when } : {}),
    ...(hearsay ? { hearsay } : {}),
    line,
    channel,
    ...(by === undefined ? {} : { by }),
    fields,
    count: timesOf(saying),
  };
}

/** Of a container its entity tells who speaks. */
function programOf({ about, channel, component }: Saying): string | undefined {
  return about.startsWith('Node/') && (channel === 'control-plane-log' || channel === 'system-log') ? component : undefined;
}

function timesOf(saying: Saying): number {
  return saying.count ?? 1;
}

function formOf(fields: Readonly<Record<string, string>>): string {
  const names = Object.keys(fields);
  return names.length === 0
    ? ''
    : names
        .sort()
        .map((name) => `${name}=${fields[name]}`)
        .join('\u0000');
}
