const COLON = 58;
const DOT = 46;
const ZERO = 48;

/** Digit runs this long are counters, process ids, fractions of seconds; shorter ones may be exit codes or statuses. */
const LONG_RUN = 4;

const OTHER = 0;
const NAME_PART = 1;
/** Also a name part. */
const DIGIT = 3;
const DIGIT_BIT = 2;

/** After one of these a digit belongs to a name. Capitals are none: names have few, and stamps like `E0314` and `14T09:26` do. */
const CLASS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (isDigit(byte)) return DIGIT;
  const letter = byte >= 97 && byte <= 122;
  return letter || byte === 45 || byte === 95 || byte === 47 || byte >= 128 ? NAME_PART : OTHER;
});

/** A line's hash without what differs from one utterance to the next; `low` and `high` are independent. */
export interface Shape {
  low: number;
  high: number;
}

/**
 * Hashes a line so that two utterances of the same thing about the same thing get the same shape. Clock times, fractions and long
 * numbers are left out. Everything that may name something stays: words, `web-0`, `node12`, addresses, hexadecimal ids, and short
 * numbers, which may be exit codes or statuses.
 */
export function shapeOf(bytes: Uint8Array, from: number, to: number, into: Shape): void {
  let low = 0x811c9dc5 | 0;
  let high = 0x2f0b4c47 | 0;
  let before = OTHER;
  /** Up to here the digits are known to stay. */
  let settled = from;
  let at = from;
  while (at < to) {
    const kind = CLASS[bytes[at] as number] as number;
    if (at + 3 < to) {
      const last = CLASS[bytes[at + 3] as number] as number;
      const middle = (CLASS[bytes[at + 1] as number] as number) | ((CLASS[bytes[at + 2] as number] as number) << 2);
      const anyDigit = (kind | middle | (middle >>> 2) | last) & DIGIT_BIT;
      const allNames = before & kind & middle & (middle >>> 2) & last & NAME_PART;
      if (anyDigit === 0 || allNames !== 0) {
        const word = wordAt(bytes, at);
        low = Math.imul(low ^ word, 0x01000193);
        low ^= low >>> 15;
        high = (Math.imul(high, 0x85ebca6b) + word) | 0;
        before = last;
        at += 4;
        continue;
      }
    }
    if (kind === DIGIT && before === OTHER && at >= settled) {
      settled = numberEnd(bytes, at, to);
      if (isPassing(bytes, at, settled, to)) {
        low = Math.imul(low ^ ZERO, 0x01000193);
        at = settled;
        continue;
      }
    }
    low = Math.imul(low ^ (bytes[at] as number), 0x01000193);
    high = (Math.imul(high, 33) + (bytes[at] as number)) | 0;
    before = kind;
    at++;
  }
  into.low = low;
  into.high = high;
}

function wordAt(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
  return low | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

/** End of a run of digits with single dots between them. */
function numberEnd(bytes: Uint8Array, from: number, to: number): number {
  let end = from + 1;
  while (end < to) {
    if (isDigit(bytes[end] as number)) end++;
    else if (bytes[end] === DOT && end + 1 < to && isDigit(bytes[end + 1] as number)) end += 2;
    else break;
  }
  return end;
}

/** Clock times, decimals and long numbers pass; addresses (three dots) and short numbers stay. */
function isPassing(bytes: Uint8Array, from: number, end: number, to: number): boolean {
  let dots = 0;
  for (let at = from; at < end; at++) if (bytes[at] === DOT) dots++;
  if (dots > 0) return dots < 3;
  if (end - from >= LONG_RUN) return true;
  if (end + 1 < to && bytes[end] === COLON && isDigit(bytes[end + 1] as number)) return true;
  return from >= 2 && bytes[from - 1] === COLON && isDigit(bytes[from - 2] as number);
}

export function mixNumber(shape: Shape, value: number): void {
  shape.low = Math.imul(shape.low ^ value, 0x01000193);
  shape.high = Math.imul(shape.high + value, 0x85ebca6b) ^ (shape.high >>> 15);
}

export function mixText(shape: Shape, text: string): void {
  for (let i = 0; i < text.length; i++) mixNumber(shape, text.charCodeAt(i));
  mixNumber(shape, -1);
}
