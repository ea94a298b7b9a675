const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const FIXED32 = 5;

const LOW = 2 ** 32;

/**
 * Walks protobuf in bytes. Whatever is wrong with them (a length beyond the end, an unknown wire type) sets `broken` and ends
 * every loop; nothing throws.
 */
export class WireReader {
  bytes: Buffer = Buffer.alloc(0);
  at = 0;
  /** Of the field at hand: its number, how its value is written, and where that ends if its length is given. */
  field = 0;
  wire = 0;
  broken = false;

  begin(bytes: Buffer, from: number): void {
    this.bytes = bytes;
    this.at = from;
    this.broken = false;
  }

  fail(): void {
    this.broken = true;
  }

  /** Goes to the next field of the message that ends at `end`; false when there is none. */
  next(end: number): boolean {
    if (this.broken || this.at >= end) return false;
    const tag = this.short(end);
    this.field = tag >>> 3;
    this.wire = tag & 7;
    if (this.field === 0) this.broken = true;
    return !this.broken;
  }

  /** Where the value of known length ends, which begins here. */
  valueEnd(end: number): number {
    if (this.wire !== LENGTH) {
      this.broken = true;
      return this.at;
    }
    const length = this.short(end);
    if (length > end - this.at) {
      this.broken = true;
      return this.at;
    }
    return this.at + length;
  }

  skip(end: number): void {
    if (this.wire === LENGTH) this.at = this.valueEnd(end);
    else if (this.wire === VARINT) this.integer(end);
    else if (this.wire === FIXED64) this.pass(8, end);
    else if (this.wire === FIXED32) this.pass(4, end);
    else this.broken = true;
  }

  /** A signed integer; beyond 53 bits it is not exact. */
  integer(end: number): number {
    const { bytes } = this;
    if (this.wire !== VARINT) {
      this.broken = true;
      return 0;
    }
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.at >= end) break;
      const byte = bytes[this.at++] as number;
      if (shift < 28) low |= (byte & 127) << shift;
      else if (shift === 28) {
        low |= (byte & 127) << 28;
        high = (byte & 127) >>> 4;
      } else high |= (byte & 127) << (shift - 32);
      if (byte < 128) return high * LOW + (low >>> 0);
    }
    this.broken = true;
    return 0;
  }

  /** Tags and lengths, which fit in 31 bits. */
  private short(end: number): number {
    const { bytes } = this;
    if (this.at >= end) {
      this.broken = true;
      return 0;
    }
    let value = bytes[this.at++] as number;
    if (value < 128) return value;
    value &= 127;
    for (let shift = 7; shift < 35; shift += 7) {
      if (this.at >= end) break;
      const byte = bytes[this.at++] as number;
      value += (byte & 127) * 2 ** shift;
      if (byte >= 128) continue;
      if (value > 0x7fffffff) break;
      return value;
    }
    this.broken = true;
    return 0;
  }

  private pass(length: number, end: number): void {
    if (length > end - this.at) this.broken = true;
    else this.at += length;
  }
}
