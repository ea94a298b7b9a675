import { isBoundary, isElision } from './text.ts';

/** A JSON value that remembers its lines. */
export interface JsonNode {
  readonly line: number;
  endLine: number;
  readonly value?: string | number | boolean | null;
  readonly members?: Map<string, JsonNode>;
  readonly items?: JsonNode[];
}

export interface JsonBlock {
  readonly root: JsonNode;
  /** Index after the last line. */
  readonly end: number;
  /** Every bracket was closed. */
  readonly complete: boolean;
  /** Somebody left lines out. */
  readonly elided: boolean;
  /** What a strict parser would refuse first. */
  readonly problem?: { readonly line: number; readonly text: string };
}

interface Cursor {
  readonly lines: readonly string[];
  row: number;
  column: number;
  /** Last row with anything of the value on it. */
  seen: number;
  elided: boolean;
  cut: boolean;
  /** How often something stood where it cannot: after some it is no JSON at all. */
  strikes: number;
  problem?: { line: number; text: string };
}

const DEPTH = 100;
const STRIKES = 20;
const OPENING_LINES = 60;
const OPENING_CHARACTERS = 4000;
const SCALAR = /[^\s,\]}:"]*/y;

function complain(cursor: Cursor, text: string): void {
  if (++cursor.strikes > STRIKES) cursor.cut = true;
  cursor.problem ??= { line: cursor.row, text };
}

/** Moves to the next character that is no blank; undefined at the end of what belongs to the block. */
function peek(cursor: Cursor): string | undefined {
  while (cursor.row < cursor.lines.length && !cursor.cut) {
    const line = cursor.lines[cursor.row] ?? '';
    if (cursor.column === 0 && isElision(line)) cursor.elided = true;
    else if (cursor.column === 0 && isBoundary(line.slice(0, 400))) cursor.cut = true;
    else {
      while (cursor.column < line.length && line.charCodeAt(cursor.column) <= 32) cursor.column++;
      const char = line[cursor.column];
      if (char === '#' || (char === '/' && line[cursor.column + 1] === '/')) complain(cursor, 'a comment, which JSON does not have');
      else if (char !== undefined) {
        cursor.seen = cursor.row;
        return char;
      }
    }
    if (cursor.cut) return undefined;
    cursor.row++;
    cursor.column = 0;
  }
  cursor.cut = true;
  return undefined;
}

function readString(cursor: Cursor): string {
  const line = cursor.lines[cursor.row] ?? '';
  let at = cursor.column + 1;
  while (at < line.length && line[at] !== '"') at += line[at] === '\\' ? 2 : 1;
  const raw = line.slice(cursor.column + 1, at);
  if (at >= line.length) complain(cursor, 'a string without its closing quote');
  cursor.column = Math.min(at + 1, line.length);
  if (!raw.includes('\\')) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    return raw;
  }
}

function readScalar(cursor: Cursor): JsonNode {
  const line = cursor.row;
  SCALAR.lastIndex = cursor.column;
  const word = SCALAR.exec(cursor.lines[line] ?? '')?.[0] ?? '';
  cursor.column += Math.max(word.length, 1);
  const literal = word === 'true' ? true : word === 'false' ? false : word === 'null' ? null : undefined;
  if (literal !== undefined) return { line, endLine: line, value: literal };
  if (word !== '' && word.length < 40 && Number.isFinite(Number(word))) return { line, endLine: line, value: Number(word) };
  complain(cursor, `unexpected ${word.slice(0, 40) || 'character'}`);
  return { line, endLine: line, value: word };
}

function readValue(cursor: Cursor, depth: number): JsonNode | undefined {
  const char = peek(cursor);
  if (char === undefined || depth > DEPTH) {
    cursor.cut = true;
    return undefined;
  }
  const line = cursor.row;
  if (char === '"') return { line, value: readString(cursor), endLine: line };
  if (char !== '{' && char !== '[') return readScalar(cursor);
  cursor.column++;
  return char === '{' ? readMembers(cursor, line, depth) : readItems(cursor, line, depth);
}

function readItems(cursor: Cursor, line: number, depth: number): JsonNode {
  const node = { line, endLine: line, items: [] as JsonNode[] };
  let comma = true;
  for (let char = peek(cursor); char !== undefined; char = peek(cursor)) {
    node.endLine = cursor.row;
    if (char === ']') return closed(cursor, node, comma && node.items.length > 0);
    if (char === ',' || char === '}' || char === ':') {
      if (char !== ',' || comma) complain(cursor, `unexpected ${char}`);
      comma = true;
      cursor.column++;
      continue;
    }
    if (!comma) complain(cursor, 'a comma is missing');
    comma = false;
    const item = readValue(cursor, depth + 1);
    if (item) node.items.push(item);
  }
  return node;
}

function readMembers(cursor: Cursor, line: number, depth: number): JsonNode {
  const node = { line, endLine: line, members: new Map<string, JsonNode>() };
  let comma = true;
  for (let char = peek(cursor); char !== undefined; char = peek(cursor)) {
    node.endLine = cursor.row;
    if (char === '}') return closed(cursor, node, comma && node.members.size > 0);
    if (char !== '"') {
      if (char !== ',' || comma) complain(cursor, `unexpected ${char}`);
      comma = true;
      cursor.column++;
      continue;
    }
    if (!comma) complain(cursor, 'a comma is missing');
    comma = false;
    readMember(cursor, node.members, depth);
  }
  return node;
}

function readMember(cursor: Cursor, members: Map<string, JsonNode>, depth: number): JsonNode | undefined {
  const keyLine = cursor.row;
  const key = readString(cursor);
  if (peek(cursor) !== ':') {
    if (!cursor.cut) complain(cursor, `no colon after "${key.slice(0, 40)}"`);
    return undefined;
  }
  cursor.column++;
  const value = readValue(cursor, depth + 1);
  if (value && !members.has(key)) members.set(key, { ...value, line: keyLine });
  return value;
}

function closed<N extends JsonNode>(cursor: Cursor, node: N, trailingComma: boolean): N {
  if (trailingComma) complain(cursor, 'a comma before the closing bracket');
  cursor.column++;
  return node;
}

/**
 * Reads the JSON value that starts at line `from`, as far as it goes: what is missing or wrong is noted, the rest kept.
 * With `body`, the line is a member of an object whose opening brace was cut away.
 */
export function readJson(lines: readonly string[], from: number, body = false): JsonBlock | undefined {
  const cursor: Cursor = { lines, row: from, column: 0, seen: from, elided: false, cut: false, strikes: 0 };
  const root = body ? readBody(cursor, from) : readValue(cursor, 0);
  if (!root) return undefined;
  const complete = !cursor.cut && !body;
  const lastRow = Math.min(complete || body ? Math.max(root.endLine, from) : cursor.seen, lines.length - 1);
  return {
    root,
    end: lastRow + 1,
    complete,
    elided: cursor.elided,
    ...(cursor.problem ? { problem: cursor.problem } : {}),
  };
}

/** Members without their object: as many as follow one another. */
function readBody(cursor: Cursor, from: number): JsonNode {
  const node = { line: from, endLine: from, members: new Map<string, JsonNode>() };
  for (let char = peek(cursor); char === '"' || char === ','; char = peek(cursor)) {
    node.endLine = cursor.row;
    if (char === ',') {
      cursor.column++;
      continue;
    }
    const value = readMember(cursor, node.members, 0);
    if (!value) break;
    node.endLine = Math.max(node.endLine, value.endLine);
  }
  return node;
}

/** The first lines of a JSON value, enough to tell whose it is; empty when none starts here. */
export function jsonOpening(lines: readonly string[], from: number): string {
  const first = (lines[from] ?? '').slice(0, OPENING_CHARACTERS).trim();
  if (!first.startsWith('{') && !first.startsWith('[')) return '';
  const whole = first.length > 2 && (lines[from] ?? '').length < OPENING_CHARACTERS && /[\]}]$/.test(first);
  if (whole) return first;
  let text = first;
  for (let index = from + 1; index < lines.length && index < from + OPENING_LINES && text.length < OPENING_CHARACTERS; index++) {
    text += `\n${(lines[index] ?? '').slice(0, 400)}`;
  }
  return text;
}

export function child(node: JsonNode | undefined, ...path: readonly string[]): JsonNode | undefined {
  let at = node;
  for (const key of path) at = at?.members?.get(key);
  return at;
}

/** A string, number or truth as text; undefined for anything else and for the empty string. */
export function textOf(node: JsonNode | undefined): string | undefined {
  const value = node?.value;
  return value === undefined || value === null || value === '' ? undefined : String(value);
}

export function textAt(node: JsonNode | undefined, ...path: readonly string[]): string | undefined {
  return textOf(child(node, ...path));
}

export function numberAt(node: JsonNode | undefined, ...path: readonly string[]): number | undefined {
  const value = child(node, ...path)?.value;
  return typeof value === 'number' ? value : undefined;
}
