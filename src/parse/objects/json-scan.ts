const QUOTE = 34;
const BACKSLASH = 92;

/** Bytes that matter outside of strings. */
const MARKS = new Uint8Array(256);
for (const [byte, mark] of [
  [QUOTE, 1],
  [123, 2],
  [91, 2],
  [125, 3],
  [93, 3],
] as const)
  MARKS[byte] = mark;

/** Follows strings and brackets through bytes that arrive in parts. */
export class BracketScan {
  private depth = 0;
  private inString = false;
  private escaped = false;

  reset(depth = 0): void {
    this.set(depth, false, false);
  }

  /** Index after the bracket that takes `depth` down to `floor`; -1 when `bytes` end before it. */
  findClose(bytes: Uint8Array, from: number, to: number, floor: number): number {
    let { depth, inString } = this;
    let at = this.escaped ? from + 1 : from;
    while (at < to) {
      if (inString) {
        at = afterString(bytes, at, to);
        if (at < 0 || at > to) break;
        inString = false;
      }
      let mark = 0;
      while (at < to && mark === 0) mark = MARKS[bytes[at++] as number] as number;
      if (mark === 1) inString = true;
      else if (mark === 2) depth++;
      else if (mark === 3 && --depth <= floor) {
        this.set(depth, false, false);
        return at;
      }
    }
    this.set(depth, inString, at > to);
    return -1;
  }

  private set(depth: number, inString: boolean, escaped: boolean): void {
    this.depth = depth;
    this.inString = inString;
    this.escaped = escaped;
  }
}

/** Index after the closing quote; -1 when the bytes end first, past their end when they end with a backslash. */
function afterString(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to) {
    const byte = bytes[at++] as number;
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return at > to ? at : -1;
}
