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
  /** How many show the same way, listed in `behind` or too many for it. */
  readonly alike: number;
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
  const codes = codesIn(text);
  const exits = codes.flatMap(({ id }) => /^exit-(?<code>\d+)$/.exec(id)?.groups?.['code'] ?? []);
  const alike = causesBehind(entries, causes);
  const behind = entries.length > 0 ? alike.causes : exits.flatMap((code) => causesOfExit(code, causes));
  return {
    text,
    entries,
    codes,
    ...(innermost !== '' && innermost.length < text.length * 0.8 ? { innermost } : {}),
    known,
    behind: behind.filter(({ id }) => !known.some(({ cause }) => cause.id === id)),
    alike: alike.alike,
  };
}

/** So many causes can be read one by one; a longer list of what merely shows the same way tells nobody anything. */
const FEW = 24;
/** Fewer that happen to speak of a common word would pass for the only ones. */
const SPEAKING = 3;

export interface Behind {
  /** Those that speak of the very word, roots before their effects; of few, all that show the same way. */
  readonly causes: readonly Cause[];
  /** How many show the same way, listed or not. */
  readonly alike: number;
}

export function causesBehind(entries: readonly Entry[], causes: readonly Cause[]): Behind {
  const symptoms = new Set(entries.flatMap((entry) => entry.symptoms ?? []));
  const words = entries
    .flatMap(({ terms }) => terms.map((term) => (term.split('…')[0] ?? '').toLowerCase()))
    .filter((word) => word.length > 3);
  const found = causes
    .filter(({ explains }) => explains.some((symptom) => symptoms.has(symptom)))
    .map((cause) => ({ cause, near: nearness(cause, words) }));
  const speaking = new Set(found.filter(({ near }) => near > 0).map(({ cause }) => cause.id));
  const isEffect = ({ effectOf }: Cause) => ((effectOf ?? []).some((id) => speaking.has(id)) ? 1 : 0);
  const shown = found.length <= FEW ? found : speaking.size < SPEAKING ? [] : found.filter(({ near }) => near > 0);
  const order = shown.sort((a, b) => Math.sign(b.near) - Math.sign(a.near) || isEffect(a.cause) - isEffect(b.cause) || b.near - a.near);
  return { causes: order.map(({ cause }) => cause), alike: found.length };
}

/** Causes whose words name an exit code: `code 137`, `exit status 1`. */
export function causesOfExit(code: string, causes: readonly Cause[]): Cause[] {
  const named = new RegExp(`(?:exit|code|status)[^.]{0,12} ${code}\\b`);
  return causes.filter(({ text, says }) => [text.title, text.why, ...Object.values(says)].some((one) => named.test(one.toLowerCase())));
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
  return GLOSSARY.filter(({ terms }) => terms.some((term) => term.length > 3 && standsIn(text, short, term))).slice(0, 4);
}

/** In a sentence `Unknown` is a status, and `unknown authority` is not; words of errors are written either way. */
function standsIn(text: string, lowered: string, term: string): boolean {
  return /^[A-Z][A-Za-z]+$/.test(term) ? stands(term, text) : stands(term.toLowerCase(), lowered);
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
