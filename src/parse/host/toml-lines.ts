import { parse, TomlError } from 'smol-toml';
import { isBlank, isBoundary, isElision, withoutGrepPrefix } from './text.ts';

export interface TomlEntry {
  /** Undefined after an omission: whose key it is was left out. */
  readonly table: string | undefined;
  readonly key: string;
  readonly raw: string;
  readonly first: number;
  readonly last: number;
}

interface TomlTable {
  readonly path: string;
  readonly line: number;
}

export interface TomlBlock {
  readonly entries: readonly TomlEntry[];
  readonly tables: readonly TomlTable[];
  readonly end: number;
  /** Something is visibly missing inside or at an end. */
  readonly gaps: boolean;
}

interface Reading {
  readonly lines: readonly string[];
  readonly accepts: (root: string) => boolean;
  readonly entries: TomlEntry[];
  readonly tables: TomlTable[];
  table: string | undefined;
  gaps: boolean;
  /** The last table line, if its end is missing. */
  cut: number;
}

const CLOSING: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”', '‘': '’' };
const VALUE = /^(?:["'“‘[{]|[+-]?\d|true\b|false\b|[+-]?(?:inf|nan)\b)/;
const COMMENTED_SETTING = /^#+\s{0,20}(?:\[[^\]]{1,200}\]|[\w.-]{1,80}\s{0,20}=\s{0,20}\S)/;
const BROKEN_SETTING = /^(?:\[|[\w."'-]{1,80}\s{0,20}=)/;
const VALUE_LINES = 400;

/** Splits `plugins."io.containerd.grpc.v1.cri".containerd` at its dots; undefined when it is no key. */
export function tomlPath(text: string): string[] | undefined {
  const parts: string[] = [];
  let at = 0;
  while (at <= text.length) {
    while (text[at] === ' ' || text[at] === '\t') at++;
    const close = CLOSING[text[at] ?? ''];
    const end = close === undefined ? bareEnd(text, at) : text.indexOf(close, at + 1);
    if (end < 0 || end === at) return undefined;
    parts.push(text.slice(close === undefined ? at : at + 1, end));
    at = close === undefined ? end : end + 1;
    while (text[at] === ' ' || text[at] === '\t') at++;
    if (at >= text.length) return parts;
    if (text[at] !== '.') return undefined;
    at++;
  }
  return undefined;
}

function bareEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && /[\w-]/.test(text[at] ?? '')) at++;
  return at;
}

/** The path of a `[table]` line; `cut` when its end is missing. */
export function tomlHeader(text: string): { path: string; cut: boolean } | undefined {
  if (!text.startsWith('[') || text.length > 400) return undefined;
  const double = text.startsWith('[[');
  const close = text.lastIndexOf(double ? ']]' : ']');
  const inner = text.slice(double ? 2 : 1, close < 0 ? text.length : close);
  const after = close < 0 ? '' : text.slice(close + (double ? 2 : 1)).trim();
  if (after && !after.startsWith('#')) return undefined;
  const path = tomlPath(inner);
  return path ? { path: path.join('.'), cut: close < 0 } : undefined;
}

export function tomlKeyValue(text: string): { key: string; value: string } | undefined {
  const equals = text.indexOf('=');
  if (equals < 1 || equals > 200) return undefined;
  const value = text.slice(equals + 1).trim();
  if (!VALUE.test(value)) return undefined;
  const key = tomlPath(text.slice(0, equals).trim());
  return key ? { key: key.join('.'), value } : undefined;
}

/** How many brackets stay open after this text; strings and comments do not count. */
function openBrackets(text: string): number {
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (quote) {
      if (char === '\\' && quote === '"') at++;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '#') break;
    else if (char === '[' || char === '{') depth++;
    else if (char === ']' || char === '}') depth--;
  }
  return depth;
}

/** Index of the last line of a value that starts at `index`; an array may go over several lines. */
function valueEnd(reading: Reading, index: number, value: string): number {
  let depth = openBrackets(value);
  let last = index;
  while (depth > 0) {
    const next = reading.lines[last + 1];
    if (next === undefined || last - index > VALUE_LINES || isBoundary(next)) {
      reading.gaps = true;
      return last;
    }
    if (tomlKeyValue(next.trim()) !== undefined) return last;
    last++;
    depth += openBrackets(withoutGrepPrefix(next));
  }
  return last;
}

function takeHeader(reading: Reading, index: number, text: string): boolean {
  const header = tomlHeader(text);
  if (!header || !reading.accepts(header.path.split('.')[0] ?? '')) return false;
  reading.table = header.path;
  reading.cut = header.cut ? index : -1;
  reading.tables.push({ path: header.path, line: index });
  return true;
}

/** A setting written wrong, with right ones before and after it: the block goes on, the syntax check will tell. */
function isBrokenSetting(reading: Reading, index: number, text: string): boolean {
  if (!BROKEN_SETTING.test(text) || reading.entries.length + reading.tables.length === 0) return false;
  const next = reading.lines
    .slice(index + 1, index + 4)
    .map((line) => line.trim())
    .find((line) => line !== '' && !line.startsWith('#'));
  if (next === undefined || next.length > 2000) return false;
  return tomlKeyValue(next) !== undefined || reading.accepts(tomlHeader(next)?.path.split('.')[0] ?? '');
}

/** Takes the line at `index`; the index of its last line, or -1 when it is not TOML of this kind. */
function takeLine(reading: Reading, index: number, text: string): number {
  if (text.startsWith('[')) return takeHeader(reading, index, text) ? index : -1;
  const pair = tomlKeyValue(text);
  if (!pair) return isBrokenSetting(reading, index, text) ? index : -1;
  const last = valueEnd(reading, index, pair.value);
  const more = reading.lines.slice(index + 1, last + 1).map((line) => withoutGrepPrefix(line).trim());
  reading.entries.push({ table: reading.table, key: pair.key, raw: [pair.value, ...more].join('\n'), first: index, last });
  return last;
}

/** Reads TOML line by line, whole or in pieces; stops where it is none any more, or of a table that `accepts` refuses. */
export function readTomlLines(lines: readonly string[], from: number, accepts: (root: string) => boolean): TomlBlock {
  const reading: Reading = { lines, accepts, entries: [], tables: [], table: '', gaps: false, cut: -1 };
  let end = from;
  for (let index = from; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (isBlank(line)) continue;
    if (isBoundary(line) || line.length > 20_000) break;
    const text = withoutGrepPrefix(line).trim();
    if (isElision(line)) {
      reading.gaps = true;
      reading.table = undefined;
      if (end > from) end = index + 1;
    } else if (text.startsWith('#')) {
      if (COMMENTED_SETTING.test(text)) end = index + 1;
    } else {
      const last = takeLine(reading, index, text);
      if (last < 0) break;
      index = last;
      end = last + 1;
    }
  }
  return { entries: reading.entries, tables: reading.tables, end, gaps: reading.gaps || reading.cut === end - 1 };
}

type TomlScalar = string | number | boolean;

/** A value as text, number or truth; arrays come back as arrays of them; undefined when it cannot be read. */
export function tomlValue(raw: string): TomlScalar | readonly TomlScalar[] | undefined {
  try {
    const value = parse(`value = ${raw}`)['value'];
    if (Array.isArray(value)) return value.filter(isScalar);
    return isScalar(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isScalar(value: unknown): value is TomlScalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** A value as one line: the items of an array with `, ` between. */
export function tomlText(raw: string): string {
  const value = tomlValue(raw);
  if (value === undefined) return raw.split('\n')[0]?.replace(/^["“']|["”']$/g, '') ?? '';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** The first syntax error of a whole file; `line` counts from 0 in `lines`. */
export function tomlProblem(lines: readonly string[], from: number, end: number): { line: number; text: string } | undefined {
  try {
    parse(lines.slice(from, end).join('\n'));
    return undefined;
  } catch (error) {
    if (!(error instanceof TomlError)) return undefined;
    const line = Math.min(Math.max(from + error.line - 1, from), end - 1);
    const text = (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document:\s*/, '');
    return { line, text };
  }
}
