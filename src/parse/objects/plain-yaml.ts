import { setOwn } from './json-words.ts';

/** Thrown and caught in here alone: the text uses more of YAML than kubectl writes. */
const UNUSUAL = new Error('unusual YAML');
const DEPTH = 64;
const KEY = /(?<plain>[A-Za-z][\w./-]*)(?=:)|"(?<double>[^"\\]*)"(?=:)|'(?<single>[^']*)'(?=:)/y;
const SPECIAL = /^(?:[&*!>%@`,[\]{}#|"']|[-?:](?: |$))/;
const DOUBLE = /^"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"$/u;
const SINGLE = /^'(?:[^']|'')*'$/;
const NUMBER = /^[-+]?(?:\d+|(?:\.\d+|\d+\.\d*)|(?:\.\d+|\d+(?:\.\d*)?)[eE][-+]?\d+)$/;
const ODD_WORD = /^(?:0[ox][\da-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const WORDS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);

/**
 * Reads the part of YAML that kubectl writes (block collections, scalars on one line, literal blocks), many times faster
 * than a whole parser; undefined for anything else, which the library then reads.
 */
export function parsePlainYaml(rows: readonly string[]): { readonly value: unknown } | undefined {
  try {
    return { value: new PlainReader(rows).read() };
  } catch (error) {
    if (error === UNUSUAL) return undefined;
    throw error;
  }
}

class PlainReader {
  private readonly rows: readonly string[];
  private at = 0;
  private depth = 0;

  constructor(rows: readonly string[]) {
    this.rows = rows;
  }

  read(): unknown {
    const indent = this.next();
    if (indent < 0) throw UNUSUAL;
    const value = this.block(indent);
    if (this.next() >= 0) throw UNUSUAL;
    return value;
  }

  /** Moves to the next row with content and tells its indentation; -1 at the end. */
  private next(): number {
    for (; this.at < this.rows.length; this.at++) {
      const row = this.rows[this.at] ?? '';
      const indent = contentAt(row);
      if (indent >= 0 && row.charCodeAt(indent) !== 35) return indent;
    }
    return -1;
  }

  private block(indent: number): unknown {
    if (++this.depth > DEPTH) throw UNUSUAL;
    const value = isItem(this.rows[this.at] ?? '', indent) ? this.sequence(indent) : this.mapping(indent);
    this.depth--;
    return value;
  }

  /** Starts at the current row, whose first key may stand behind a dash. */
  private mapping(indent: number): Record<string, unknown> {
    const into: Record<string, unknown> = {};
    this.entry(into, indent);
    for (let depth = this.next(); depth >= indent; depth = this.next()) {
      if (depth > indent) throw UNUSUAL;
      if (isItem(this.rows[this.at] ?? '', depth)) break;
      this.entry(into, indent);
    }
    return into;
  }

  private entry(into: Record<string, unknown>, indent: number): void {
    const row = this.rows[this.at] ?? '';
    KEY.lastIndex = indent;
    const match = KEY.exec(row);
    const key = match?.groups?.['plain'] ?? match?.groups?.['double'] ?? match?.groups?.['single'];
    const colon = KEY.lastIndex;
    if (!match || key === undefined || WORDS.has(key) || (colon + 1 < row.length && row[colon + 1] !== ' ')) throw UNUSUAL;
    const rest = row.slice(colon + 1).trim();
    this.at++;
    setOwn(into, key, rest === '' ? this.nested(indent, true) : this.scalar(rest, indent));
  }

  private sequence(indent: number): unknown[] {
    const items: unknown[] = [];
    for (let depth = this.next(); depth >= indent; depth = this.next()) {
      const row = this.rows[this.at] ?? '';
      if (depth > indent) throw UNUSUAL;
      if (!isItem(row, indent)) break;
      items.push(this.item(row, indent));
    }
    return items;
  }

  private item(row: string, indent: number): unknown {
    const start = contentAt(row, indent + 1);
    if (start < 0) {
      this.at++;
      return this.nested(indent, false);
    }
    KEY.lastIndex = start;
    if (KEY.test(row) && (KEY.lastIndex + 1 === row.length || row[KEY.lastIndex + 1] === ' ')) {
      if (++this.depth > DEPTH) throw UNUSUAL;
      const value = this.mapping(start);
      this.depth--;
      return value;
    }
    this.at++;
    return this.scalar(row.slice(start).trim(), indent);
  }

  /** What stands below a key or a lone dash; lists may start in the key's own column. */
  private nested(indent: number, listsToo: boolean): unknown {
    const depth = this.next();
    if (depth > indent || (listsToo && depth === indent && isItem(this.rows[this.at] ?? '', depth))) return this.block(depth);
    return null;
  }

  private scalar(text: string, indent: number): unknown {
    if (text === '') throw UNUSUAL;
    if (text === '{}') return {};
    if (text === '[]') return [];
    if (DOUBLE.test(text)) return JSON.parse(text) as string;
    if (SINGLE.test(text)) return text.slice(1, -1).replaceAll("''", "'");
    if (text === '|' || text === '|-' || text === '|+') return this.literal(text, indent);
    if (SPECIAL.test(text) || text.includes(': ') || text.includes(' #') || text.endsWith(':') || text.includes('\t')) throw UNUSUAL;
    return plainValue(text);
  }

  private literal(header: string, indent: number): string {
    const lines: string[] = [];
    let own = -1;
    for (; this.at < this.rows.length; this.at++) {
      const row = this.rows[this.at] ?? '';
      const depth = contentAt(row);
      if (depth >= 0 && own < 0) own = depth;
      if (depth >= 0 && (depth <= indent || depth < own)) break;
      if (depth < 0 && row.length > Math.max(own, 0)) throw UNUSUAL;
      lines.push(depth < 0 ? '' : row.slice(own));
    }
    if (own <= indent) throw UNUSUAL;
    const text = lines.join('\n').replace(/\n+$/, '');
    if (header === '|+') throw UNUSUAL;
    return header === '|-' ? text : `${text}\n`;
  }
}

function plainValue(text: string): unknown {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (ODD_WORD.test(text)) throw UNUSUAL;
  return NUMBER.test(text) ? Number(text) : text;
}

/** Index of the first character at or after `from` that is no space; -1 when there is none. */
function contentAt(row: string, from = 0): number {
  let at = from;
  while (row.charCodeAt(at) === 32) at++;
  return at < row.length ? at : -1;
}

export function isItem(row: string, indent: number): boolean {
  return row.charCodeAt(indent) === 45 && (row.length === indent + 1 || row.charCodeAt(indent + 1) === 32);
}
