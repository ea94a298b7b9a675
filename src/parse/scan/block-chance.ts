import { TYPICAL_TEXT } from './typical-text.ts';

/** Bytes that the scanner reads at once. */
export const BLOCK = 4;
/** Sets the bit in which upper and lower case ASCII letters differ, in each of four bytes. */
export const FOLD_BITS = 0x20202020;
const HASH_BITS = 16;
export const TABLE_SIZE = 1 << HASH_BITS;
export const HASH_SHIFT = 32 - HASH_BITS;
export const HASH_FACTOR = 0x9e3779b1 | 0;

const SAMPLE_LIMIT = 1 << 20;
/** A short text needs only a small table to keep its blocks apart. */
const TYPICAL_BITS = 13;

/** The 4-byte blocks that start at each byte of a text: where they are filed, and how common they are in logs. */
export interface Blocks {
  readonly hashes: Uint16Array;
  readonly weights: Int32Array;
}

/** How often what occurs in text like the one to be scanned. */
export interface Frequencies {
  /** Pairs of 7-bit bytes in the typical text. */
  readonly pairs: Uint8Array;
  readonly blocks: Uint32Array;
  readonly blockBits: number;
  /** One block seen weighs as much as this product of two pair counts. */
  readonly blockWeight: number;
  readonly typicalSize: number;
}

let typical: Frequencies | undefined;

export function typicalFrequencies(): Frequencies {
  if (typical) return typical;
  const bytes = new TextEncoder().encode(TYPICAL_TEXT);
  const pairs = new Uint8Array(128 * 128);
  let first = 0;
  for (let at = 0; at < bytes.length; at++) {
    const second = ((bytes[at] as number) | 0x20) & 127;
    const slot = (first << 7) | second;
    if ((pairs[slot] as number) < 255) pairs[slot] = (pairs[slot] as number) + 1;
    first = second;
  }
  const blocks = countBlocks(bytes, TYPICAL_BITS);
  typical = { pairs, blocks, blockBits: TYPICAL_BITS, blockWeight: bytes.length, typicalSize: bytes.length };
  return typical;
}

/** A sample shorter than the typical text knows less than that. */
export function frequenciesOf(sample: Uint8Array): Frequencies {
  const known = typicalFrequencies();
  if (sample.length <= known.typicalSize) return known;
  const size = Math.min(sample.length, SAMPLE_LIMIT);
  const blockWeight = Math.max(1, Math.round((known.typicalSize * known.typicalSize) / size));
  return { ...known, blocks: countBlocks(sample, HASH_BITS), blockBits: HASH_BITS, blockWeight };
}

function countBlocks(bytes: Uint8Array, bits: number): Uint32Array {
  const counts = new Uint32Array(1 << bits);
  const end = Math.min(bytes.length, SAMPLE_LIMIT);
  let block = 0;
  for (let at = 0; at < end; at++) {
    block = (block >>> 8) | ((bytes[at] as number) << 24) | FOLD_BITS;
    const slot = Math.imul(block, HASH_FACTOR) >>> (32 - bits);
    counts[slot] = (counts[slot] as number) + 1;
  }
  return counts;
}

/**
 * Blocks seen count as seen; the others are guessed from their pairs of letters, so that a block like `tion` that a short sample
 * happens to lack is still held for common.
 */
export function weighBlocks(bytes: Uint8Array, { pairs, blocks, blockBits, blockWeight }: Frequencies): Blocks {
  const count = Math.max(0, bytes.length - BLOCK + 1);
  const hashes = new Uint16Array(count);
  const weights = new Int32Array(count);
  const toSlot = HASH_BITS - blockBits;
  let block = 0;
  for (let at = 1 - BLOCK; at < count; at++) {
    block = (block >>> 8) | ((bytes[at + 3] as number) << 24) | FOLD_BITS;
    if (at < 0) continue;
    const hash = Math.imul(block, HASH_FACTOR) >>> HASH_SHIFT;
    const firstPair = ((block & 127) << 7) | ((block >>> 8) & 127);
    const secondPair = ((block >>> 9) & 0x3f80) | ((block >>> 24) & 127);
    hashes[at] = hash;
    weights[at] = (blocks[hash >>> toSlot] as number) * blockWeight + (pairs[firstPair] as number) * (pairs[secondPair] as number);
  }
  return { hashes, weights };
}
