const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

const EIGHT_SPACES = Buffer.alloc(8, SPACE).readDoubleBE();

/** Longer strings are searched for their end rather than walked through. */
const SHORT = 24;

/** How far the end of an indented value is looked for by lines alone. */
const FAR = 1 << 16;

/** Bytes that end a run of plain characters in a string: quotes, escapes, control characters; and those outside of ASCII. */
const STRING_STOPS = new Uint8Array(256).fill(1, 0, SPACE).fill(1, 128);
STRING_STOPS[QUOTE] = 1;
STRING_STOPS[BACKSLASH] = 1;

/** Bytes of numbers, `true`, `false` and `null`. */
const LITERAL = new Uint8Array(256);
for (const byte of Buffer.from('+-.0123456789Eaeflnrstu')) LITERAL[byte] = 1;

/** Bytes that matter between brackets; a zero stands after the last byte. */
const MARKS = new Uint8Array(256);
for (const [byte, mark] of [
  [QUOTE, 1],
  [OPEN_BRACE, 2],
  [OPEN_BRACKET, 2],
  [CLOSE_BRACE, 3],
  [CLOSE_BRACKET, 3],
  [0, 4],
] as const)
  MARKS[byte] = mark;

interface Word {
  readonly word: string;
  readonly bytes: Uint8Array;
}

/** Words to be told apart while they are still bytes. */
export class WordTable {
  private readonly byLength: (readonly Word[])[] = [];

  constructor(...words: readonly string[]) {
    for (const word of words) {
      while (this.byLength.length <= word.length) this.byLength.push([]);
      this.byLength[word.length] = [...(this.byLength[word.length] ?? []), { word, bytes: Buffer.from(word, 'latin1') }];
    }
  }

  /** The word that stands there; empty when it is none of these. */
  find(bytes: Uint8Array, from: number, to: number): string {
    const length = to - from;
    const words = length < this.byLength.length ? this.byLength[length] : undefined;
    if (words === undefined) return '';
    for (let index = 0; index < words.length; index++) {
      const known = words[index] as Word;
      const own = known.bytes;
      let same = 0;
      while (same < length && own[same] === bytes[from + same]) same++;
      if (same === length) return known.word;
    }
    return '';
  }
}

/**
 * Walks over JSON in bytes without making values of it. Whatever it does not expect makes it `broken`, and then it goes no
 * further: the text is left to a real parser. A zero byte must follow the last one.
 */
export class ByteCursor {
  private bytes: Buffer = Buffer.alloc(8);
  /** The same bytes, for looking at eight at once. */
  private view = new DataView(this.bytes.buffer);
  private end = 0;
  /** Indentation of the line that was last begun; -1 before the first. */
  private indent = -1;
  at = 0;
  broken = false;
  /** Where the last key, string or literal stands. */
  private from = 0;
  private to = 0;

  begin(bytes: Buffer, at: number, end: number): void {
    if (this.bytes !== bytes) this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.bytes = bytes;
    this.at = at;
    this.end = end;
    this.indent = -1;
    this.broken = false;
  }

  /** Bytes of the last key, string or literal. */
  get length(): number {
    return this.to - this.from;
  }

  fail(): false {
    this.broken = true;
    return false;
  }

  /** Enters an object; true when it stands before the value of its first key. */
  firstKey(): boolean {
    if (this.broken || this.bytes[this.at] !== OPEN_BRACE) return this.fail();
    this.at++;
    if (this.pass() !== CLOSE_BRACE) return this.key();
    this.at++;
    return false;
  }

  /** Goes on after a value of an object; false after its end. */
  nextKey(): boolean {
    if (this.broken) return false;
    let byte = this.bytes[this.at] as number;
    if (byte <= SPACE) byte = this.pass();
    this.at++;
    if (byte === CLOSE_BRACE) return false;
    if (byte !== COMMA) return this.fail();
    this.pass();
    return this.key();
  }

  /** Enters a list; true when it stands before its first element. */
  firstItem(): boolean {
    if (this.broken || this.bytes[this.at] !== OPEN_BRACKET) return this.fail();
    this.at++;
    if (this.pass() !== CLOSE_BRACKET) return true;
    this.at++;
    return false;
  }

  nextItem(): boolean {
    if (this.broken) return false;
    const byte = this.pass();
    this.at++;
    if (byte === CLOSE_BRACKET) return false;
    if (byte !== COMMA) return this.fail();
    this.pass();
    return true;
  }

  /** The last key, string or literal, if it is one of these. */
  among(words: WordTable): string {
    return words.find(this.bytes, this.from, this.to);
  }

  /** The string here, if it is one of these. */
  wordAmong(words: WordTable): string {
    return this.string() ? this.among(words) : '';
  }

  /** The number, `true`, `false` or `null` here, if it is one of these. */
  literalAmong(words: WordTable): string {
    return this.literal() ? this.among(words) : '';
  }

  isString(): boolean {
    return this.bytes[this.at] === QUOTE;
  }

  /** The string here. */
  text(): string {
    return this.string() ? this.bytes.toString('latin1', this.from, this.to) : '';
  }

  /** The string here where it comes after `text` in order; else `text`. */
  later(text: string): string {
    if (!this.string()) return text;
    const { bytes, from, to } = this;
    for (let index = 0; index < text.length && from + index < to; index++) {
      const difference = (bytes[from + index] as number) - text.charCodeAt(index);
      if (difference < 0) return text;
      if (difference > 0) return this.bytes.toString('latin1', from, to);
    }
    return to - from > text.length ? this.bytes.toString('latin1', from, to) : text;
  }

  /** Passes a value, whatever it is. */
  skip(): void {
    if (this.broken) return;
    const byte = this.bytes[this.at];
    if (byte === QUOTE) this.at = this.afterString(this.at + 1);
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.skipBrackets();
    else this.literal();
  }

  private key(): boolean {
    if (!this.string()) return false;
    const { bytes } = this;
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
    while (byte === SPACE || byte === NEWLINE || byte === TAB || byte === RETURN) {
      if (byte === NEWLINE) {
        const line = at + 1;
        at = line;
        while (view.getFloat64(at) === EIGHT_SPACES) at += 8;
        while (bytes[at] === SPACE) at++;
        this.indent = at - line;
      } else at++;
      byte = bytes[at] as number;
    }
    this.at = at;
    return byte;
  }

  /** A string of plain ASCII; others are left to the parser. */
  private string(): boolean {
    const { bytes } = this;
    if (this.broken || bytes[this.at] !== QUOTE) return this.fail();
    let at = this.at + 1;
    this.from = at;
    while (STRING_STOPS[bytes[at] as number] === 0) at++;
    if (bytes[at] !== QUOTE) return this.fail();
    this.to = at;
    this.at = at + 1;
    return true;
  }

  private literal(): boolean {
    const { bytes } = this;
    let at = this.at;
    while (LITERAL[bytes[at] as number] === 1) at++;
    if (this.broken || at === this.at) return this.fail();
    this.from = this.at;
    this.to = at;
    this.at = at;
    return true;
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
    let quote = bytes.indexOf(QUOTE, at);
    while (quote >= at && this.isEscaped(quote, at)) quote = bytes.indexOf(QUOTE, quote + 1);
    return quote < 0 || quote >= this.end ? this.breakOff(at) : quote + 1;
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
   * a line break; false when there is none.
   */
  private skipLines(): boolean {
    const { bytes, indent } = this;
    if (indent < 0) return false;
    const closing = bytes[this.at] === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
    const limit = Math.min(this.end, this.at + FAR);
    let last = this.at + indent + 1;
    do last = bytes.indexOf(closing, last + 1);
    while (last >= 0 && last < limit && !this.startsLine(last));
    if (last < 0 || last >= limit) return false;
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
