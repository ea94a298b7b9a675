import { BLOCK, type Blocks, FOLD_BITS, type Frequencies, TABLE_SIZE, weighBlocks } from './block-chance.ts';

const LONGEST_WINDOW = 16;
/** Cost of looking at a place in full, measured against that of one step. */
const CHECK_COST = 8;
const CHAIN_COST = 3;
/** A longer literal is looked for by its end: beginnings like `failed to` are shared by many. */
const WEIGHED_BYTES = 20;

export interface Literal {
  /** Lower case (ASCII only). */
  readonly bytes: Uint8Array;
  readonly owners: readonly number[];
}

/**
 * For each literal one window of `window` bytes is looked for. `shift` tells by the last block of a window position how far to
 * move on; 0 means that some window may end here, and `head`/`next` list which.
 */
export interface LiteralIndex {
  readonly window: number;
  readonly shift: Uint8Array;
  /** How far to move on after a place with shift 0 was checked. */
  readonly after: Uint8Array;
  readonly head: Int16Array;
  readonly next: Int32Array;
  /** First block of each literal's window, folded. */
  readonly lead: Int32Array;
  /** Where in the literal its window starts. */
  readonly windowAt: Int32Array;
  /** All literals, one after the other; each ends where the next begins. */
  readonly text: Uint8Array;
  readonly textFrom: Int32Array;
  /** Whose they are, likewise. */
  readonly owners: Int32Array;
  readonly ownersFrom: Int32Array;
}

export function buildIndex(literals: readonly Literal[], frequencies: Frequencies): LiteralIndex {
  const window = literals.reduce((least, { bytes }) => Math.min(least, bytes.length), LONGEST_WINDOW);
  const longestShift = window - BLOCK + 1;
  const index: LiteralIndex = {
    window,
    shift: new Uint8Array(TABLE_SIZE).fill(longestShift),
    after: new Uint8Array(TABLE_SIZE).fill(longestShift),
    head: new Int16Array(TABLE_SIZE).fill(-1),
    next: new Int32Array(literals.length),
    lead: new Int32Array(literals.length),
    windowAt: new Int32Array(literals.length),
    text: Buffer.concat(literals.map(({ bytes }) => bytes)),
    textFrom: beginnings(literals.map(({ bytes }) => bytes.length)),
    owners: Int32Array.from(literals.flatMap(({ owners }) => owners)),
    ownersFrom: beginnings(literals.map(({ owners }) => owners.length)),
  };
  const parts = literals.map(({ bytes }) => bytes.subarray(-WEIGHED_BYTES));
  const all = Buffer.concat(parts);
  const blocks = weighBlocks(all, frequencies);
  let from = 0;
  parts.forEach((part, id) => {
    const to = from + part.length;
    const end = cheapestEnd(index, blocks, from, to);
    const start = end - window + BLOCK;
    addWindow(index, id, start, end, blocks.hashes);
    index.lead[id] = all.readInt32LE(start) | FOLD_BITS;
    index.windowAt[id] = (literals[id] as Literal).bytes.length - (to - start);
    from = to;
  });
  return index;
}

/** Where each of them begins in the whole, and where the last ends. */
function beginnings(lengths: readonly number[]): Int32Array {
  const from = new Int32Array(lengths.length + 1);
  lengths.forEach((length, id) => {
    from[id + 1] = (from[id] as number) + length;
  });
  return from;
}

/** `start` and `end` are the first and last block of the chosen window. */
function addWindow(index: LiteralIndex, id: number, start: number, end: number, hashes: Uint16Array): void {
  for (let at = start; at <= end; at++) {
    const slot = hashes[at] as number;
    const distance = end - at;
    if (distance < (index.shift[slot] as number)) index.shift[slot] = distance;
    if (distance > 0 && distance < (index.after[slot] as number)) index.after[slot] = distance;
  }
  const slot = hashes[end] as number;
  index.next[id] = index.head[slot] as number;
  index.head[slot] = id;
}

/** The window that slows the scan least: its last block above all should be rare, the ones before it less so. */
function cheapestEnd(index: LiteralIndex, { hashes, weights }: Blocks, from: number, to: number): number {
  const first = from + index.window - BLOCK;
  let best = first;
  let least = Number.POSITIVE_INFINITY;
  for (let end = first; end <= to - BLOCK; end++) {
    const check = index.shift[hashes[end] as number] === 0 ? CHAIN_COST : CHECK_COST;
    const cost = check * (weights[end] as number) + (weights[end - 1] as number) + 0.5 * (weights[end - 2] as number);
    if (cost >= least) continue;
    least = cost;
    best = end;
  }
  return best;
}
