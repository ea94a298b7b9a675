import type { LineList, LineSpec } from '../../model/evidence.ts';
import { BLOCK, FOLD_BITS, frequenciesOf, HASH_FACTOR, HASH_SHIFT, typicalFrequencies } from './block-chance.ts';
import { buildIndex, type Literal, type LiteralIndex } from './literal-index.ts';
import { packIndex, unpackIndex } from './packed-index.ts';

export const SHORTEST_LITERAL = 8;
/** Of a longer line or message only the beginning is looked at. */
export const LINE_LIMIT = 64 * 1024;

export interface LineHit {
  readonly spec: LineSpec;
  /** Index of the spec in the list the scanner was made of. */
  readonly index: number;
  /** Named groups of the pattern that took part in the match. */
  readonly fields: Record<string, string>;
}

export type OnCandidate = (spec: number, offset: number) => void;

export interface Scanner {
  readonly specs: readonly LineSpec[];
  /** Tells every place in the first `length` bytes where a literal of a spec stands, whatever its case; `offset` is its first byte. */
  scan(buffer: Uint8Array, length: number, onCandidate: OnCandidate): void;
  /** The specs whose literal and pattern are in this line or message, in the order they were given. */
  match(text: string): readonly LineHit[];
  /** Runs the patterns of these candidates, whose literals were found already. */
  confirm(candidates: readonly number[], text: string): readonly LineHit[];
}

/** A cause declares a literal that the scanner cannot look for. */
export class BadLiteralError extends Error {
  override readonly name = 'BadLiteralError';
  readonly specId: string;

  constructor(specId: string, why: string) {
    super(`line spec "${specId}": ${why}`);
    this.specId = specId;
  }
}

const NO_HITS: readonly LineHit[] = Object.freeze([]);

const made = new WeakMap<readonly LineSpec[], Scanner>();

/** The scanner of these lines, made once: whoever diagnoses often has the same catalogue each time. */
export function scannerOf(specs: LineList): Scanner {
  const before = made.get(specs);
  if (before) return before;
  const packed = specs.packedIndex?.();
  const scanner = scannerWith(specs, (packed && unpackIndex(packed)) ?? indexOf(specs));
  made.set(specs, scanner);
  return scanner;
}

/** A sample of the text to be scanned may help with unusual text; ordinary logs are scanned as fast without one. */
export function createScanner(specs: readonly LineSpec[], sample?: Uint8Array): Scanner {
  return scannerWith(specs, indexOf(specs, sample));
}

/** To be unpacked by a scanner of the same lines later: making the index takes longer than reading a story. */
export function packedIndexOf(specs: readonly LineSpec[]): Uint8Array {
  return packIndex(indexOf(specs));
}

function indexOf(specs: readonly LineSpec[], sample?: Uint8Array): LiteralIndex {
  return buildIndex(collectLiterals(specs), sample ? frequenciesOf(sample) : typicalFrequencies());
}

function scannerWith(specs: readonly LineSpec[], index: LiteralIndex): Scanner {
  const scan = index.windowAt.length > 0 ? scanWith(index) : () => {};
  const patterns = new Map<number, RegExp | undefined>();
  /** Fetched when a literal was met: most patterns are never needed. */
  const patternOf = (index: number): RegExp | undefined => {
    if (!patterns.has(index)) patterns.set(index, statelessPattern(specs[index] as LineSpec));
    return patterns.get(index);
  };
  const confirm = (candidates: readonly number[], text: string) => confirmIn(specs, patternOf, candidates, text);
  return { specs, scan, confirm, match: matchWith(specs.length, scan, confirm) };
}

function collectLiterals(specs: readonly LineSpec[]): Literal[] {
  const encoder = new TextEncoder();
  const found = new Map<string, { bytes: Uint8Array; owners: number[] }>();
  specs.forEach((spec, index) => {
    for (const text of checkedLiterals(spec)) {
      const folded = foldText(text);
      const known = found.get(folded);
      if (!known) found.set(folded, { bytes: encoder.encode(folded), owners: [index] });
      else if (!known.owners.includes(index)) known.owners.push(index);
    }
  });
  return [...found.values()];
}

function checkedLiterals({ id, literals }: LineSpec): readonly string[] {
  if (literals.length === 0) throw new BadLiteralError(id, 'has no literal to look for');
  for (const text of literals) {
    if (Buffer.byteLength(text) < SHORTEST_LITERAL) {
      throw new BadLiteralError(id, `literal ${JSON.stringify(text)} is shorter than ${SHORTEST_LITERAL} bytes`);
    }
    if (text.includes('\n')) throw new BadLiteralError(id, `literal ${JSON.stringify(text)} holds a line break`);
  }
  return literals;
}

/** Lower case for ASCII letters only: the scanner sees bytes, where other letters have no case. */
function foldText(text: string): string {
  return text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

/** `g` and `y` make a RegExp remember where it stopped, so that the next line would be searched from there. */
function statelessPattern(spec: LineSpec): RegExp | undefined {
  const pattern = spec.pattern;
  if (!pattern || !(pattern.global || pattern.sticky)) return pattern;
  return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
}

function matchWith(specs: number, scan: Scanner['scan'], confirm: Scanner['confirm']): Scanner['match'] {
  const encoder = new TextEncoder();
  const known = new Uint8Array(specs);
  const candidates: number[] = [];
  let line = new Uint8Array(4096);

  function collect(spec: number): void {
    if (known[spec] === 1) return;
    known[spec] = 1;
    candidates.push(spec);
  }

  return (text) => {
    if (text.length * 3 > line.length && line.length < LINE_LIMIT) line = new Uint8Array(LINE_LIMIT);
    const { read, written } = encoder.encodeInto(text, line);
    scan(line, written, collect);
    if (candidates.length === 0) return NO_HITS;
    const found = candidates.splice(0);
    for (const spec of found) known[spec] = 0;
    return confirm(found, read < text.length ? text.slice(0, read) : text);
  };
}

function confirmIn(
  specs: readonly LineSpec[],
  patternOf: (index: number) => RegExp | undefined,
  candidates: readonly number[],
  text: string,
): readonly LineHit[] {
  const hits: LineHit[] = [];
  for (const index of candidates.length > 1 ? [...candidates].sort((a, b) => a - b) : candidates) {
    const fields = fieldsOf(patternOf(index), text);
    if (fields) hits.push({ spec: specs[index] as LineSpec, index, fields });
  }
  return hits;
}

function fieldsOf(pattern: RegExp | undefined, text: string): Record<string, string> | undefined {
  if (!pattern) return {};
  const match = pattern.exec(text);
  if (!match) return undefined;
  const fields: Record<string, string> = {};
  for (const name in match.groups) {
    const value = match.groups[name];
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

function scanWith(index: LiteralIndex): Scanner['scan'] {
  const { shift, after, window } = index;
  const check = checkerOf(index);
  let viewed: Uint8Array | undefined;
  let view: DataView = new DataView(new ArrayBuffer(0));

  return (buffer, length, onCandidate) => {
    if (buffer !== viewed) {
      view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
      viewed = buffer;
    }
    const bytes = view;
    const end = Math.min(length, buffer.length);
    const last = end - BLOCK;
    let at = window - BLOCK;
    while (at <= last) {
      const slot = Math.imul(bytes.getInt32(at, true) | FOLD_BITS, HASH_FACTOR) >>> HASH_SHIFT;
      const step = shift[slot] as number;
      if (step !== 0) {
        at += step;
        continue;
      }
      check(bytes, at, slot, end, onCandidate);
      at += after[slot] as number;
    }
  };
}

/** Compares in full the literals whose window may end with the block at `at`. */
function checkerOf(index: LiteralIndex) {
  const { head, next, lead, windowAt, text, textFrom, owners, ownersFrom, window } = index;
  const toWindowStart = window - BLOCK;

  return (view: DataView, at: number, slot: number, end: number, onCandidate: OnCandidate): void => {
    const windowStart = at - toWindowStart;
    const block = view.getInt32(windowStart, true) | FOLD_BITS;
    for (let id = head[slot] as number; id >= 0; id = next[id] as number) {
      if (lead[id] !== block) continue;
      const from = textFrom[id] as number;
      const to = textFrom[id + 1] as number;
      const start = windowStart - (windowAt[id] as number);
      if (start < 0 || start + to - from > end || !standsAt(view, start, text, from, to)) continue;
      const last = ownersFrom[id + 1] as number;
      for (let owner = ownersFrom[id] as number; owner < last; owner++) onCandidate(owners[owner] as number, start);
    }
  };
}

function standsAt(view: DataView, start: number, folded: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const byte = view.getUint8(start + i - from);
    if ((byte >= 65 && byte <= 90 ? byte | 0x20 : byte) !== folded[i]) return false;
  }
  return true;
}
