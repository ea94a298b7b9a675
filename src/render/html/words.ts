import { count } from '../../text/format.ts';
import { type Child, type Html, html } from './escape.ts';

const UNITS: readonly (readonly [seconds: number, sign: string])[] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'm'],
  [1, 's'],
];
const LAST_DATE = 8.64e15;

export function plural(amount: number, one: string, many = `${one}s`): string {
  return `${count(amount)} ${amount === 1 ? one : many}`;
}

/** Frame texts are written to stand inside a line; here one begins a sentence. */
export function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Two units at most, as kubectl prints ages: `45s`, `6m12s`, `3d4h`. */
export function age(seconds: number): string {
  if (!Number.isFinite(seconds)) return 'unknown';
  const whole = Math.max(0, Math.round(seconds));
  const first = UNITS.findIndex(([size]) => whole >= size);
  const unit = UNITS[first];
  if (unit === undefined) return '0s';
  const rest = whole % unit[0];
  const next = UNITS[first + 1];
  const second = next === undefined ? 0 : Math.floor(rest / next[0]);
  const head = `${Math.floor(whole / unit[0])}${unit[1]}`;
  return next !== undefined && second > 0 ? `${head}${second}${next[1]}` : head;
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
  const width = characters.reduce((sum, character) => sum + columns(character), 0);
  if (width <= room) return text;
  const half = (room - 1) / 2;
  return `${take(characters, Math.ceil(half))}…${take(characters.reverse(), Math.floor(half), true)}`;
}

function columns(character: string): number {
  return (character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1;
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
