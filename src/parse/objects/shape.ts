/** What a member of an object must be, or what is kept of it. */
export interface Field {
  readonly key: string;
  readonly what: 'object' | 'list' | 'text' | 'one-of' | 'none-of' | 'time' | 'unwanted';
  /** Of an object or of the elements of a list; elements without one are only counted. */
  readonly shape: Shape | undefined;
  /** Values as JSON writes them, of which it must be one, or must not. */
  readonly words: readonly Uint8Array[];
  /** Where its place or the length of the list is put; -1 for nowhere. */
  readonly slot: number;
}

interface Entry {
  readonly bytes: Uint8Array;
  readonly bit: number;
  readonly field: Field;
}

/** The members of an object that matter. */
export class Shape {
  /** Other members are not let pass. */
  readonly closed: boolean;
  /** Bits of the members that must be there. */
  readonly needed: number;
  private readonly byLength: Entry[][] = [];

  constructor(fields: readonly Field[], options: { readonly needs?: readonly string[]; readonly closed?: boolean } = {}) {
    this.closed = options.closed ?? false;
    let needed = 0;
    fields.forEach((field, index) => {
      const bit = 1 << index;
      if (options.needs?.includes(field.key)) needed |= bit;
      while (this.byLength.length <= field.key.length) this.byLength.push([]);
      this.byLength[field.key.length]?.push({ bytes: Buffer.from(field.key, 'latin1'), bit, field });
    });
    this.needed = needed;
  }

  /** The member whose key stands there. */
  find(bytes: Uint8Array, from: number, to: number): Entry | undefined {
    const length = to - from;
    if (length >= this.byLength.length) return undefined;
    const entries = this.byLength[length] as Entry[];
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[index] as Entry;
      if (isSame(entry.bytes, bytes, from)) return entry;
    }
    return undefined;
  }
}

/** Whether `word` stands at `from`. */
export function isSame(word: Uint8Array, bytes: Uint8Array, from: number): boolean {
  for (let index = 0; index < word.length; index++) if (word[index] !== bytes[from + index]) return false;
  return true;
}

function field(key: string, what: Field['what'], more: Partial<Field> = {}): Field {
  return { key, what, shape: undefined, words: [], slot: -1, ...more };
}

function wordsOf(values: readonly (string | number | boolean)[]): Uint8Array[] {
  return values.map((value) => Buffer.from(JSON.stringify(value), 'latin1'));
}

export function object(key: string, shape: Shape): Field {
  return field(key, 'object', { shape });
}

export function list(key: string, shape: Shape | undefined, slot = -1): Field {
  return field(key, 'list', { shape, slot });
}

export function text(key: string, slot: number): Field {
  return field(key, 'text', { slot });
}

export function oneOf(key: string, ...values: readonly (string | number | boolean)[]): Field {
  return field(key, 'one-of', { words: wordsOf(values) });
}

export function noneOf(key: string, ...values: readonly string[]): Field {
  return field(key, 'none-of', { words: wordsOf(values) });
}

export function time(key: string): Field {
  return field(key, 'time');
}

export function unwanted(key: string): Field {
  return field(key, 'unwanted');
}
