import { COMMA, SPACE } from './json-bytes.ts';

const INITIAL = 4 << 20;
/** Room behind the bytes, so that loops may look a little past their end. */
const MARGIN = 1024;

/** The part of a stream that is still needed. Positions count from the start of the stream. */
export class ByteWindow {
  private buffer: Buffer = Buffer.allocUnsafeSlow(INITIAL + MARGIN);
  /** Position of the first byte kept and after the last one. */
  start = 0;
  end = 0;
  /** Position that stands at index 0 of the buffer. */
  private origin = 0;

  append(chunk: Uint8Array): void {
    this.makeRoom(chunk.length);
    this.buffer.set(chunk, this.end - this.origin);
    this.end += chunk.length;
    this.buffer[this.end - this.origin] = 0;
  }

  /** Lets go of everything before `position`. */
  dropBefore(position: number): void {
    this.start = Math.min(Math.max(this.start, position), this.end);
  }

  text(from: number, to: number): string {
    return this.buffer.toString('utf8', from - this.origin, to - this.origin);
  }

  byte(position: number): number {
    return this.buffer[position - this.origin] ?? 0;
  }

  /** Position of the next byte that is neither blank nor comma, nor part of a mark before the text. */
  afterBlanks(from: number): number {
    const { buffer } = this;
    const end = this.end - this.origin;
    let index = from - this.origin;
    while (index < end) {
      const byte = buffer[index] ?? 0;
      if (byte > SPACE && byte < 128 && byte !== COMMA) break;
      index++;
    }
    return index + this.origin;
  }

  /** Position of a byte at or after `from`; -1 where it is not in the window. */
  find(byte: number, from: number): number {
    const at = this.buffer.indexOf(byte, from - this.origin);
    return at < 0 || at + this.origin >= this.end ? -1 : at + this.origin;
  }

  findBytes(needle: Uint8Array, from: number): number {
    const at = this.buffer.indexOf(needle, from - this.origin);
    return at < 0 || at + this.origin + needle.length > this.end ? -1 : at + this.origin;
  }

  /**
   * The bytes themselves, for loops that cannot pay a call per byte; `shift` turns an index into a position. A zero follows
   * the last byte.
   */
  view(): { readonly bytes: Buffer; readonly shift: number } {
    return { bytes: this.buffer, shift: this.origin };
  }

  private makeRoom(needed: number): void {
    const used = this.end - this.start;
    const room = this.buffer.length - MARGIN;
    if (this.end - this.origin + needed <= room) return;
    const target = used + needed > room ? Buffer.allocUnsafeSlow(Math.max(room * 2, used + needed) + MARGIN) : this.buffer;
    this.buffer.copy(target, 0, this.start - this.origin, this.end - this.origin);
    this.buffer = target;
    this.origin = this.start;
  }
}
