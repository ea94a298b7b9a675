import { ByteCursor } from './byte-cursor.ts';
import { type Field, isSame, type Shape } from './shape.ts';
import type { TextPool } from './text-pool.ts';

const SLOTS = 8;
const TIME_LENGTH = '2025-01-01T00:00:00Z'.length;

/** Checks JSON in bytes against a shape and notes where the wanted values stand. */
export class ShapeReader extends ByteCursor {
  /** The newest time stamp, or the one given when none is newer. */
  newest = '';
  private readonly starts = new Int32Array(SLOTS);
  private readonly ends = new Int32Array(SLOTS);
  private readonly counts = new Int32Array(SLOTS);

  /** Index after the element of a list that opens here; -1 when it does not fit the shape, or is not all there. */
  protected readElement(shape: Shape, newest: string): number {
    this.newest = newest;
    this.starts.fill(0);
    this.ends.fill(0);
    this.counts.fill(0);
    this.readShape(shape);
    const after = this.at;
    return this.broken || !this.isElementEnd() ? -1 : after;
  }

  protected startOf(slot: number): number {
    return this.starts[slot] as number;
  }

  protected endOf(slot: number): number {
    return this.ends[slot] as number;
  }

  /** What the pool makes of the text in a slot. */
  protected pooled<T>(slot: number, pool: TextPool<T>): T {
    return pool.get(this.bytes, this.starts[slot] as number, this.ends[slot] as number);
  }

  protected lengthOf(slot: number): number {
    return (this.ends[slot] as number) - (this.starts[slot] as number);
  }

  protected countIn(slot: number): number {
    return this.counts[slot] as number;
  }

  private readShape(shape: Shape): void {
    let seen = 0;
    for (let more = this.firstKey(); more; more = this.nextKey()) {
      const entry = shape.find(this.bytes, this.from, this.to);
      if (entry === undefined) {
        if (shape.closed) this.fail();
        else this.skip();
      } else if ((seen & entry.bit) !== 0) {
        // Of a key that comes twice a parser keeps the last.
        this.fail();
      } else {
        seen |= entry.bit;
        this.readField(entry.field);
      }
    }
    if ((seen & shape.needed) !== shape.needed) this.fail();
  }

  private readField(field: Field): void {
    switch (field.what) {
      case 'object':
        this.readShape(field.shape as Shape);
        break;
      case 'list':
        this.readList(field);
        break;
      case 'text':
        if (this.string()) this.put(field.slot);
        break;
      case 'one-of':
        if (!this.isWordOf(field)) this.fail();
        break;
      case 'none-of':
        if (this.isWordOf(field)) this.fail();
        break;
      case 'time':
        this.readTime();
        break;
      default:
        this.fail();
    }
  }

  private readList(field: Field): void {
    const { shape, slot } = field;
    let count = 0;
    for (let more = this.firstItem(); more; more = this.nextItem()) {
      count++;
      if (shape === undefined) this.skip();
      else this.readShape(shape);
    }
    if (slot >= 0) this.counts[slot] = count;
  }

  private put(slot: number): void {
    this.starts[slot] = this.from;
    this.ends[slot] = this.to;
  }

  private isWordOf({ words }: Field): boolean {
    const from = this.at;
    if (this.isString()) this.string();
    else this.literal();
    const length = this.at - from;
    for (let index = 0; index < words.length; index++) {
      const word = words[index] as Uint8Array;
      if (word.length === length && isSame(word, this.bytes, from)) return true;
    }
    return false;
  }

  /** Time stamps as the API server writes them compare as text; others are left to the parser. */
  private readTime(): void {
    if (!this.isString()) this.skip();
    else if (!this.string() || this.to - this.from !== TIME_LENGTH) this.fail();
    else if (this.isNewer()) this.newest = this.bytes.toString('latin1', this.from, this.to);
  }

  private isNewer(): boolean {
    const { bytes, from, newest } = this;
    for (let index = 0; index < TIME_LENGTH; index++) {
      const difference = index < newest.length ? (bytes[from + index] as number) - newest.charCodeAt(index) : 1;
      if (difference !== 0) return difference > 0;
    }
    return false;
  }
}
