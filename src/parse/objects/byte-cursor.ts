import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  EIGHT_SPACES,
  LITERAL,
  MARKS,
  NEWLINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  RETURN,
  SPACE,
  STRING_STOPS,
  TAB,
} from './json-bytes.ts';

/** Longer strings are searched for their end rather than walked through. */
const SHORT = 24;

/** How far the end of an indented value is looked for by lines alone. */
const FAR = 1 << 16;

/**
 * Walks over JSON in bytes without making values of it. Whatever it does not expect makes it `broken`, and then it goes no
 * further: the text is left to a real parser. At least eight bytes, the first of them zero, must follow the last one.
 */
export class ByteCursor {
  protected bytes: Buffer = Buffer.alloc(8);
  /** The same bytes, for looking at eight at once. */
  private view = new DataView(this.bytes.buffer);
  private end = 0;
  private orderly = false;
  /** Indentation of the line that was last begun; -1 before the first. */
  private indent = -1;
  /** How far was looked ahead. */
  private ahead = 0;
  protected at = 0;
  protected broken = false;
  /** Where the last key, string or literal stands. */
  protected from = 0;
  protected to = 0;

  /** `orderly` bytes are laid out so that how far a line stands in tells how deep it is. */
  protected begin(bytes: Buffer, at: number, end: number, orderly: boolean): void {
    if (this.bytes !== bytes) this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.bytes = bytes;
    this.at = at;
    this.end = end;
    this.orderly = orderly;
    this.indent = -1;
    this.ahead = at;
    this.broken = false;
  }

  /** Index up to which bytes were looked at. */
  get reached(): number {
    return Math.max(this.at, this.ahead);
  }

  protected fail(): false {
    this.broken = true;
    return false;
  }

  /** Enters an object; true when it stands before the value of its first key. */
  protected firstKey(): boolean {
    if (this.bytes[this.at] !== OPEN_BRACE) return this.fail();
    this.at++;
    if (this.pass() !== CLOSE_BRACE) return this.key();
    this.at++;
    return false;
  }

  /** Goes on after a value of an object; false after its end. */
  protected nextKey(): boolean {
    if (!this.goOn(CLOSE_BRACE)) return false;
    return this.key();
  }

  /** Enters a list; true when it stands before its first element. */
  protected firstItem(): boolean {
    if (this.bytes[this.at] !== OPEN_BRACKET) return this.fail();
    this.at++;
    if (this.pass() !== CLOSE_BRACKET) return true;
    this.at++;
    return false;
  }

  protected nextItem(): boolean {
    return this.goOn(CLOSE_BRACKET);
  }

  protected isString(): boolean {
    return this.bytes[this.at] === QUOTE;
  }

  /** A string of plain ASCII; others are left to the parser. */
  protected string(): boolean {
    const { bytes } = this;
    let at = this.at;
    if (bytes[at++] !== QUOTE) return this.fail();
    this.from = at;
    while (STRING_STOPS[bytes[at] as number] === 0) at++;
    this.to = at;
    this.at = at + 1;
    return bytes[at] === QUOTE || this.fail();
  }

  /** A number, `true`, `false` or `null`. */
  protected literal(): boolean {
    const { bytes } = this;
    let at = this.at;
    this.from = at;
    while (LITERAL[bytes[at] as number] === 1) at++;
    this.to = at;
    this.at = at;
    return at > this.from || this.fail();
  }

  /** Passes a value, whatever it is. */
  protected skip(): void {
    const byte = this.bytes[this.at];
    if (byte === QUOTE) this.at = this.afterString(this.at + 1);
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.skipBrackets();
    else this.literal();
  }

  /** Whether an element of a list ends here. */
  protected isElementEnd(): boolean {
    const byte = this.pass();
    return byte === COMMA || byte === CLOSE_BRACKET;
  }

  private goOn(closing: number): boolean {
    const { bytes } = this;
    let byte = bytes[this.at] as number;
    if (byte <= SPACE) byte = this.pass();
    this.at++;
    if (byte === COMMA) {
      this.pass();
      return !this.broken;
    }
    return byte === closing ? false : this.fail();
  }

  private key(): boolean {
    const { bytes } = this;
    if (!this.string()) return false;
    if ((bytes[this.at] as number) <= SPACE) this.pass();
    if (bytes[this.at] !== COLON) return this.fail();
    this.at++;
    if (bytes[this.at] === SPACE) this.at++;
    if ((bytes[this.at] as number) <= SPACE) this.pass();
    return true;
  }

  /** Passes blanks; returns the byte after them. */
  private pass(): number {
    const { bytes, view } = this;
    let at = this.at;
    let byte = bytes[at] as number;
    while (byte === NEWLINE || byte === SPACE || byte === TAB || byte === RETURN) {
      at++;
      if (byte === NEWLINE) {
        const line = at;
        while (view.getFloat64(at) === EIGHT_SPACES) at += 8;
        while (bytes[at] === SPACE) at++;
        this.indent = at - line;
      }
      byte = bytes[at] as number;
    }
    this.at = at;
    return byte;
  }

  /** Index after the closing quote. */
  private afterString(from: number): number {
    const { bytes } = this;
    let at = from;
    const near = from + SHORT;
    while (at < near) {
      const byte = bytes[at++] as number;
      if (byte === QUOTE) return at;
      // Where the bytes end, an escape must not lead past the zero.
      if (byte === 0 || (byte === BACKSLASH && bytes[at++] === 0)) return this.breakOff(at);
    }
    let quote = this.seek(QUOTE, at);
    while (quote < this.end && this.isEscaped(quote, at)) quote = this.seek(QUOTE, quote + 1);
    return quote < this.end ? quote + 1 : this.breakOff(at);
  }

  /** Index of the next such byte; the end of all bytes when there is none. */
  private seek(byte: number, from: number): number {
    const found = this.bytes.indexOf(byte, from);
    const index = found < 0 ? this.bytes.length : found;
    if (index > this.ahead) this.ahead = index;
    return index;
  }

  private isEscaped(position: number, from: number): boolean {
    let first = position;
    while (first > from && this.bytes[first - 1] === BACKSLASH) first--;
    return (position - first) % 2 === 1;
  }

  private breakOff(at: number): number {
    this.broken = true;
    return at;
  }

  private skipBrackets(): void {
    const { bytes } = this;
    if (bytes[this.at + 1] === NEWLINE && this.skipLines()) return;
    let depth = 0;
    let at = this.at;
    do {
      const mark = MARKS[bytes[at++] as number];
      if (mark === 0) continue;
      if (mark === 1) at = this.afterString(at);
      else if (mark === 2) depth++;
      else if (mark === 3) depth--;
      else this.broken = true;
    } while (depth > 0 && !this.broken);
    this.at = at;
  }

  /**
   * Indented values end with the first closing bracket that stands as far in as the line they began on, since no string holds
   * a line break. False where the lines are not laid out like that.
   */
  private skipLines(): boolean {
    const { bytes, indent } = this;
    if (!this.orderly || indent < 0 || bytes[this.at + indent + 2] !== SPACE) return false;
    const closing = bytes[this.at] === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
    const limit = Math.min(this.end, this.at + FAR);
    let last = this.seek(closing, this.at + indent + 2);
    while (last < limit && !this.startsLine(last)) last = this.seek(closing, last + 1);
    if (last >= limit) return false;
    this.at = last + 1;
    return true;
  }

  private startsLine(position: number): boolean {
    const { bytes, indent } = this;
    if (bytes[position - indent - 1] !== NEWLINE) return false;
    for (let at = position - indent; at < position; at++) if (bytes[at] !== SPACE) return false;
    return true;
  }
}
