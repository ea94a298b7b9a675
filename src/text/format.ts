import { type Text, text } from './messages.ts';

const SECOND_UNITS: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1, ms: 0.001 };
const DURATION = /^(?:\d{1,9}(?:\.\d{1,9})?(?:d|h|ms|m|s))+$/;
const DURATION_PART = /(\d{1,9}(?:\.\d{1,9})?)(d|h|ms|m|s)/g;

/** Seconds of a duration as Kubernetes prints it (`5m57s`, `2d1h`, `300ms`). */
export function readDuration(value: string): number | undefined {
  const trimmed = value.slice(0, 80).trim();
  if (!DURATION.test(trimmed)) return undefined;
  let seconds = 0;
  for (const [, amount, unit] of trimmed.matchAll(DURATION_PART)) {
    seconds += Number(amount) * (SECOND_UNITS[unit ?? 's'] ?? 0);
  }
  return seconds;
}

/** A length of time as one says it: `5m57s` is "6 minutes". Text that is no duration comes back as it is. */
export function duration(value: number | string, say: Text = text): string {
  const seconds = typeof value === 'string' ? readDuration(value) : value;
  if (seconds === undefined || !Number.isFinite(seconds)) return String(value);
  const length = Math.abs(seconds);
  if (length < 1) return say('duration.moment');
  if (length < 90) return say('duration.seconds', { count: Math.round(length) });
  if (length < 90 * 60) return say('duration.minutes', { count: Math.round(length / 60) });
  if (length < 36 * 3_600) return say('duration.hours', { count: Math.round(length / 3_600) });
  if (length < 548 * 86_400) return say('duration.days', { count: Math.round(length / 86_400) });
  return say('duration.years', { count: Math.round(length / (365.25 * 86_400)) });
}

/** How long the tool itself took: `0.1` of a second is precise enough, and never `0`. */
export function tookSeconds(milliseconds: number, say: Text = text): string {
  const seconds = Math.max(0.1, milliseconds / 1_000);
  return say('summary.seconds', { seconds: seconds < 10 ? seconds.toFixed(1) : Math.round(seconds) });
}

const SIZES = ['size.kibibytes', 'size.mebibytes', 'size.gibibytes', 'size.tebibytes'] as const;

export function size(bytes: number, say: Text = text): string {
  if (!(bytes >= 1_024)) return say('size.bytes', { count: Math.max(0, Math.round(bytes) || 0) });
  let amount = bytes / 1_024;
  let unit = 0;
  while (amount >= 1_023.5 && unit < SIZES.length - 1) {
    amount /= 1_024;
    unit++;
  }
  return say(SIZES[unit] ?? 'size.tebibytes', { amount: amount < 10 ? Number(amount.toFixed(1)) : Math.round(amount) });
}

export function count(value: number, say: Text = text): string {
  // Small whole numbers are written alike everywhere; the formatter takes milliseconds to make.
  if (Number.isInteger(value) && Math.abs(value) < 1000) return String(value);
  return new Intl.NumberFormat(say.language).format(value);
}

/** `a, b and c` in the language of the text. */
export function joinList(items: readonly string[], say: Text = text): string {
  const only = items.length === 1 ? items[0] : undefined;
  if (only !== undefined) return only;
  const joined = new Intl.ListFormat(say.language, { style: 'long', type: 'conjunction' }).format(items);
  // Chinese sets a space between its characters and Latin words.
  if (!say.language.startsWith('zh')) return joined;
  return joined.replace(/([A-Za-z0-9])(?=\p{Script=Han})/gu, '$1 ').replace(/(\p{Script=Han})(?=[A-Za-z0-9])/gu, '$1 ');
}

interface Capped<T> {
  readonly shown: readonly T[];
  readonly left: number;
}

/** The first items, and how many stay out; never leaves out a single one, since saying so takes as much room. */
export function cap<T>(items: readonly T[], limit: number, total = items.length): Capped<T> {
  const fits = items.length === total && total <= limit + 1 && limit > 0;
  const shown = fits ? items : items.slice(0, limit);
  return { shown, left: Math.max(0, total - shown.length) };
}
