import { diagnoseInDetail } from '../diagnose.ts';
import type { Cause } from '../model/cause.ts';
import type { Examined } from '../model/finding.ts';
import type { Confidence } from '../model/report.ts';
import { type CodeMeaning, explainCodes, explainExit, explainHttp, explainSignal } from '../parse/scan/codes.ts';
import { innermostOf } from '../parse/scan/error-chain.ts';
import { fill } from '../reason/fill.ts';
import type { Entry } from './entry.ts';
import { EVENTS } from './events.ts';
import { STATUSES } from './statuses.ts';
import { WORDS } from './words.ts';

export const GLOSSARY: readonly Entry[] = [...STATUSES, ...EVENTS, ...WORDS];

export interface Explained {
  readonly text: string;
  readonly entries: readonly Entry[];
  readonly codes: readonly CodeMeaning[];
  /** The last link of a wrapped error, where it is shorter than the whole. */
  readonly innermost?: string;
  /** Causes that know the very line, the surest first. */
  readonly known: readonly KnownBy[];
  /** Causes that may stand behind the symptom. */
  readonly behind: readonly Cause[];
}

export interface KnownBy {
  readonly cause: Cause;
  readonly confidence: Confidence;
  readonly says: string;
}

const LONGEST = 4000;

/** What a line, reason, exit code or status means, by what is built in: nothing is looked up anywhere. */
export async function explain(given: string, causes: readonly Cause[]): Promise<Explained> {
  const text = given.trim().slice(0, LONGEST);
  const entries = entriesIn(text);
  const { examined } = await diagnoseInDetail([{ name: 'text', text }], { causes });
  const known = knownBy(examined);
  const innermost = innermostOf(text);
  return {
    text,
    entries,
    codes: codesIn(text),
    ...(innermost !== '' && innermost.length < text.length * 0.8 ? { innermost } : {}),
    known,
    behind: causesBehind(entries, causes).filter(({ id }) => !known.some(({ cause }) => cause.id === id)),
  };
}

/** Causes that speak of the very word come before those that merely show the same way, and roots before their effects. */
export function causesBehind(entries: readonly Entry[], causes: readonly Cause[]): Cause[] {
  const symptoms = new Set(entries.flatMap((entry) => entry.symptoms ?? []));
  const words = entries
    .flatMap(({ terms }) => terms.map((term) => (term.split('…')[0] ?? '').toLowerCase()))
    .filter((word) => word.length > 3);
  const found = causes
    .filter(({ explains }) => explains.some((symptom) => symptoms.has(symptom)))
    .map((cause) => ({ cause, near: nearness(cause, words) }));
  const speaking = new Set(found.filter(({ near }) => near > 0).map(({ cause }) => cause.id));
  const isEffect = ({ effectOf }: Cause) => ((effectOf ?? []).some((id) => speaking.has(id)) ? 1 : 0);
  return found
    .sort((a, b) => Math.sign(b.near) - Math.sign(a.near) || isEffect(a.cause) - isEffect(b.cause) || b.near - a.near)
    .map(({ cause }) => cause);
}

function nearness(cause: Cause, words: readonly string[]): number {
  const plain = plainSlots(cause);
  const speaks = (texts: readonly string[]) =>
    texts.filter((text) => words.some((word) => fill(text, plain).toLowerCase().includes(word))).length;
  const clues = Object.entries(cause.clues).map(([name, { line }]) => [cause.says[name] ?? '', ...(line?.literals ?? [])].join('\n'));
  return 2 * speaks(clues) + speaks([cause.text.title, cause.text.why]);
}

/** What its texts say while nothing was seen. */
function plainSlots(cause: Cause): ReturnType<Cause['slots']> {
  try {
    return cause.slots({ id: 'Node/NODE', kind: 'Node', name: 'NODE' }, {});
  } catch {
    return {};
  }
}

/** A bare number is an exit code first of all; what may also be an HTTP status or a signal is told as well. */
function codesIn(text: string): readonly CodeMeaning[] {
  const bare = /^(?:(?:exit|http|signal|status|code|error)[ :-]{0,3}){0,2}(?<number>\d{1,3})$/i.exec(text)?.groups?.['number'];
  if (bare === undefined) return explainCodes(text);
  const number = Number(bare);
  const isSignal = /^signal/i.test(text);
  const meanings = [isSignal ? undefined : explainExit(number), isSignal ? explainSignal(number) : undefined, explainHttp(number)];
  return meanings.filter((one) => one !== undefined);
}

function entriesIn(text: string): Entry[] {
  const short = text.toLowerCase();
  const exact = GLOSSARY.filter(({ terms }) => terms.some((term) => isTerm(term, short)));
  if (exact.length > 0) return exact;
  return GLOSSARY.filter(({ terms }) => terms.some((term) => term.length > 3 && stands(term.toLowerCase(), short))).slice(0, 4);
}

/** As a word of its own: `Error` is not meant by `ErrorCode`. */
function stands(term: string, text: string): boolean {
  const at = text.indexOf(term);
  if (at < 0) return false;
  return !/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + term.length] ?? '');
}

function isTerm(term: string, text: string): boolean {
  if (!term.includes('…')) return term.toLowerCase() === text;
  const parts = term.split('…').map((part) => part.toLowerCase().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('\\d{1,3}')}$`).test(text);
}

const SURE: Readonly<Record<Confidence, number>> = { certain: 0, probable: 1, possible: 2 };

function knownBy(examined: readonly Examined[]): KnownBy[] {
  const found = new Map<string, KnownBy>();
  for (const { cause, verdict } of examined) {
    if (verdict.kind !== 'found') continue;
    const clue = verdict.readings.find(({ state, clue: { role } }) => state === 'seen' && role !== 'excludes');
    if (clue) found.set(cause.id, { cause, confidence: verdict.confidence, says: cause.says[clue.name] ?? clue.name });
  }
  return [...found.values()].sort((a, b) => SURE[a.confidence] - SURE[b.confidence]);
}
