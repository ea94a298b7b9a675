import { pointerKey } from './json-value.ts';
import { closingQuote, isElision, literalOf, setOwn, unescaped } from './json-words.ts';

export type LineRange = readonly [first: number, last: number];

export interface TolerantJson {
  readonly value: unknown;
  /** Index of the line after the last one read. */
  readonly end: number;
  /** Something is missing: cut off, elided, or not closed. */
  readonly truncated: boolean;
  /** Pointers of what was still open when the text ended. */
  readonly open: readonly string[];
  /** Line numbers (from 1) by pointer. */
  readonly positions: ReadonlyMap<string, LineRange>;
}

interface Frame {
  readonly into: Record<string, unknown> | unknown[];
  readonly pointer: string;
  readonly line: number;
  readonly indent: number;
  /** Column of its first key. */
  childIndent?: number;
  key: string | undefined;
  keyLine: number;
}

const DEPTH = 64;
const JOINED_LINES = 40;
/** Beyond this many values only pointers are told. */
const POSITIONS = 200_000;
const LITERAL = /[-+.\w]{1,64}/y;

/** Reads JSON that people cut, elided and wrapped; keeps what is there and says what is not. Linear, without recursion. */
export class TolerantReader {
  private readonly lines: readonly string[];
  private row: number;
  private column = 0;
  private truncated = false;
  private elided = false;
  private done = false;
  private result: unknown;
  private readonly stack: Frame[] = [];
  private readonly positions = new Map<string, LineRange>();

  constructor(lines: readonly string[], from: number) {
    this.lines = lines;
    this.row = from;
  }

  /** With `body`, the line is a member of an object whose opening brace was cut away. */
  read(body = false): TolerantJson | undefined {
    const from = this.row;
    if (body) this.push({}, '', this.row);
    while (!this.done) {
      const char = this.peek();
      if (char === undefined) break;
      if (!this.step(char)) break;
      if (body && this.stack.length === 1 && !this.bodyGoesOn()) break;
    }
    const open = this.stack.map((frame) => frame.pointer);
    if (!this.done) this.close(body);
    if (body) this.passClosers();
    if (this.result === undefined) return undefined;
    return { value: this.result, end: Math.max(from + 1, this.endLine()), truncated: this.truncated, open, positions: this.positions };
  }

  /** Next character that is no blank; undefined at the end. */
  private peek(): string | undefined {
    for (; this.row < this.lines.length; this.row++, this.column = 0) {
      const line = this.lines[this.row] ?? '';
      if (this.column === 0 && isElision(line)) {
        this.truncated = true;
        this.elided = true;
        continue;
      }
      while (this.column < line.length && line.charCodeAt(this.column) <= 32) this.column++;
      if (this.column < line.length) return line[this.column];
    }
    return undefined;
  }

  /** Takes one token; false when the text here is not JSON any more. */
  private step(char: string): boolean {
    const frame = this.stack.at(-1);
    if (char === '}' || char === ']') return this.pop(char);
    if (frame && (char === ',' || char === ':')) {
      this.column++;
      return true;
    }
    if (frame && !Array.isArray(frame.into) && frame.key === undefined) return char === '"' ? this.readKey() : this.stray();
    if (char === '{' || char === '[') return this.open(char, frame);
    const line = this.row;
    const value = char === '"' ? this.readString() : this.readLiteral();
    if (value === undefined) return this.stray();
    this.put(value, line, this.row);
    return true;
  }

  private open(char: string, frame: Frame | undefined): boolean {
    if (this.stack.length >= DEPTH) return this.stray();
    this.column++;
    this.push(char === '{' ? {} : [], frame ? this.pointerIn(frame) : '', frame?.key === undefined ? this.row : frame.keyLine);
    return true;
  }

  private push(into: Record<string, unknown> | unknown[], pointer: string, line: number): void {
    this.stack.push({ into, pointer, line, indent: this.indentAt(line), key: undefined, keyLine: line });
  }

  private pointerIn(frame: Frame): string {
    return Array.isArray(frame.into) ? `${frame.pointer}/${frame.into.length}` : `${frame.pointer}/${pointerKey(frame.key ?? '')}`;
  }

  private put(value: unknown, first: number, last: number): void {
    const frame = this.stack.at(-1);
    if (!frame) {
      this.result = value;
      this.done = true;
      return;
    }
    if (this.positions.size < POSITIONS) {
      this.positions.set(this.pointerIn(frame), [(frame.key === undefined ? first : frame.keyLine) + 1, last + 1]);
    }
    if (Array.isArray(frame.into)) frame.into.push(value);
    else setOwn(frame.into, frame.key ?? '', value);
    frame.key = undefined;
  }

  /** Closes the nearest bracket of that shape: those in between were lost with elided lines. */
  private pop(char: string): boolean {
    const wanted = char === ']';
    this.column++;
    if (!this.stack.some((frame) => Array.isArray(frame.into) === wanted)) return this.stack.length > 0;
    for (let frame = this.stack.pop(); frame; frame = this.stack.pop()) {
      this.put(frame.into, frame.line, this.row);
      if (Array.isArray(frame.into) === wanted) return true;
      this.truncated = true;
    }
    return true;
  }

  private close(body: boolean): void {
    if (!body || this.stack.length > 1) this.truncated = true;
    for (let frame = this.stack.pop(); frame; frame = this.stack.pop())
      this.put(frame.into, frame.line, Math.min(this.row, this.lines.length - 1));
  }

  /** A line that starts with something else ends the block; inside a line the rest of it is passed over. */
  private stray(): boolean {
    this.truncated = true;
    const line = this.lines[this.row] ?? '';
    if (line.slice(0, this.column).trim() === '') return false;
    const frame = this.stack.at(-1);
    if (!frame || (this.stack.length === 1 && Object.keys(frame.into).length === 0)) return false;
    frame.key = undefined;
    this.row++;
    this.column = 0;
    return true;
  }

  /** Where elided lines took closing brackets along, indentation still tells what a key belongs to. */
  private closeLost(): void {
    const indent = this.column;
    const [root, ...inner] = this.stack;
    if (!root || root.childIndent === undefined || root.childIndent <= root.indent || this.indentAt(this.row) !== indent) return;
    for (const frame of inner.reverse()) {
      if (frame.indent < indent || frame.line === this.row) return;
      this.stack.pop();
      this.put(frame.into, frame.line, this.row - 1);
    }
  }

  private indentAt(row: number): number {
    return /^[ \t]*/.exec((this.lines[row] ?? '').slice(0, 400))?.[0].length ?? 0;
  }

  private readKey(): boolean {
    if (this.elided) this.closeLost();
    const frame = this.stack.at(-1);
    if (!frame) return false;
    frame.childIndent ??= this.column;
    const line = this.row;
    const key = this.readString();
    if (this.peek() !== ':') {
      this.truncated = true;
      return true;
    }
    this.column++;
    frame.key = key;
    frame.keyLine = line;
    return true;
  }

  private readString(): string {
    const start = this.column + 1;
    let line = this.lines[this.row] ?? '';
    let end = closingQuote(line, start);
    let raw = line.slice(start, end < 0 ? line.length : end);
    const more = end < 0 ? this.wrappedRows() : 0;
    for (let index = 0; index < more; index++) {
      this.row++;
      line = this.lines[this.row] ?? '';
      end = closingQuote(line, 0);
      raw += end < 0 ? line : line.slice(0, end);
    }
    if (end < 0) this.truncated = true;
    this.column = end < 0 ? line.length : end + 1;
    return unescaped(raw);
  }

  /** How many lines below belong to a string that a narrow terminal broke; 0 when it was cut off instead. */
  private wrappedRows(): number {
    for (let ahead = 1; ahead <= JOINED_LINES && this.row + ahead < this.lines.length; ahead++) {
      const line = this.lines[this.row + ahead] ?? '';
      if (/^\s*(?:"[\w./-]{1,80}"\s*:|[}\]],?\s*$)/.test(line) || isElision(line)) return 0;
      const end = closingQuote(line, 0);
      if (end >= 0) return /^\s*(?:[,:}\]]|$)/.test(line.slice(end + 1, end + 200)) ? ahead : 0;
    }
    return 0;
  }

  private readLiteral(): unknown {
    LITERAL.lastIndex = this.column;
    const word = LITERAL.exec(this.lines[this.row] ?? '')?.[0];
    const value = word === undefined ? undefined : literalOf(word);
    if (value === undefined || word === undefined || this.stack.length === 0) return undefined;
    this.column += word.length;
    return value;
  }

  /** Below the last member come the braces of what was cut away above. */
  private bodyGoesOn(): boolean {
    const char = this.peek();
    return char === '"' || char === ',' || char === ':' || this.stack[0]?.key !== undefined;
  }

  private passClosers(): void {
    while (
      this.row < this.lines.length &&
      /^\s{0,200}[}\]],?\s*$/.test((this.lines[this.row] ?? '').slice(this.column, this.column + 400))
    ) {
      this.row++;
      this.column = 0;
    }
  }

  /** A prompt glued to the last bracket stays for others. */
  private endLine(): number {
    if (this.row >= this.lines.length) return this.lines.length;
    if (this.column === 0) return this.row;
    const rest = (this.lines[this.row] ?? '').slice(this.column).trim();
    return rest.length <= 1 || /^[\s,;)}\]'"`]*$/.test(rest.slice(0, 200)) ? this.row + 1 : this.row;
  }
}
