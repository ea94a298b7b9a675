import { ByteWindow } from './byte-window.ts';
import { BracketEnd, type ItemEnd, itemEndFor, LineEnd, OpenerEnd } from './item-end.ts';
import { ItemSkim, VAIN_LIMIT } from './item-skim.ts';
import { CLOSE_BRACKET, NEWLINE, OPEN_BRACE, OPEN_BRACKET, RETURN } from './json-bytes.ts';
import { continuesIn, kindIn, ListHead } from './list-head.ts';
import type { SplitterTarget } from './splitter-target.ts';

const ITEM_LIMIT = 64 << 20;

/**
 * Cuts JSON that is too large to be held into objects: lists item by item, concatenated objects one by one.
 * Text between them (prompts, markers) is passed over by lines.
 */
export class JsonSplitter {
  private readonly window = new ByteWindow();
  private readonly head = new ListHead();
  private readonly brackets = new BracketEnd();
  private readonly target: SplitterTarget;
  private readonly limit: number;
  private mode: 'between' | 'head' | 'items' | 'item' | 'rest' | 'tail' = 'between';
  /** Where the current piece starts, and how far all was dealt with. */
  private from = 0;
  private at = 0;
  private index = 0;
  private inArray = false;
  private listKind: string | undefined;
  /** How items of this list end, and the current one. */
  private way: ItemEnd = this.brackets;
  private ending: ItemEnd = this.brackets;
  private oversize = false;
  private readonly skimming: ItemSkim;
  /** Bytes in which brackets were counted for items that were broken. */
  private inVain = 0;
  /** Bytes outside of any JSON. */
  foreign = 0;
  /** What the first item of the next list is counted as: pages of one list go on counting. */
  first = 0;
  /** The last list said that there is more of it. */
  continues = false;

  constructor(target: SplitterTarget, limit = ITEM_LIMIT) {
    this.target = target;
    this.limit = limit;
    this.skimming = new ItemSkim(target.skimmer);
  }

  push(chunk: Uint8Array): void {
    this.window.append(chunk);
    while (this.step());
    this.window.dropBefore(this.keepFrom());
  }

  /** Items counted so far. */
  get items(): number {
    return this.index;
  }

  /** What is missing at the end, in words; undefined when nothing is. */
  finish(): string | undefined {
    while (this.step());
    if (this.mode === 'item' && this.ending !== this.brackets && !this.oversize) {
      this.way = this.brackets;
      this.useBrackets();
      while (this.step());
    }
    if (this.mode === 'between') return undefined;
    if (this.mode === 'head') return 'ends inside an object';
    return this.mode === 'tail' ? 'ends before the list is closed' : `ends inside the list, after ${this.index} items`;
  }

  private keepFrom(): number {
    if (this.mode !== 'item' && this.mode !== 'head') return this.at;
    if (!this.oversize) return this.from;
    return this.mode === 'item' ? this.ending.at : this.at;
  }

  /** Goes on as far as possible; false when more bytes are needed. */
  private step(): boolean {
    switch (this.mode) {
      case 'between':
        return this.between();
      case 'head':
        return this.readHead();
      case 'items':
        return this.eachItem();
      case 'item':
        return this.item();
      case 'rest':
        return this.passRest();
      case 'tail':
        return this.passTail();
    }
  }

  private between(): boolean {
    const byte = this.skip();
    if (byte === undefined) return false;
    if (byte === OPEN_BRACE) return this.begin('head');
    if (byte === OPEN_BRACKET) return this.beginItems(true, undefined);
    const newline = this.window.find(NEWLINE, this.at);
    const next = newline < 0 ? this.window.end : newline + 1;
    this.foreign += next - this.at;
    this.at = next;
    return newline >= 0;
  }

  /** Next byte that is neither blank nor comma. */
  private skip(): number | undefined {
    this.at = this.window.afterBlanks(this.at);
    return this.at < this.window.end ? this.window.byte(this.at) : undefined;
  }

  private begin(mode: 'head' | 'item'): boolean {
    this.mode = mode;
    this.from = this.at;
    this.oversize = false;
    if (mode === 'head') this.head.reset();
    return true;
  }

  private beginItems(inArray: boolean, kind: string | undefined): boolean {
    this.mode = 'items';
    this.at++;
    this.index = this.first;
    this.inArray = inArray;
    this.listKind = kind;
    this.skimming.begin(kind);
    return true;
  }

  /** Looks for the items of a list; an object without them is taken whole. */
  private readHead(): boolean {
    const { bytes, shift } = this.window.view();
    const found = this.head.read(bytes, this.at - shift, this.window.end - shift);
    this.at = found.at + shift;
    if (found.what === 'more') return this.grow();
    if (found.what === 'items') {
      const head = this.oversize ? '' : this.window.text(this.from, Math.min(this.at, this.from + 65_536));
      this.continues = continuesIn(head);
      return this.beginItems(false, kindIn(head));
    }
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

  private eachItem(): boolean {
    const byte = this.skip();
    if (byte === undefined) return false;
    if (byte === CLOSE_BRACKET) {
      this.at++;
      return this.leaveItems();
    }
    if (byte !== OPEN_BRACE) {
      this.brackets.begin(this.at, 1);
      this.mode = 'rest';
      return true;
    }
    if (this.index === this.first && !this.skimming.isWaitingAt(this.at)) this.way = itemEndFor(this.window, this.at);
    if (this.skim()) return true;
    if (this.skimming.isWaitingAt(this.at)) return false;
    // An item written on one line among indented ones (`{}`) ends by its brackets.
    const next = this.window.byte(this.at + 1);
    this.ending = this.way instanceof LineEnd && next !== NEWLINE && next !== RETURN ? this.brackets : this.way;
    this.ending.begin(this.at);
    return this.begin('item');
  }

  private skim(): boolean {
    const after = this.skimming.take(this.window, this.at);
    if (after < 0) return false;
    this.at = after;
    this.target.skimmer?.keep(this.pointer());
    return this.itemDone();
  }

  private pointer(): string {
    return `${this.inArray ? '' : '/items'}/${this.index}`;
  }

  private item(): boolean {
    const end = this.ending.find(this.window);
    if (end < 0) return this.ending instanceof OpenerEnd && this.ending.isHopeless(this.window) ? this.useBrackets() : this.grow();
    this.at = end;
    if (this.oversize) this.target.skipped(end - this.from);
    else if (!this.hand(end)) return this.askBrackets();
    return this.itemDone();
  }

  private itemDone(): boolean {
    this.index++;
    this.mode = 'items';
    return true;
  }

  private useBrackets(): boolean {
    this.ending = this.brackets;
    this.brackets.begin(this.from);
    return true;
  }

  private hand(end: number): boolean {
    const text = this.window.text(this.from, end);
    if (!this.target.item(text, this.pointer(), this.listKind)) return false;
    this.skimming.learn(text);
    return true;
  }

  /** The quick ways may be wrong about where an item ends; brackets are asked before it is given up. */
  private askBrackets(): boolean {
    const way = this.ending;
    if (way instanceof OpenerEnd) {
      this.way = this.brackets;
      return this.useBrackets();
    }
    if (way instanceof LineEnd && this.inVain <= this.at + VAIN_LIMIT) {
      this.useBrackets();
      const end = this.brackets.find(this.window);
      this.inVain += this.brackets.at - this.from;
      if (end >= 0 && this.hand(end)) {
        this.way = this.brackets;
        this.at = end;
        return this.itemDone();
      }
    }
    this.target.broken();
    return this.itemDone();
  }

  /** A list with elements that are no objects is none of Kubernetes; the rest of it is passed over. */
  private passRest(): boolean {
    const end = this.brackets.find(this.window);
    this.foreign += this.brackets.at - this.at;
    this.at = this.brackets.at;
    return end >= 0 && this.leaveItems();
  }

  private leaveItems(): boolean {
    this.mode = this.inArray ? 'between' : 'tail';
    this.brackets.begin(this.at, 1);
    return true;
  }

  private passTail(): boolean {
    const end = this.brackets.find(this.window);
    this.at = this.brackets.at;
    if (end < 0) return false;
    this.mode = 'between';
    return true;
  }
}
