const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
/** `items`, in bytes. */
const ITEMS = [105, 116, 101, 109, 115];

export interface Found {
  readonly what: 'items' | 'end' | 'more';
  /** Index of the opening bracket of the items, or after the object, or after the last byte. */
  readonly at: number;
}

/** Reads an object from its opening brace up to the array under its own key `items`, or to its end. */
export class ListHead {
  private depth = 0;
  private inString = false;
  private escaped = false;
  /** How many letters of `items` the current string at the top level matched; -1 when it is another. */
  private matched = -1;
  /** The last string was `items`; after its colon, the value comes. */
  private named = false;
  private keyed = false;

  reset(): void {
    this.depth = 0;
    this.inString = false;
    this.escaped = false;
    this.matched = -1;
    this.named = false;
    this.keyed = false;
  }

  read(bytes: Uint8Array, from: number, to: number): Found {
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0;
      if (this.inString) {
        this.inside(byte);
        continue;
      }
      if (byte <= 32) continue;
      if (byte === QUOTE) {
        this.inString = true;
        this.matched = this.depth === 1 && !this.keyed ? 0 : -1;
        this.keyed = false;
      } else if (byte === 123 || byte === 91) {
        if (this.keyed && byte === 91 && this.depth === 1) return { what: 'items', at };
        this.depth++;
        this.keyed = false;
      } else if (byte === 125 || byte === 93) {
        this.depth--;
        if (this.depth <= 0) return { what: 'end', at: at + 1 };
      } else {
        this.keyed = byte === COLON && this.named && this.depth === 1;
      }
      this.named = false;
    }
    return { what: 'more', at: to };
  }

  private inside(byte: number): void {
    if (this.escaped) {
      this.escaped = false;
      this.matched = -1;
    } else if (byte === BACKSLASH) this.escaped = true;
    else if (byte === QUOTE) {
      this.inString = false;
      this.named = this.matched === ITEMS.length;
    } else if (this.matched >= 0) {
      this.matched = byte === ITEMS[this.matched] ? this.matched + 1 : -1;
    }
  }
}

export function kindIn(head: string): string | undefined {
  return /"kind"\s*:\s*"(?<kind>[A-Za-z]{1,80})"/.exec(head)?.groups?.['kind'];
}

/** Whether a page names the one after it. */
export function continuesIn(head: string): boolean {
  return /"continue"\s*:\s*"[^"]/.test(head);
}
