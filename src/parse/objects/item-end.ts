import type { ByteWindow } from './byte-window.ts';
import { BracketScan } from './json-scan.ts';

const NEWLINE = 10;
const SPACE = 32;
const CLOSE_BRACE = 125;

/** A way to find where an object in a stream ends. Positions count from the start of the stream. */
export interface ItemEnd {
  /** Sets out from the opening bracket at `from`. */
  begin(from: number): void;
  /** Position after the object; -1 when it is not in the window yet. */
  find(window: ByteWindow): number;
  /** How far was looked; nothing before it is needed to go on. */
  readonly at: number;
}

/** By counting brackets: always right, byte by byte. */
export class BracketEnd implements ItemEnd {
  private readonly scan = new BracketScan();
  at = 0;

  begin(from: number, depth = 0): void {
    this.at = from;
    this.scan.reset(depth);
  }

  find(window: ByteWindow): number {
    const { bytes, shift } = window.view();
    const end = this.scan.findClose(bytes, this.at - shift, window.end - shift, 0);
    this.at = end < 0 ? window.end : end + shift;
    return end < 0 ? -1 : this.at;
  }
}

/**
 * By the line that closes it, for items indented as kubectl and jq do: raw line breaks never stand inside JSON strings,
 * so the first line with a brace at the item's own column is its last.
 */
export class LineEnd implements ItemEnd {
  private readonly indent: number;
  private from = 0;
  at = 0;

  constructor(indent: number) {
    this.indent = indent;
  }

  begin(from: number): void {
    this.from = from;
    this.at = from;
  }

  find(window: ByteWindow): number {
    for (let found = window.find(CLOSE_BRACE, this.at); found >= 0; found = window.find(CLOSE_BRACE, found + 1)) {
      if (this.closes(window, found)) return found + 1;
    }
    this.at = Math.max(this.from, window.end - this.indent - 1);
    return -1;
  }

  private closes(window: ByteWindow, position: number): boolean {
    const first = position - this.indent - 1;
    if (first <= this.from || window.byte(first) !== NEWLINE) return false;
    for (let at = first + 1; at < position; at++) if (window.byte(at) !== SPACE) return false;
    return true;
  }
}

/** An opener that does not come again within this many bytes is not waited for. */
const PATIENCE = 1 << 18;

/** By how the next item opens, for items on one line; right only if what it cuts turns out to be valid JSON. */
export class OpenerEnd implements ItemEnd {
  private readonly opener: Buffer;
  private from = 0;
  at = 0;

  constructor(opener: string) {
    this.opener = Buffer.from(`},${opener}`, 'latin1');
  }

  begin(from: number): void {
    this.from = from;
    this.at = from;
  }

  find(window: ByteWindow): number {
    const found = window.findBytes(this.opener, this.at);
    if (found >= 0) return found + 1;
    this.at = Math.max(this.from, window.end - this.opener.length);
    return -1;
  }

  isHopeless(window: ByteWindow): boolean {
    return window.end - this.from > PATIENCE;
  }
}

const OPENER = /^\{"metadata":\{|^\{"apiVersion":"[^"\\]{1,60}","kind":"|^\{"kind":"/;

/** The cheapest way that fits how the first item of a list is written. */
export function itemEndFor(window: ByteWindow, from: number): ItemEnd {
  let spaces = 0;
  while (from - spaces > window.start && window.byte(from - spaces - 1) === SPACE) spaces++;
  const startsLine = from - spaces > window.start && window.byte(from - spaces - 1) === NEWLINE;
  if (startsLine && spaces > 0) return new LineEnd(spaces);
  const opener = OPENER.exec(window.text(from, Math.min(window.end, from + 120)))?.[0];
  return opener === undefined ? new BracketEnd() : new OpenerEnd(opener);
}
