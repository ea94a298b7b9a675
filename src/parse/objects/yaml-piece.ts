import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type YAMLParseError } from 'yaml';
import { isElision } from './json-words.ts';
import type { LineFinder } from './object-reading.ts';
import { parsePlainYaml } from './plain-yaml.ts';
import { expandTabs, indentOf } from './yaml-extent.ts';
import { rowsOf } from './yaml-rows.ts';

export interface YamlPiece {
  readonly value: unknown;
  /** Line numbers of the whole document by pointer within this piece. */
  readonly lines: LineFinder;
}

/** Larger pieces are left alone; the library, slow on unusual text, gets less. */
const PIECE_LIMIT = 4_000_000;
const LIBRARY_LIMIT = 1_000_000;
const ALIAS_LIMIT = 100;
const REPAIRS = 4;
/** The parser recurses, so depth is bounded before it sees the text. */
const NESTING = 200;

/** Parses lines `start` to `end` as one document, indented by `base`; a list item's dash is blanked by `item`. */
export function parseYamlPiece(lines: readonly string[], start: number, end: number, base: number, item = false): YamlPiece | undefined {
  const own: string[] = [];
  let length = 0;
  for (let at = start; at < end; at++) {
    const line = expandTabs(lines[at] ?? '');
    own.push(isElision(line) ? '' : line.slice(Math.min(base, indentOf(line))));
    length += line.length + 1;
    if (length > PIECE_LIMIT) return undefined;
  }
  if (item && own[0] !== undefined) own[0] = own[0].replace(/^- ?/, '  ');
  const text = item ? own.map((line) => (line.startsWith('  ') ? line.slice(2) : line)) : own;
  dropManagedFields(text);
  const plain = parsePlainYaml(text);
  if (plain) return { value: plain.value, lines: (pointer) => shifted(rowsOf(text, pointer), start) };
  return length > LIBRARY_LIMIT || nestsTooDeep(text) ? undefined : parseRepairing(text, start);
}

function shifted(rows: readonly [number, number] | undefined, start: number): readonly [number, number] | undefined {
  return rows && [start + rows[0] + 1, start + rows[1] + 1];
}

/** Bookkeeping of the API server, often half of an object; nothing in it tells about trouble. */
function dropManagedFields(text: string[]): void {
  for (let at = 0; at < text.length; at++) {
    const line = text[at] ?? '';
    if (!line.endsWith('managedFields:') || line.trimStart() !== 'managedFields:') continue;
    const indent = indentOf(line);
    text[at] = '';
    for (at++; at < text.length; at++) {
      const inner = text[at] ?? '';
      const depth = indentOf(inner);
      if (inner.trim() !== '' && (depth < indent || (depth === indent && !inner.startsWith('- ', indent)))) break;
      text[at] = '';
    }
    at--;
  }
}

function nestsTooDeep(text: readonly string[]): boolean {
  let open = 0;
  for (const line of text) {
    if (/^ *(?:[-?] +){30}/.test(line.slice(0, 2000))) return true;
    const indent = indentOf(line);
    if (indent > 2 * NESTING && line.length > indent) return true;
    for (let at = indent; at < line.length; at++) {
      const code = line.charCodeAt(at);
      if (code === 91 || code === 123) open++;
      else if (code === 93 || code === 125) open = Math.max(0, open - 1);
      if (open > NESTING) return true;
    }
  }
  return false;
}

/** A line that breaks the syntax for those below it is taken out, and the rest read without it. */
function parseRepairing(text: string[], start: number): YamlPiece | undefined {
  for (let attempt = 0; ; attempt++) {
    const counter = new LineCounter();
    try {
      const document = parseDocument(text.join('\n'), {
        lineCounter: counter,
        uniqueKeys: false,
        strict: false,
        prettyErrors: false,
        logLevel: 'silent',
      });
      const [error] = document.errors;
      if (error && attempt < REPAIRS && repaired(text, error, counter)) continue;
      const value: unknown = document.toJS({ maxAliasCount: ALIAS_LIMIT });
      return { value, lines: (pointer) => linesOf(document, counter, pointer, start) };
    } catch {
      return undefined;
    }
  }
}

/** False where the parser's own guess is better than a line less. */
function repaired(text: string[], error: YAMLParseError, counter: LineCounter): boolean {
  if (error.code === 'MISSING_CHAR') return closeQuotes(text);
  if (error.code !== 'MULTILINE_IMPLICIT_KEY' && error.code !== 'BLOCK_AS_IMPLICIT_KEY') return false;
  const row = counter.linePos(Math.max(0, error.pos[0])).line - 1;
  if (!text[row]) return false;
  text[row] = '';
  return true;
}

const OPEN_QUOTE = /^(?<key> *(?:- )?[\w./-]{1,80}: )(?:"[^"]*|'[^']*)$/;

/** A quoted text that was cut off at the end of its line swallows all below; it goes, its neighbours stay. */
function closeQuotes(text: string[]): boolean {
  let changed = false;
  for (let row = 0; row + 1 < text.length; row++) {
    const line = text[row] ?? '';
    const key = OPEN_QUOTE.exec(line)?.groups?.['key'];
    if (key === undefined || indentOf(text[row + 1] ?? '') > indentOf(line)) continue;
    text[row] = key;
    changed = true;
  }
  return changed;
}

/** Walks the syntax tree along a pointer; the key's own line belongs to the range. */
function linesOf(document: Document, counter: LineCounter, pointer: string, start: number): readonly [number, number] | undefined {
  let node: unknown = document.contents;
  let first: number | undefined;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
      first = isNode(pair?.key) ? pair.key.range?.[0] : undefined;
      node = pair?.value;
    } else if (isSeq(node)) {
      node = node.items[Number(key)];
      first = isNode(node) ? node.range?.[0] : undefined;
    } else return undefined;
    if (!isNode(node) || isAlias(node)) return undefined;
  }
  if (!isNode(node) || !node.range) return undefined;
  const from = counter.linePos(first ?? node.range[0]).line;
  const to = counter.linePos(Math.max(node.range[0], node.range[1] - 1)).line;
  return [start + from, start + Math.max(from, to)];
}
