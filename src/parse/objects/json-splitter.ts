import { ByteWindow } from './byte-window.ts';
import { ListHead } from './list-head.ts';
import { BracketScan } from './json-scan.ts';

export interface SplitterTarget {
  /** One element of a list's `items`, or of an array at the root; false when it is not valid JSON. */
  item(text: string, pointer: string, listKind: string | undefined): boolean;
  /** An element that stays invalid however it is cut. */
  broken(): void;
  /** An object at the root that is no list. */
  object(text: string): void;
  /** Something too large to be held was passed over. */
  skipped(bytes: number): void;
}

const NEWLINE = 10;
const SPACE = 32;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const COMMA = 44;
const ITEM_LIMIT = 64 << 20;

/**
 * Cuts JSON that is too large to be held into objects: lists item by item, concatenated objects one by one.
 * Text between them (prompts, markers) is passed over by lines.
 */
export class JsonSplitter {
  private readonly window = new ByteWindow();
  private readonly scan = new BracketScan();
  private readonly head = new ListHead();
  private readonly target: SplitterTarget;
  private readonly limit: number;
  private mode: 'between' | 'head' | 'items' | 'item' | 'value' | 'tail' = 'between';
  /** Where the current piece starts and how far it was looked at. */
  private from = 0;
  private at = 0;
  private index = 0;
  private inArray = false;
  private oversize = false;
  private escaped = false;
  private listKind: string | undefined;
  /** Set while items are indented as kubectl does: the line that ends each of them. */
  private closing: Buffer | undefined;
  /** Bytes outside of any JSON. */
  foreign = 0;

  constructor(target: SplitterTarget, limit = ITEM_LIMIT) {
    this.target = target;
    this.limit = limit;
  }

  push(chunk: Uint8Array): void {
    this.window.append(chunk);
    while (this.step());
    this.window.dropBefore(this.oversize || this.mode === 'between' || this.mode === 'items' || this.mode === 'tail' ? this.at : this.from);
  }

  /** What is missing at the end, in words; undefined when nothing is. */
  finish(): string | undefined {
    if (this.mode === 'between') return undefined;
    if (this.mode === 'head') return 'ends inside an object';
    return this.mode === 'tail' ? 'ends before the list is closed' : `ends inside the list, after ${this.index} items`;
  }

  /** Goes on as far as possible; false when more bytes are needed. */
  private step(): boolean {
    switch (this.mode) {
      case 'between':
        return this.between();
      case 'head':
        return this.readHead();
      case 'items':
        return this.items();
      case 'item':
        return this.item();
      case 'value':
        return this.passValue();
      case 'tail':
        return this.passTail();
    }
  }

  private between(): boolean {
    const byte = this.skip();
    if (byte === undefined) return false;
    if (byte === OPEN_BRACE) return this.begin('head');
    if (byte === OPEN_BRACKET) {
      this.inArray = true;
      return this.beginItems(undefined);
    }
    const newline = this.window.find(NEWLINE, this.at);
    const next = newline < 0 ? this.window.end : newline + 1;
    this.foreign += next - this.at;
    this.at = next;
    return newline >= 0;
  }

  /** Next byte that is neither blank nor comma. */
  private skip(): number | undefined {
    const { bytes, shift } = this.window.view();
    const end = this.window.end - shift;
    let index = this.at - shift;
    while (index < end) {
      const byte = bytes[index] ?? 0;
      if (byte > SPACE && byte < 128 && byte !== COMMA) break;
      index++;
    }
    this.at = index + shift;
    return index < end ? bytes[index] : undefined;
  }

  private begin(mode: 'head' | 'item' | 'value'): boolean {
    this.mode = mode;
    this.from = this.at;
    this.oversize = false;
    this.scan.reset();
    this.head.reset();
    return true;
  }

  private beginItems(kind: string | undefined): boolean {
    this.mode = 'items';
    this.at++;
    this.index = 0;
    this.listKind = kind;
    this.closing = undefined;
    return true;
  }

  /** Looks for the items of a list; an object without them is taken whole. */
  private readHead(): boolean {
    const { bytes, shift } = this.window.view();
    const found = this.head.read(bytes, this.at - shift, this.window.end - shift);
    this.at = found.at + shift;
    if (found.what === 'items') {
      this.inArray = false;
      return this.beginItems(kindIn(this.oversize ? '' : this.window.text(this.from, Math.min(this.at, this.from + 65_536))));
    }
    if (found.what === 'more') return this.grow();
    if (this.oversize) this.target.skipped(this.at - this.from);
    else this.target.object(this.window.text(this.from, this.at));
    this.mode = 'between';
    return true;
  }

  /** False as always when bytes run out; what grows past the limit is no longer kept. */
  private grow(): boolean {
    if (this.window.end - this.from > this.limit) this.oversize = true;
    return false;
  }

  private items(): boolean {
    const byte = this.skip();
    if (byte === undefined) return false;
    if (byte === CLOSE_BRACKET) {
      this.at++;
      this.mode = this.inArray ? 'between' : 'tail';
      this.scan.reset();
      this.scan.depth = 1;
      return true;
    }
    if (byte === OPEN_BRACE) {
      if (this.index === 0) this.closing = this.closingLine();
      return this.begin('item');
    }
    return this.begin('value');
  }

  /** The bytes of a line that ends an item, where the first item stands indented on a line of its own. */
  private closingLine(): Buffer | undefined {
    let spaces = 0;
    while (this.at - spaces > this.window.start && this.window.byte(this.at - spaces - 1) === SPACE) spaces++;
    const startsLine = this.at - spaces > this.window.start && this.window.byte(this.at - spaces - 1) === NEWLINE;
    return startsLine && spaces > 0 ? Buffer.from(`\n${' '.repeat(spaces)}}`, 'latin1') : undefined;
  }

  private item(): boolean {
    const end = this.closing ? this.endByLine(this.closing) : this.endByBrackets();
    if (end < 0) return this.grow();
    this.at = end;
    if (this.oversize) this.target.skipped(end - this.from);
    else if (!this.hand(end)) this.handByBrackets();
    this.index++;
    this.mode = 'items';
    return true;
  }

  private hand(end: number): boolean {
    return this.target.item(this.window.text(this.from, end), `${this.inArray ? '' : '/items'}/${this.index}`, this.listKind);
  }

  /** Lines may lie about where an item ends; brackets do not, so they are asked before it is given up. */
  private handByBrackets(): void {
    const { bytes, shift } = this.window.view();
    const end = this.closing ? new BracketScan().findClose(bytes, this.from - shift, this.window.end - shift, 0) : -1;
    if (end < 0 || end + shift === this.at || !this.hand(end + shift)) {
      this.target.broken();
      return;
    }
    this.closing = undefined;
    this.at = end + shift;
  }

  /** Raw line breaks never stand inside JSON strings, so a line with that bracket alone at that column is the item's last. */
  private endByLine(closing: Buffer): number {
    if (this.at === this.from && !this.isIndentedOpening()) return this.endByBrackets();
    if (this.scan.depth > 0) return this.endByBrackets();
    for (let found = this.window.find(CLOSE_BRACE, this.at); found >= 0; found = this.window.find(CLOSE_BRACE, found + 1)) {
      if (this.endsWith(closing, found)) return found + 1;
    }
    this.at = this.window.end;
    return -1;
  }

  private endsWith(closing: Uint8Array, position: number): boolean {
    const first = position - closing.length + 1;
    if (first <= this.from || this.window.byte(first) !== NEWLINE) return false;
    for (let index = 1; index < closing.length - 1; index++) if (this.window.byte(first + index) !== SPACE) return false;
    return true;
  }

  /** `{}` or an item written on one line among indented ones ends by its brackets. */
  private isIndentedOpening(): boolean {
    const next = this.window.byte(this.at + 1);
    return this.at + 1 >= this.window.end || next === NEWLINE || next === 13;
  }

  private endByBrackets(): number {
    const { bytes, shift } = this.window.view();
    const end = this.scan.findClose(bytes, this.at - shift, this.window.end - shift, 0);
    this.at = end < 0 ? this.window.end : end + shift;
    return end < 0 ? -1 : this.at;
  }

  /** An element that is no object: text, number or an inner array; none of them tells anything. */
  private passValue(): boolean {
    const first = this.window.byte(this.from);
    if (first === OPEN_BRACKET) {
      if (this.endByBrackets() < 0) return this.letGo();
    } else if (!this.passScalar(first)) return this.letGo();
    this.index++;
    this.mode = 'items';
    return true;
  }

  private letGo(): boolean {
    this.oversize = true;
    return false;
  }

  private passScalar(first: number): boolean {
    if (this.at === this.from) {
      this.at++;
      this.escaped = false;
    }
    for (; this.at < this.window.end; this.at++) {
      const byte = this.window.byte(this.at);
      if (first !== 34) {
        if (byte <= SPACE || byte === COMMA || byte === CLOSE_BRACKET) return true;
      } else if (this.escaped) this.escaped = false;
      else if (byte === 92) this.escaped = true;
      else if (byte === 34) {
        this.at++;
        return true;
      }
    }
    return false;
  }

  private passTail(): boolean {
    const end = this.endByBrackets();
    if (end < 0) return false;
    this.mode = 'between';
    return true;
  }
}

function kindIn(head: string): string | undefined {
  return /"kind"\s*:\s*"(?<kind>[A-Za-z]{1,80})"/.exec(head)?.groups?.['kind'];
}
