import type { Context } from '../../model/reading.ts';
import type { LogLine } from './log-line.ts';
import { readStamp, readYearless } from './stamp.ts';

const DAY = 86_400_000;
/** Stamps further apart than this do not tell each other's year. */
const FARTHEST = 100 * DAY;
const MOST_DAYS = 2000;
const DATED = /\b(?:19|20)\d\d[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d|\b\d{1,2} [A-Z][a-z]{2} (?:19|20)\d\d \d\d:\d\d:\d\d/;
const FUTURE = /expir|notAfter|not after|notBefore|valid/i;

/** Texts up to this size are searched whole, longer ones around the log. */
const SEARCHED_WHOLE = 20_000;
const AROUND = 2000;

const known = new WeakMap<readonly string[], readonly number[]>();

/** Days that stamps with a year name in the text the log stands in, in order. */
export function datedDays(lines: readonly string[], from = 0, context?: Context): readonly number[] {
  // Whoever collected the log knows its year better than the text around it.
  if (context?.takenAt !== undefined) return [context.takenAt];
  if (lines.length > SEARCHED_WHOLE) return searchDays(lines, Math.max(0, from - AROUND), from + AROUND);
  const before = known.get(lines);
  if (before) return before;
  const days = searchDays(lines, 0, lines.length);
  known.set(lines, days);
  return days;
}

function searchDays(lines: readonly string[], from: number, to: number): readonly number[] {
  const days = new Set<number>();
  for (let index = from; index < to && index < lines.length && days.size < MOST_DAYS; index += 1) {
    const line = lines[index] ?? '';
    const head = line.length > 500 ? line.slice(0, 500) : line;
    const at = head.search(DATED);
    if (at < 0 || FUTURE.test(head)) continue;
    const stamp = readStamp(head.slice(at).replace(/^(\d) /, '0$1 '));
    if (stamp) days.add(Math.floor(stamp.when / DAY) * DAY);
  }
  return [...days].sort((one, other) => one - other);
}

/** When a line was written: its own stamp, or its stamp without a year beside the nearest dated day. */
export function whenOf(line: LogLine, days: readonly number[]): number | undefined {
  if (line.when !== undefined || line.timeText === undefined || days.length === 0) return line.when;
  const yearless = readYearless(line.timeText);
  if (!yearless) return undefined;
  let best: number | undefined;
  let bestDistance = FARTHEST;
  for (const year of yearsAround(days)) {
    const when = Date.UTC(year, yearless.month - 1, yearless.day) + yearless.ofDay;
    const distance = distanceTo(days, when);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = when;
    }
  }
  return best;
}

function yearsAround(days: readonly number[]): number[] {
  const first = new Date(days[0] ?? 0).getUTCFullYear() - 1;
  const last = new Date(days.at(-1) ?? 0).getUTCFullYear() + 1;
  const years: number[] = [];
  for (let year = last; year >= first && years.length < 40; year -= 1) years.push(year);
  return years;
}

function distanceTo(days: readonly number[], when: number): number {
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((days[middle] ?? 0) < when) low = middle + 1;
    else high = middle;
  }
  const after = days[low] ?? Number.POSITIVE_INFINITY;
  const before = days[low - 1] ?? Number.NEGATIVE_INFINITY;
  return Math.min(after - when, when - before);
}
