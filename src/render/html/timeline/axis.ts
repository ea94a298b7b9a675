import type { TimelineEntry } from '../../../model/report.ts';
import { say } from '../voice.ts';
import { age, clock, isTime } from '../words.ts';

export interface Mark {
  readonly entry: TimelineEntry;
  /** Position in the report's list. */
  readonly index: number;
  /** Percent of the axis, left is older. */
  readonly from: number;
  readonly to: number;
  readonly when: string;
}

export interface Axis {
  readonly kind: 'age' | 'clock';
  readonly compressed: boolean;
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
  readonly marks: readonly Mark[];
}

interface Span {
  readonly entry: TimelineEntry;
  readonly index: number;
  /** Seconds before the right end: start and end. */
  readonly start: number;
  readonly end: number;
}

const DAY = 86_400;
const STEPS = [
  1,
  2,
  5,
  10,
  15,
  30,
  60,
  120,
  300,
  600,
  900,
  1800,
  3600,
  7200,
  10_800,
  21_600,
  43_200,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
  30 * DAY,
  90 * DAY,
  365 * DAY,
];
const ROUND_AGES = [10, 60, 600, 3600, 6 * 3600, DAY, 7 * DAY, 30 * DAY, 365 * DAY, 3650 * DAY];
const LEFT = 2;
const RIGHT = 97;
const MOST_TICKS = 5;
const TICK_DISTANCE = 15;

function isAge(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value >= 0;
}

function ageSpan(entry: TimelineEntry, index: number): Span | undefined {
  if (!isAge(entry.ago)) return undefined;
  const until = isAge(entry.untilAgo) ? entry.untilAgo : entry.ago;
  return { entry, index, start: Math.max(entry.ago, until), end: Math.min(entry.ago, until) };
}

function clockSpans(timed: readonly (readonly [entry: TimelineEntry, index: number])[]): { spans: Span[]; end: number } {
  const lasting = timed.flatMap(([entry, index]) => {
    if (!isTime(entry.at)) return [];
    const age = ageSpan(entry, index);
    return [{ entry, index, start: entry.at, end: entry.at + (age === undefined ? 0 : (age.start - age.end) * 1000) }];
  });
  const end = lasting.reduce((latest, one) => Math.max(latest, one.end), Number.NEGATIVE_INFINITY);
  return { end, spans: lasting.map((one) => ({ ...one, start: (end - one.start) / 1000, end: (end - one.end) / 1000 })) };
}

/** When most happened in a small part of the time shown, that part gets more room. */
function needsCompression(spans: readonly Span[], longest: number): boolean {
  return spans.length > 2 && middleAge(spans) * 12 < longest;
}

function middleAge(spans: readonly Span[]): number {
  const sorted = spans.map((span) => span.start).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function scaleOf(longest: number, compressed: boolean, middle: number): (age: number) => number {
  const width = RIGHT - LEFT;
  if (longest <= 0) return () => RIGHT;
  if (!compressed) return (age) => RIGHT - (age / longest) * width;
  const unit = Math.max(1, middle / 3);
  const whole = Math.log1p(longest / unit);
  return (age) => RIGHT - (Math.log1p(age / unit) / whole) * width;
}

function linearAges(longest: number, offset: number): readonly number[] {
  const step = STEPS.find((one) => longest / one <= MOST_TICKS) ?? Math.ceil(longest / MOST_TICKS);
  const ages: number[] = [];
  for (let at = offset % step; at <= longest && ages.length <= MOST_TICKS + 1; at += step) ages.push(at);
  return ages;
}

function tickAges(longest: number, compressed: boolean, offset: number): readonly number[] {
  if (!compressed) return linearAges(longest, offset);
  return [0, ...ROUND_AGES.filter((round) => round <= longest)];
}

function spreadOut(ticks: readonly { at: number; label: string }[]): readonly { at: number; label: string }[] {
  const kept: { at: number; label: string }[] = [];
  for (const tick of ticks) {
    const before = kept.at(-1);
    if (before === undefined || before.at - tick.at >= TICK_DISTANCE) kept.push(tick);
  }
  return kept;
}

function axisOf(kind: 'age' | 'clock', spans: readonly Span[], end: number): Axis | undefined {
  if (spans.length === 0) return undefined;
  const longest = Math.max(
    1,
    spans.reduce((most, span) => Math.max(most, span.start), 0),
  );
  const compressed = needsCompression(spans, longest);
  const place = scaleOf(longest, compressed, middleAge(spans));
  const days = longest >= DAY;
  const offset = kind === 'clock' && !compressed ? (((end / 1000) % DAY) + DAY) % DAY : 0;
  const label = (at: number) =>
    kind === 'age' ? (at === 0 ? say('html.time.now') : say('html.time.ago', { age: age(at) })) : tickClock(end - at * 1000, days);
  const ticks = tickAges(longest, compressed, offset).map((at) => ({ at: place(at), label: label(at) }));
  const marks = spans.map((span) => ({
    entry: span.entry,
    index: span.index,
    from: place(span.start),
    to: place(span.end),
    when: kind === 'age' ? ageWords(span) : clockWords(span, end, days),
  }));
  return { kind, compressed, ticks: spreadOut(ticks), marks };
}

function tickClock(at: number, days: boolean): string {
  const text = clock(at, days);
  return days ? text.slice(-14, -3) : text;
}

function ageWords(span: Span): string {
  const when = say('html.time.ago', { age: age(span.end) });
  return span.start > span.end ? say('html.time.over', { when, age: age(span.start - span.end) }) : when;
}

function clockWords(span: Span, end: number, days: boolean): string {
  const first = clock(end - span.start * 1000, days);
  return span.start > span.end ? say('html.time.to', { first, last: clock(end - span.end * 1000, days) }) : first;
}

/** Ages and clock times share an axis only where every entry can be put on it. */
export function axesOf(entries: readonly TimelineEntry[]): readonly Axis[] {
  const all = entries.map((entry, index) => [entry, index] as const);
  const ages = all.map(([entry, index]) => ageSpan(entry, index)).filter((span) => span !== undefined);
  const timed = all.filter(([entry]) => isTime(entry.at) || isAge(entry.ago));
  if (ages.length === timed.length) return [axisOf('age', ages, 0)].filter((axis) => axis !== undefined);
  const clocks = clockSpans(all);
  const rest = ages.filter((span) => !isTime(span.entry.at));
  return [axisOf('clock', clocks.spans, clocks.end), axisOf('age', rest, 0)].filter((axis) => axis !== undefined);
}
