import type { TimelineEntry } from '../../../model/report.ts';
import { count } from '../../../text/format.ts';
import { citationLink } from '../claims.ts';
import { type Html, html, NOTHING } from '../escape.ts';
import type { References } from '../references.ts';
import { listed, say } from '../voice.ts';
import { shorten } from '../words.ts';
import { type Axis, axesOf, type Mark } from './axis.ts';

interface Lane {
  readonly about: string;
  readonly marks: readonly Mark[];
}

const MOST_LANES = 8;
const MOST_ROWS = 5;
const MOST_SHOWN = 250;
const ROW = 22;
const DOT_WIDTH = 2.6;
const COUNT_WIDTH = 6;
const TONES = ['bad', 'warn', 'normal'] as const;

function toneOf(entry: TimelineEntry): string {
  return TONES.includes(entry.tone) ? entry.tone : 'normal';
}

function lanesOf(marks: readonly Mark[]): readonly Lane[] {
  const byAbout = new Map<string, Mark[]>();
  for (const mark of marks) {
    const own = byAbout.get(mark.entry.about);
    if (own === undefined) byAbout.set(mark.entry.about, [mark]);
    else own.push(mark);
  }
  const lanes = [...byAbout].map(([about, own]) => ({ about, marks: own }));
  if (lanes.length <= MOST_LANES) return lanes;
  const rest = lanes.slice(MOST_LANES - 1);
  return [
    ...lanes.slice(0, MOST_LANES - 1),
    { about: say('html.time.others', { count: rest.length }), marks: rest.flatMap((lane) => lane.marks) },
  ];
}

/** At the right end there is no room for the count but to the left. */
function countsLeft(mark: Mark): boolean {
  return mark.to > 91;
}

function extentOf(mark: Mark): readonly [from: number, to: number] {
  const label = mark.entry.count > 1 ? COUNT_WIDTH : 0;
  const left = countsLeft(mark) ? label : 0;
  return [mark.from - DOT_WIDTH / 2 - left, mark.to + DOT_WIDTH / 2 + label - left];
}

/** Puts marks that would touch on rows of their own. */
function stack(marks: readonly Mark[]): readonly (readonly [mark: Mark, row: number])[] {
  const ends: number[] = [];
  const sorted = marks.map((mark) => ({ mark, extent: extentOf(mark) })).sort((a, b) => a.extent[0] - b.extent[0]);
  return sorted.map(({ mark, extent }) => {
    const free = ends.findIndex((end) => end <= extent[0]);
    const row = free >= 0 ? free : ends.length < MOST_ROWS ? ends.length : ends.indexOf(Math.min(...ends));
    ends[row] = extent[1];
    return [mark, row] as const;
  });
}

function shape(tone: string): Html {
  if (tone === 'bad') return html`<path d="M0-7 7 0 0 7-7 0z"/>`;
  if (tone === 'warn') return html`<path d="M0-6.5 6.8 5.5H-6.8z"/>`;
  return html`<circle r="5"/>`;
}

function percent(value: number): string {
  return `${value.toFixed(2)}%`;
}

function entryWords(entry: TimelineEntry): string {
  return `${entry.what}${entry.count > 1 ? ` ×${count(entry.count, say)}` : ''}`;
}

function drawMark(mark: Mark, row: number, href: string): Html {
  const { entry } = mark;
  const tone = toneOf(entry);
  const middle = ROW / 2 + row * ROW;
  const long = mark.to - mark.from > DOT_WIDTH / 2;
  const body = long
    ? html`<rect x="${percent(mark.from)}" y="${middle - 5}" width="${percent(mark.to - mark.from)}" height="10" rx="5"/>`
    : html`<svg class="glyph" x="${percent(mark.from)}" y="${middle}">${shape(tone)}</svg>`;
  const late = countsLeft(mark);
  const at = late ? mark.from : Math.max(mark.to, mark.from);
  const times =
    entry.count > 1 &&
    html`<svg class="glyph" x="${percent(at)}" y="${middle + 4}"><text x="${late ? -11 : 11}" text-anchor="${late ? 'end' : 'start'}">×${count(entry.count, say)}</text></svg>`;
  const words = `${entryWords(entry)} · ${mark.when}`;
  return html`<a href="${href}" class="mark ${tone}" data-tip="${entryWords(entry)}" data-when="${mark.when}" data-about="${entry.about}" aria-label="${words} · ${entry.about}"><title>${words}</title><rect class="reach" x="${percent(Math.max(0, mark.from - 1))}" y="${middle - ROW / 2}" width="${percent(mark.to - mark.from + 2)}" height="${ROW}"/>${body}${times}</a>`;
}

function drawLane(lane: Lane, axis: Axis, prefix: string): Html {
  const stacked = stack(lane.marks);
  const height = ROW * (1 + stacked.reduce((most, [, row]) => Math.max(most, row), 0));
  const grid = axis.ticks.map((tick) => html`<line x1="${percent(tick.at)}" x2="${percent(tick.at)}" y1="-4" y2="${height + 4}"/>`);
  return html`<div class="lane"><span class="about name" title="${lane.about}">${shorten(lane.about, 27)}</span><svg class="track" width="100%" height="${height}" role="group" aria-label="${lane.about}"><g class="grid">${grid}</g>${stacked.map(([mark, row]) => drawMark(mark, row, `#${prefix}-${mark.index + 1}`))}</svg></div>`;
}

function tickAnchor(at: number): string {
  if (at > 90) return 'end';
  return at < 10 ? 'start' : 'middle';
}

function drawAxis(axis: Axis, prefix: string): Html {
  const ticks = axis.ticks.map(
    (tick) => html`<text x="${percent(tick.at)}" y="12" text-anchor="${tickAnchor(tick.at)}">${tick.label}</text>`,
  );
  return html`<div class="chart"><p class="note">${say(`html.time.${axis.kind}${axis.compressed ? 'Pressed' : ''}`)}</p>${lanesOf(axis.marks).map((lane) => drawLane(lane, axis, prefix))}<div class="lane ticks"><span></span><svg class="track" width="100%" height="16" aria-hidden="true">${ticks}</svg></div></div>`;
}

function listRow(entry: TimelineEntry, index: number, when: string, prefix: string, references: References): Html {
  const origin = { id: `${prefix}-${index + 1}`, label: '\u25f7', title: listed([entryWords(entry), when]) };
  const [first] = entry.cited;
  return html`<li id="${origin.id}" class="happening ${toneOf(entry)}" tabindex="-1"><span class="when">${when}</span><span class="what">${entryWords(entry)} <span class="about name">${entry.about}</span></span>${
    first !== undefined && citationLink(first, origin, references)
  }</li>`;
}

function legend(entries: readonly TimelineEntry[]): Html {
  const used = TONES.filter((tone) => entries.some((entry) => toneOf(entry) === tone));
  return html`<p class="legend">${used.map(
    (tone) =>
      html`<span><svg class="key ${tone}" width="14" height="14" viewBox="-8 -8 16 16" aria-hidden="true">${shape(tone)}</svg>${say(`html.time.${tone}`)}</span>`,
  )}</p>`;
}

/** The list is the whole truth and stands without script and on paper; the chart is the overview. */
export function timeline(all: readonly TimelineEntry[], prefix: string, references: References): Html {
  if (all.length === 0) return NOTHING;
  const entries = all.slice(0, MOST_SHOWN);
  const left = all.length - entries.length;
  const axes = axesOf(entries);
  const placed = axes.flatMap((axis) => [...axis.marks].sort((a, b) => a.from - b.from));
  const known = new Set(placed.map((mark) => mark.index));
  const timeless = entries.flatMap((entry, index) => (known.has(index) ? [] : [{ entry, index, when: say('html.time.none') }]));
  const rows = [...placed, ...timeless].map((one) => listRow(one.entry, one.index, one.when, prefix, references));
  const list = say('html.time.list', { count: entries.length });
  return html`<div class="timeline">${axes.map((axis) => drawAxis(axis, prefix))}${legend(entries)}<details class="more happenings" open data-close><summary>${left > 0 ? say('html.time.unshown', { list, count: left }) : list}</summary><ol>${rows}</ol></details></div>`;
}
