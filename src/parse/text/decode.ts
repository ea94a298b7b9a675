import { isAscii, isUtf8 } from 'node:buffer';
import { guessLegacyEncoding } from './guess-encoding.ts';

export interface DecodedText {
  readonly text: string;
  /** As TextDecoder names it. */
  readonly encoding: string;
  /** What could not be decoded as it stands, in a user's words. */
  readonly problems: string[];
}

/** Longer strings than this the engine may refuse to make. */
const LIMIT = 256 * 1024 * 1024;

/** Bytes to text with `\n` line ends. Never throws: what cannot be decoded becomes U+FFFD and a problem. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const problems: string[] = [];
  const taken = bytes.length > LIMIT ? bytes.subarray(0, LIMIT) : bytes;
  if (taken.length < bytes.length) problems.push(`only the first ${LIMIT} of ${bytes.length} bytes were decoded`);
  const encoding = detectEncoding(taken);
  const text = decodeAs(taken, encoding, problems);
  return { text: normaliseLineEnds(text), encoding, problems };
}

function detectEncoding(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (isUtf8(bytes) && bytes.indexOf(0) < 0) return 'utf-8';
  return detectUtf16(bytes) ?? (isUtf8(bytes) ? 'utf-8' : detectBroken(bytes));
}

function decodeAs(bytes: Uint8Array, encoding: string, problems: string[]): string {
  if (encoding === 'utf-8' && isAscii(bytes)) return asBuffer(bytes).toString('latin1');
  const text = new TextDecoder(encoding).decode(bytes);
  if (encoding === 'utf-8' && isUtf8(bytes)) return text;
  if (encoding !== 'utf-8') problems.push(`not UTF-8: read as ${encoding}`);
  const lost = countReplacements(text);
  if (lost > 0) problems.push(`${lost} characters could not be decoded`);
  return text;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function countReplacements(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) count += 1;
  return count;
}

const SAMPLE = 64 * 1024;

/** Latin letters, digits, blanks and line ends have a zero half in UTF-16, always on the same side. */
function detectUtf16(bytes: Uint8Array): string | undefined {
  const pairs = Math.min(bytes.length, SAMPLE) >> 1;
  if (pairs < 2) return undefined;
  let even = 0;
  let odd = 0;
  for (let index = 0; index < pairs; index += 1) {
    if (bytes[index * 2] === 0) even += 1;
    if (bytes[index * 2 + 1] === 0) odd += 1;
  }
  if (odd > pairs * 0.2 && even < pairs * 0.02) return 'utf-16le';
  if (even > pairs * 0.2 && odd < pairs * 0.02) return 'utf-16be';
  return undefined;
}

/** Mostly sound UTF-8 stays UTF-8 with a few replaced bytes; otherwise it is one of the older encodings. */
function detectBroken(bytes: Uint8Array): string {
  const { sound, broken } = countSequences(bytes);
  if (sound >= broken * 4 && sound > 0) return 'utf-8';
  if (broken === 0) return 'utf-8';
  return guessLegacyEncoding(bytes) ?? 'utf-8';
}

function countSequences(bytes: Uint8Array): { sound: number; broken: number } {
  let sound = 0;
  let broken = 0;
  let index = 0;
  // A cut at either end leaves parts of a character that prove nothing.
  while (index < 3 && isContinuation(bytes[index])) index += 1;
  while (index < bytes.length) {
    const byte = bytes[index] ?? 0;
    if (byte < 0x80) {
      index += 1;
      continue;
    }
    const length = sequenceLength(byte);
    let taken = 1;
    while (taken < length && isContinuation(bytes[index + taken])) taken += 1;
    const cutOff = length > 0 && index + taken >= bytes.length;
    if (length > 0 && taken === length) sound += 1;
    else if (!cutOff) broken += 1;
    index += length > 0 && taken === length ? length : 1;
  }
  return { sound, broken };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function sequenceLength(byte: number): number {
  if (byte >= 0xc2 && byte <= 0xdf) return 2;
  if (byte >= 0xe0 && byte <= 0xef) return 3;
  return byte >= 0xf0 && byte <= 0xf4 ? 4 : 0;
}

/**
 * Carriage returns alone end lines only where nothing else does (old Macintosh text); among other lines they are
 * progress bars drawing over themselves, which `cleanText` resolves without moving line numbers.
 */
function normaliseLineEnds(text: string): string {
  if (!text.includes('\r')) return text;
  if (!text.includes('\n')) return text.replaceAll('\r', '\n');
  return text.replaceAll('\r\n', '\n');
}
