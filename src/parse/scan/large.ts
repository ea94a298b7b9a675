import type { Document } from '../../model/document.ts';
import { mixNumber, type Shape, shapeOf } from './line-shape.ts';
import { countNewlines } from './newlines.ts';
import { createRepeats, FULL_REPORTS, hasPassingDigits, type KnownLine, mixFields } from './repeats.ts';
import { LINE_LIMIT, type LineHit, type Scanner } from './scanner.ts';

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

export interface LargeHit {
  /** Counts from 1. */
  readonly lineNumber: number;
  readonly text: string;
  readonly hits: readonly LineHit[];
}

export interface LargeSummary {
  readonly lines: number;
  readonly bytes: number;
  /** Lines of which only the first 64 KB were looked at. */
  readonly longLines: number;
}

/** `kept` is what `onLine` returned for the latest full report of the same line, so that a repeat can be added to it. */
export type OnRepeat<Kept> = (specIndex: number, lineNumber: number, kept: Kept) => void;

/**
 * Streams a document of any size past the scanner in constant memory. With `onRepeat`, a line that was reported 64 times (same
 * specs, same words; other clock times and long numbers) is no longer decoded: each further one is told by spec and line number.
 */
export async function scanLargeText<Kept>(
  doc: Document,
  scanner: Scanner,
  onLine: (hit: LargeHit) => Kept,
  onRepeat?: OnRepeat<Kept>,
): Promise<LargeSummary> {
  const stream = new LineStream(scanner, onLine, onRepeat);
  if (doc.read) for await (const chunk of doc.read()) stream.push(chunk);
  else if (doc.bytes) stream.push(doc.bytes);
  return stream.finish();
}

class LineStream<Kept> {
  readonly #scanner: Scanner;
  readonly #onLine: (hit: LargeHit) => Kept;
  readonly #onRepeat: OnRepeat<Kept> | undefined;
  readonly #repeats = createRepeats<Kept>();
  readonly #shape: Shape = { low: 0, high: 0 };
  readonly #onCandidate = (spec: number, offset: number) => this.#note(spec, offset);
  #bytes = 0;
  #longLines = 0;
  /** Line breaks before `#counted` in the text at hand, and in all that went before. */
  #newlines = 0;
  #counted = 0;
  /** The beginning of a line whose end has not come yet, and how long it is by now. */
  readonly #carry = Buffer.alloc(LINE_LIMIT);
  #carried = 0;
  #text: Buffer = this.#carry;
  #lineStart = 0;
  #lineEnd = 0;
  #candidates: number[] = [];

  constructor(scanner: Scanner, onLine: (hit: LargeHit) => Kept, onRepeat: OnRepeat<Kept> | undefined) {
    this.#scanner = scanner;
    this.#onLine = onLine;
    this.#onRepeat = onRepeat;
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.#bytes += bytes.length;
    const from = this.#carried > 0 ? this.#endCarried(bytes) : 0;
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > from) this.#scanLines(bytes.subarray(from, end));
    this.#addToCarry(bytes, Math.max(from, end), bytes.length);
  }

  finish(): LargeSummary {
    const open = this.#carried > 0 ? 1 : 0;
    if (open) this.#scanCarried();
    return { lines: this.#newlines + open, bytes: this.#bytes, longLines: this.#longLines };
  }

  #endCarried(bytes: Buffer): number {
    const newline = bytes.indexOf(NEWLINE);
    if (newline < 0) return 0;
    this.#addToCarry(bytes, 0, newline);
    this.#scanCarried();
    this.#newlines++;
    return newline + 1;
  }

  #addToCarry(bytes: Buffer, from: number, to: number): void {
    if (this.#carried < LINE_LIMIT) bytes.copy(this.#carry, this.#carried, from, to);
    this.#carried += to - from;
  }

  #scanCarried(): void {
    if (this.#carried > LINE_LIMIT) this.#longLines++;
    const length = Math.min(this.#carried, LINE_LIMIT);
    this.#carried = 0;
    this.#scan(this.#carry, length);
  }

  #scanLines(text: Buffer): void {
    this.#scan(text, text.length);
    this.#newlines += countNewlines(text, this.#counted, text.length);
    this.#countLongLines(text);
  }

  #scan(text: Buffer, length: number): void {
    this.#text = text;
    this.#counted = 0;
    this.#lineStart = 0;
    this.#lineEnd = text === this.#carry ? length : 0;
    this.#scanner.scan(text, length, this.#onCandidate);
    this.#flush();
    this.#text = this.#carry;
  }

  #note(spec: number, offset: number): void {
    if (offset >= this.#lineEnd) {
      this.#flush();
      this.#openLine(offset);
    }
    if (offset - this.#lineStart < LINE_LIMIT && !this.#candidates.includes(spec)) this.#candidates.push(spec);
  }

  #openLine(offset: number): void {
    this.#lineStart = this.#text.lastIndexOf(NEWLINE, offset) + 1;
    this.#lineEnd = this.#text.indexOf(NEWLINE, offset);
  }

  #flush(): void {
    if (this.#candidates.length === 0) return;
    const candidates = this.#candidates;
    this.#candidates = [];
    this.#newlines += countNewlines(this.#text, this.#counted, this.#lineStart);
    this.#counted = this.#lineStart;
    const end = Math.min(this.#lineEnd, this.#lineStart + LINE_LIMIT);
    if (this.#onRepeat) this.#reportUnlessKnown(candidates, end, this.#onRepeat);
    else this.#report(candidates, end);
  }

  #report(candidates: readonly number[], end: number): void {
    const text = this.#lineText(end);
    const hits = this.#scanner.confirm(candidates, text);
    if (hits.length > 0) this.#onLine({ lineNumber: this.#newlines + 1, text, hits });
  }

  #reportUnlessKnown(candidates: readonly number[], end: number, onRepeat: OnRepeat<Kept>): void {
    const shape = this.#shape;
    shapeOf(this.#text, this.#lineStart, end, shape);
    for (const spec of candidates) mixNumber(shape, spec);
    const known = this.#repeats.find(shape);
    if (this.#repeat(known?.volatile ? undefined : known, onRepeat)) return;
    const text = this.#lineText(end);
    const hits = this.#scanner.confirm(candidates, text);
    if (hits.length === 0) return;
    const volatile = hasPassingDigits(hits);
    if (volatile) {
      mixFields(shape, hits);
      if (this.#repeat(this.#repeats.find(shape), onRepeat)) return;
    }
    const kept = this.#onLine({ lineNumber: this.#newlines + 1, text, hits });
    this.#repeats.count(shape, hits, kept, volatile);
  }

  #repeat(known: KnownLine<Kept> | undefined, onRepeat: OnRepeat<Kept>): boolean {
    if (!known || known.reports < FULL_REPORTS) return false;
    for (const spec of known.specs) onRepeat(spec, this.#newlines + 1, known.kept);
    return true;
  }

  #lineText(end: number): string {
    const stop = end > this.#lineStart && this.#text[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    return this.#text.toString('utf8', this.#lineStart, stop);
  }

  /** Looks only once per 64 KB: a line break within reach shows that no line before it is too long. */
  #countLongLines(text: Buffer): void {
    let start = 0;
    while (text.length - start > LINE_LIMIT) {
      const reach = text.lastIndexOf(NEWLINE, start + LINE_LIMIT);
      if (reach < start) this.#longLines++;
      start = (reach < start ? text.indexOf(NEWLINE, start + LINE_LIMIT) : reach) + 1;
    }
  }
}
