const SLOTS = 1 << 14;

/**
 * Something made of each text once, found by the bytes of the text before there is a string. Texts that meet in a slot push
 * each other out, so it never grows.
 */
export class TextPool<T> {
  private readonly make: (text: string) => T;
  private readonly texts: (string | undefined)[] = new Array(SLOTS).fill(undefined);
  private readonly made: (T | undefined)[] = new Array(SLOTS).fill(undefined);

  constructor(make: (text: string) => T) {
    this.make = make;
  }

  get(bytes: Buffer, from: number, to: number): T {
    let hash = to - from;
    for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
    const slot = (hash ^ (hash >>> 14)) & (SLOTS - 1);
    const known = this.texts[slot];
    if (known !== undefined && isText(known, bytes, from, to)) return this.made[slot] as T;
    const text = bytes.toString('latin1', from, to);
    const made = this.make(text);
    this.texts[slot] = text;
    this.made[slot] = made;
    return made;
  }
}

function isText(text: string, bytes: Uint8Array, from: number, to: number): boolean {
  if (text.length !== to - from) return false;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) !== bytes[from + index]) return false;
  return true;
}
