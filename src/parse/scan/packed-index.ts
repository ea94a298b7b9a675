import type { LiteralIndex } from './literal-index.ts';

/** What an index consists of, in this order, each part on a multiple of four bytes. */
const PARTS = [
  ['next', Int32Array],
  ['lead', Int32Array],
  ['windowAt', Int32Array],
  ['textFrom', Int32Array],
  ['owners', Int32Array],
  ['ownersFrom', Int32Array],
  ['head', Int16Array],
  ['shift', Uint8Array],
  ['after', Uint8Array],
  ['text', Uint8Array],
] as const;

/** Reads differently on a machine of the other byte order, which then makes an index of its own. */
const MARK = 0x01020304;
const HEAD = 2 + PARTS.length;

/** One run of bytes: the mark, the window, the length of each part, the parts. */
export function packIndex(index: LiteralIndex): Uint8Array {
  const lengths = PARTS.map(([name]) => index[name].byteLength);
  const packed = new Uint8Array(4 * HEAD + lengths.reduce((sum, length) => sum + padded(length), 0));
  new Int32Array(packed.buffer, 0, HEAD).set([MARK, index.window, ...lengths]);
  let at = 4 * HEAD;
  for (const [name] of PARTS) {
    const part = index[name];
    packed.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += padded(part.byteLength);
  }
  return packed;
}

/** Views of the packed bytes: nothing is copied unless they lie askew. */
export function unpackIndex(bytes: Uint8Array): LiteralIndex | undefined {
  const packed = bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
  const [mark, window, ...lengths] = new Int32Array(packed.buffer, packed.byteOffset, HEAD);
  if (mark !== MARK) return undefined;
  let at = packed.byteOffset + 4 * HEAD;
  const parts = PARTS.map(([name, Kind], which) => {
    const length = lengths[which] as number;
    const part = new Kind(packed.buffer as ArrayBuffer, at, length / Kind.BYTES_PER_ELEMENT);
    at += padded(length);
    return [name, part] as const;
  });
  return { window: window as number, ...Object.fromEntries(parts) } as unknown as LiteralIndex;
}

function padded(length: number): number {
  return (length + 3) & ~3;
}
