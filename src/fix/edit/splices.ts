import type { Cut, Edited, Splice } from './edit.ts';
import { refuse } from './edit.ts';

/** Half of a surrogate pair. */
const LONE = /\p{Cs}/u;

type Segment = { readonly from: number; readonly to: number } | { readonly bytes: Buffer };

/** Splices stand in order and do not overlap; anything else is a mistake of the caller. */
export function applySplices(before: string, splices: readonly Splice[]): string {
  const bytes = Buffer.from(before, 'utf8');
  return joined(bytes, cutUp([{ from: 0, to: bytes.length }], splices)).toString('utf8');
}

/** One list of splices for two edits, the second made upon the outcome of the first. */
export function composeSplices(before: string, first: readonly Splice[], second: readonly Splice[]): readonly Splice[] {
  const size = Buffer.byteLength(before, 'utf8');
  return asSplices(cutUp(cutUp([{ from: 0, to: size }], first), second), size);
}

/** Makes each edit upon the outcome of the one before; the first refusal ends it. */
export function editInTurn(before: string, edits: readonly ((text: string) => Edited)[]): Edited {
  let after = before;
  let splices: readonly Splice[] = [];
  const notes: string[] = [];
  for (const edit of edits) {
    const edited = edit(after);
    if (!edited.ok) return edited;
    splices = composeSplices(before, splices, edited.splices);
    after = edited.after;
    notes.push(...(edited.notes ?? []));
  }
  return { ok: true, after, splices, ...(notes.length > 0 ? { notes } : {}) };
}

export function cutText(before: string, cuts: readonly Cut[]): Edited {
  if (before.includes('\uFFFD') || LONE.test(before)) return refuse('The file is not valid UTF-8.');
  if (cuts.some((cut) => LONE.test(cut.text))) return refuse('The new value is not valid text.');
  const splices: Splice[] = [];
  let after = '';
  let at = 0;
  let bytes = 0;
  for (const cut of [...cuts].sort((one, other) => one.from - other.from)) {
    if (cut.from < at) return refuse('Two edits of the file overlap.');
    const kept = before.slice(at, cut.from);
    const gone = before.slice(cut.from, cut.to);
    const from = bytes + Buffer.byteLength(kept, 'utf8');
    const to = from + Buffer.byteLength(gone, 'utf8');
    if (gone !== cut.text) splices.push({ from, to, text: cut.text });
    after += kept + cut.text;
    at = cut.to;
    bytes = to;
  }
  return { ok: true, after: after + before.slice(at), splices };
}

function sizeOf(segment: Segment): number {
  return 'bytes' in segment ? segment.bytes.length : segment.to - segment.from;
}

function partOf(segment: Segment, from: number, to: number): Segment {
  if ('bytes' in segment) return { bytes: segment.bytes.subarray(from, to) };
  return { from: segment.from + from, to: segment.from + to };
}

/** The part of the segments that lies between two offsets of what they make up together. */
function between(segments: readonly Segment[], from: number, to: number): Segment[] {
  const parts: Segment[] = [];
  let at = 0;
  for (const segment of segments) {
    const start = Math.max(from - at, 0);
    const end = Math.min(to - at, sizeOf(segment));
    if (start < end) parts.push(partOf(segment, start, end));
    at += sizeOf(segment);
  }
  return parts;
}

function cutUp(segments: readonly Segment[], splices: readonly Splice[]): readonly Segment[] {
  const size = segments.reduce((sum, segment) => sum + sizeOf(segment), 0);
  const parts: Segment[] = [];
  let at = 0;
  for (const splice of splices) {
    if (splice.from < at || splice.to < splice.from || splice.to > size) throw new RangeError('splices overlap or lie outside the text');
    parts.push(...between(segments, at, splice.from), { bytes: Buffer.from(splice.text, 'utf8') });
    at = splice.to;
  }
  return [...parts, ...between(segments, at, size)];
}

function joined(bytes: Buffer, segments: readonly Segment[]): Buffer {
  return Buffer.concat(segments.map((segment) => ('bytes' in segment ? segment.bytes : bytes.subarray(segment.from, segment.to))));
}

function asSplices(segments: readonly Segment[], size: number): readonly Splice[] {
  const splices: Splice[] = [];
  let pending: Buffer[] = [];
  let at = 0;
  for (const segment of [...segments, { from: size, to: size }]) {
    if ('bytes' in segment) {
      pending.push(segment.bytes);
      continue;
    }
    const text = Buffer.concat(pending).toString('utf8');
    if (segment.from > at || text !== '') splices.push({ from: at, to: segment.from, text });
    pending = [];
    at = segment.to;
  }
  return splices;
}
