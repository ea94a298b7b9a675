import { type Child, type Html, html } from './escape.ts';
import { say } from './voice.ts';

const UNITS = [
  [86_400, 'html.time.days'],
  [3_600, 'html.time.hours'],
  [60, 'html.time.minutes'],
  [1, 'html.time.seconds'],
] as const;
const WITHOUT_CAPITALS = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const LAST_DATE = 8.64e15;

/**
 * Frame texts are written to stand inside a line; here one begins a sentence. A name keeps its letters, and in a
 * script without capitals every Latin word is a name.
 */
export function sentence(words: string): string {
  const startsWithWord = /^\p{Ll}+(?=[\s,;:.]|$)/u.test(words) && !WITHOUT_CAPITALS.test(words);
  return startsWithWord ? words.charAt(0).toUpperCase() + words.slice(1) : words;
}

/** Two units at most, as kubectl prints ages: `45s`, `6m12s`, `3d4h`. */
export function age(seconds: number): string {
  if (!Number.isFinite(seconds)) return say('html.time.unknown');
  const whole = Math.max(0, Math.round(seconds));
  const first = UNITS.findIndex(([size]) => whole >= size);
  const unit = UNITS[first];
  if (unit === undefined) return say('html.time.seconds', { amount: 0 });
  const rest = whole % unit[0];
  const next = UNITS[first + 1];
  const second = next === undefined ? 0 : Math.floor(rest / next[0]);
  const head = say(unit[1], { amount: String(Math.floor(whole / unit[0])) });
  return next !== undefined && second > 0 ? head + say(next[1], { amount: second }) : head;
}

export function isTime(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && Math.abs(value) <= LAST_DATE;
}

export function clock(milliseconds: number, withDate: boolean): string {
  const stamp = new Date(milliseconds).toISOString();
  const time = stamp.slice(-13, -5);
  return withDate ? `${stamp.slice(0, -14)} ${time}` : time;
}

/** Cuts the end. */
export function clip(text: string, room: number): string {
  const kept = take(Array.from(text), room);
  return kept.length === text.length ? text : `${take(Array.from(text), room - 1).trimEnd()}…`;
}

/** Cuts in the middle, where names of pods tell least; wide characters count double. */
export function shorten(text: string, room: number): string {
  const characters = Array.from(text);
  if (widthOf(text) <= room) return text;
  const half = (room - 1) / 2;
  return `${take(characters, Math.ceil(half))}…${take(characters.reverse(), Math.floor(half), true)}`;
}

/** Columns a text takes, with wide characters as two. */
export function widthOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + columns(character), 0);
}

function columns(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  return code >= 0x2e80 || (code >= 0x1100 && code < 0x1160) ? 2 : 1;
}

function take(characters: readonly string[], room: number, backwards = false): string {
  const kept: string[] = [];
  let used = 0;
  for (const character of characters) {
    used += columns(character);
    if (used > room) break;
    kept.push(character);
  }
  return (backwards ? kept.reverse() : kept).join('');
}

/** Text in our words, where `ticks` mean code. */
export function prose(text: string): Child {
  const parts = text.split('`');
  const paired = parts.length % 2 === 1 && parts.every((part, index) => index % 2 === 0 || part.trim() !== '');
  if (!paired) return text;
  return parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

export function paragraphs(text: string): readonly Html[] {
  return text
    .split('\n\n')
    .filter((part) => part.trim() !== '')
    .map((part) => html`<p>${prose(part)}</p>`);
}
