import type { Citation } from '../model/citation.ts';
import { containerId, podId, UNKNOWN } from '../model/entity.ts';
import type { Unrecognised } from '../model/evidence.ts';
import type { BlockReader, Context, ReadingSink } from '../model/reading.ts';
import { citeLines, clip } from './cite.ts';
import { readClaims } from './prose/claims.ts';
import { looksLikeProse } from './prose/looks-like-prose.ts';
import { type Section, sectionsOf } from './sections.ts';
import { JOINED } from './text/wrapped-lines.ts';

/** Blank, or the dots people leave where they cut something out. */
const EMPTY = /^(?:\.{2,}|…|\[\.\.\.\]|-{3,}|={3,})?$/;

/** Walks a text, offers each line to the readers, and keeps what nobody knew. */
export function readText(lines: readonly string[], context: Context, readers: readonly BlockReader[], sink: ReadingSink): Unrecognised[] {
  if (!lines.includes(JOINED)) return readLines(lines, context, readers, sink);
  const kept = lines.flatMap((line, index) => (line === JOINED ? [] : [index]));
  const place = ([first, last]: Span): Span => [(kept[first - 1] ?? 0) + 1, kept[last] ?? lines.length];
  const whole = kept.map((index) => lines[index] ?? '');
  return readLines(whole, context, readers, moved(sink, place)).map((one) => ({ ...one, lines: place(one.lines) }));
}

function readLines(lines: readonly string[], context: Context, readers: readonly BlockReader[], sink: ReadingSink): Unrecognised[] {
  const unrecognised: Unrecognised[] = [];
  for (const section of sectionsOf(lines, context)) {
    const given = lines.slice(section.start, section.end);
    const own = section.starred ? given.map((line) => line.replace(/^\* ?/, '')) : given;
    readSection(own, section, readers, shifted(sink, section.start), (first, last) => {
      unrecognised.push(...readUnknown(lines, section.start + first, section.start + last, section, sink));
    });
  }
  return unrecognised;
}

function readSection(
  lines: readonly string[],
  { context }: Section,
  readers: readonly BlockReader[],
  sink: ReadingSink,
  unknown: (first: number, last: number) => void,
): void {
  let unknownFrom = -1;
  let index = 0;
  while (index < lines.length) {
    if (EMPTY.test((lines[index] ?? '').trim())) {
      index++;
      continue;
    }
    const end = takeBlock(lines, index, context, readers, sink);
    if (end > index) {
      if (unknownFrom >= 0) unknown(unknownFrom, index - 1);
      unknownFrom = -1;
      index = end;
      continue;
    }
    if (unknownFrom < 0) unknownFrom = index;
    index++;
  }
  if (unknownFrom >= 0) unknown(unknownFrom, lines.length - 1);
}

function takeBlock(lines: readonly string[], from: number, context: Context, readers: readonly BlockReader[], sink: ReadingSink): number {
  let told = false;
  const listening: ReadingSink = {
    ...sink,
    piece(piece) {
      told = true;
      sink.piece(piece);
    },
  };
  for (const reader of readers) {
    told = false;
    const end = Math.min(reader.read(lines, from, context, listening), lines.length);
    if (end <= from) continue;
    if (!told) sink.piece({ doc: context.doc, lines: [from + 1, end], what: reader.what });
    return end;
  }
  return from;
}

/** Sentences are read for what they claim; other lines are still matched against everything known. */
function readUnknown(lines: readonly string[], first: number, last: number, { context }: Section, sink: ReadingSink): Unrecognised[] {
  readClaims(lines, first, last, context, sink);
  const strange: number[] = [];
  const about = context.pod ? containerId(context.pod, context.container ?? UNKNOWN) : (context.node ?? podId(undefined, UNKNOWN));
  for (let index = first; index <= last; index++) {
    const line = (lines[index] ?? '').trim();
    if (EMPTY.test(line)) continue;
    const end = endOfQuote(lines, index, last);
    const prose = end === index && looksLikeProse(line);
    for (let part = index; part <= end && !prose; part++) strange.push(part);
    sink.said({
      channel: context.channel ?? 'prose',
      about,
      text: wholeQuote(lines, index, end),
      cited: citeLines(context.doc, lines, index, end),
      ...(prose ? { hearsay: true } : {}),
    });
    index = end;
  }
  if (strange.length === 0) sink.piece({ doc: context.doc, lines: [first + 1, last + 1], what: 'written text' });
  return runsOf(strange).map(([from, to]) => ({
    doc: context.doc,
    lines: [from + 1, to + 1],
    bytes: lines.slice(from, to + 1).reduce((sum, line) => sum + line.length + 1, 0),
    firstLine: clip((lines[from] ?? '').trim(), 120),
  }));
}

const MOST_WRAPPED = 12;
const OPENS_QUOTE = /(?:^|[:=] )(?<quote>['"])(?=\S)/;

/** The last line of a quoted text that an editor or a terminal broke over several; the same line where it was not. */
function endOfQuote(lines: readonly string[], first: number, last: number): number {
  const opening = (lines[first] ?? '').slice(0, 4000);
  const quote = OPENS_QUOTE.exec(opening)?.groups?.['quote'];
  if (quote === undefined || opening.trimEnd().endsWith(quote)) return first;
  for (let index = first + 1; index <= Math.min(last, first + MOST_WRAPPED); index++) {
    const line = (lines[index] ?? '').trimEnd();
    if (line === '' || /^\s{0,40}[\w.-]{1,60}: /.test(line)) return first;
    if (line.endsWith(quote) && !line.endsWith(`\\${quote}`)) return index;
  }
  return first;
}

function wholeQuote(lines: readonly string[], first: number, last: number): string {
  return lines
    .slice(first, last + 1)
    .map((line) => line.trim())
    .join(' ');
}

function runsOf(sorted: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const index of sorted) {
    const last = runs.at(-1);
    if (last && index <= last[1] + 2) last[1] = index;
    else runs.push([index, index]);
  }
  return runs;
}

type Span = readonly [number, number];

/** Readers see a section from its own first line; what they cite counts from the document's. */
export function shifted(sink: ReadingSink, by: number): ReadingSink {
  return by === 0 ? sink : moved(sink, ([first, last]) => [first + by, last + by]);
}

function moved(sink: ReadingSink, place: (lines: Span) => Span): ReadingSink {
  const move = (cited: Citation): Citation =>
    cited.at.lines === undefined ? cited : { ...cited, at: { ...cited.at, lines: place(cited.at.lines) } };
  return {
    fact: (kind, about, payload, cited, more) => sink.fact(kind, about, payload, move(cited), more),
    edge: (edge) => sink.edge(edge),
    cover: (coverage) => sink.cover(coverage.lines ? { ...coverage, lines: place(coverage.lines) } : coverage),
    piece: (piece) => sink.piece({ ...piece, lines: place(piece.lines) }),
    said: (saying) => sink.said({ ...saying, cited: move(saying.cited) }),
  };
}
