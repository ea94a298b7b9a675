import type { Channel } from '../../model/channel.ts';
import type { Fact } from '../../model/facts.ts';
import type { Saying } from '../../model/reading.ts';
import { type ReadError, readError } from './errors.ts';
import { addCitation, type Growing } from './fact-store.ts';
import { isNoise } from './noise.ts';

export const MOST_ERRORS = 500;
const MOST_CITATIONS = 8;

export type ErrorFact = Growing<Fact<'log.error'>>;

/** Keeps the errors that were said, merged; of too many the least severe give way. */
export interface ErrorStore {
  take(saying: Saying): ErrorFact | undefined;
  /** Errors that found no room or had to give way. */
  readonly dropped: number;
}

interface Entry {
  readonly key: string;
  readonly fact: ErrorFact;
  /** Where in the list of facts it stands. */
  readonly index: number;
  rank: number;
}

const SEVERITY: Readonly<Record<ReadError['level'], number>> = { fatal: 2, error: 1, warning: 0 };

const SPEAKERS: Partial<Readonly<Record<Channel, string>>> = {
  'kubelet-log': 'kubelet',
  'containerd-log': 'containerd',
  'docker-log': 'dockerd',
  'crio-log': 'crio',
  'kernel-log': 'kernel',
  'system-log': 'systemd',
  'unit-state': 'systemd',
  'kubeadm-output': 'kubeadm',
  'control-plane-log': 'control plane',
  'container-log': 'container',
  // A line that nobody could place: who said it is not known.
  prose: '?',
};

export function createErrorStore(facts: Fact[]): ErrorStore {
  const entries = new Map<string, Entry>();
  /** By rank; an entry that rose in rank stays listed under the old one and is passed over there. */
  const byRank: Entry[][] = [[], [], [], [], [], []];
  let dropped = 0;

  function place(entry: Entry): void {
    facts[entry.index] = entry.fact as Fact;
    entries.set(entry.key, entry);
    byRank[entry.rank]?.push(entry);
  }

  function makeRoom(rank: number): number | undefined {
    if (entries.size < MOST_ERRORS) return facts.length;
    dropped++;
    for (let lower = 0; lower < rank; lower++) {
      for (let entry = byRank[lower]?.pop(); entry; entry = byRank[lower]?.pop()) {
        if (entry.rank !== lower) continue;
        entries.delete(entry.key);
        return entry.index;
      }
    }
    return undefined;
  }

  function take(saying: Saying): ErrorFact | undefined {
    const error = errorIn(saying);
    if (!error) return undefined;
    const component = saying.component ?? SPEAKERS[saying.channel] ?? saying.channel;
    const key = [saying.about, component, saying.hearsay ? 'hearsay' : '', sameWords(error.innermost)].join('\u0000');
    const rank = rankOf(error.level, saying.last === true);
    const known = entries.get(key);
    if (known) {
      grow(known.fact, saying, error);
      if (rank > known.rank) {
        known.rank = rank;
        byRank[rank]?.push(known);
      }
      return known.fact;
    }
    const index = makeRoom(rank);
    if (index === undefined) return undefined;
    const fact = newFact(saying, error, component);
    place({ key, fact, index, rank });
    return fact;
  }

  return {
    take,
    get dropped() {
      return dropped;
    },
  };
}

/** What is reported, a colon, and a reason of some words: how programs tell a failure, and settings do not. */
const REPORT = /[\w")\]]: \S{1,200}(?: \S{1,200}){2}/;

/** Of the text around output only a program's own report counts, pasted alone and without its head. */
function isReport({ channel, text, hearsay }: Saying): boolean {
  return channel !== 'prose' || (hearsay !== true && REPORT.test(text.slice(0, 2000)));
}

function errorIn(saying: Saying): ReadError | undefined {
  if (saying.level === 'info' || !isReport(saying)) return undefined;
  const error = readError(saying.text, saying.level, saying.component);
  return error && isNoise(saying.text) === undefined ? error : undefined;
}

function rankOf(level: ReadError['level'], last: boolean): number {
  return SEVERITY[level] * 2 + (last ? 1 : 0);
}

/** Ids and numbers differ from one time to the next. */
function sameWords(text: string): string {
  return text.toLowerCase().replace(/\b[0-9a-f]{8,}\b|\d+/g, '0');
}

function newFact(saying: Saying, error: ReadError, component: string): ErrorFact {
  return {
    kind: 'log.error',
    about: saying.about,
    cited: [saying.cited],
    ...(saying.when !== undefined ? { when: saying.when } : {}),
    ...(saying.hearsay ? { hearsay: true } : {}),
    ...error,
    component,
    count: saying.count ?? 1,
    last: saying.last ?? false,
    channel: saying.channel,
    ownVoice: isOwnVoice(saying),
  };
}

function grow(fact: ErrorFact, saying: Saying, error: ReadError): void {
  fact.count += saying.count ?? 1;
  if (SEVERITY[error.level] > SEVERITY[fact.level]) fact.level = error.level;
  if (saying.last) fact.last = true;
  if (saying.when !== undefined) fact.when = Math.min(fact.when ?? saying.when, saying.when);
  addCitation(fact.cited, saying.cited, MOST_CITATIONS);
}

/** A container in its own log, a daemon of the node in the node's logs: not the kubelet speaking of a pod. */
function isOwnVoice({ channel, about }: Saying): boolean {
  if (channel === 'container-log' || channel === 'control-plane-log' || channel === 'kubeadm-output') return true;
  return /-log$/.test(channel) && about.startsWith('Node/');
}
