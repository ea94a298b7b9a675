import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { isFragment, readFragment } from './fragment-facts.ts';
import { isRecord, textOf } from './json-value.ts';
import { isReadable, readItem, readObject } from './object-facts.ts';
import { type LineFinder, ObjectReading } from './object-reading.ts';
import { optionsOf, unquoted } from './reading-options.ts';
import { Refusals } from './refusals.ts';
import { expandTabs, indentOf, type YamlExtent, yamlExtent } from './yaml-extent.ts';
import { parseYamlPiece } from './yaml-piece.ts';

export interface YamlBlock {
  readonly value: unknown;
  /** Index of the line after the last one of the document. */
  readonly end: number;
  readonly lines: LineFinder;
}

/** The YAML document that starts at line `from` (or below its `---`), when its first key is one of an object's. */
export function parseYamlBlock(lines: readonly string[], from: number): YamlBlock | undefined {
  const extent = yamlExtent(lines, from);
  if (!extent) return undefined;
  const piece = parseYamlPiece(lines, extent.start, extent.end, extent.base);
  return piece && { ...piece, end: extent.end };
}

const refusals = new Refusals();

function readYamlObjects(given: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  const opening = (given[from] ?? '').slice(0, 400);
  if (!/^[\s>]*(?:---|- |[a-z][A-Za-z]{2,25}:)/.test(opening) || refusals.isHopeless(given, from)) return from;
  const lines = unquoted(given, from);
  const reading = new ObjectReading(context.doc, sink, optionsOf(context));
  let end = from;
  for (let at = from; at < lines.length; ) {
    const extent = yamlExtent(lines, at);
    if (!extent) break;
    if (!readExtent(reading, lines, extent)) {
      refusals.add(given, at, extent.end);
      break;
    }
    end = extent.end;
    at = nextDocument(lines, end);
  }
  if (end === from) return from;
  reading.finish();
  sink.piece({ doc: context.doc, lines: [from + 1, end], what: yamlReader.what });
  return end;
}

/** Documents follow each other directly, with a separator between, or after blank lines. */
function nextDocument(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && (lines[at] ?? '').trim() === '') at++;
  return at;
}

function readExtent(reading: ObjectReading, lines: readonly string[], extent: YamlExtent): boolean {
  const list = listIn(lines, extent);
  if (list) return readListed(reading, lines, extent, list);
  const piece = parseYamlPiece(lines, extent.start, extent.end, extent.base);
  if (!piece) return false;
  if (isReadable(piece.value)) return readObject(reading, piece.value, '', piece.lines);
  return isFragment(piece.value) && readFragment(reading, piece.value, piece.lines);
}

/** Where the items of a list start, one line each, and the line after the last item. */
interface ItemList {
  readonly key: number;
  readonly starts: readonly number[];
  readonly indent: number;
  readonly end: number;
}

function listIn(lines: readonly string[], { start, end, base }: YamlExtent): ItemList | undefined {
  const starts: number[] = [];
  let key = -1;
  let indent = -1;
  for (let at = start; at < end; at++) {
    const line = expandTabs((lines[at] ?? '').slice(0, 400));
    if (line.trim() === '') continue;
    const depth = indentOf(line);
    if (key < 0) {
      if (depth === base && /^items: *$/.test(line.slice(base))) key = at;
      continue;
    }
    const dash = line.startsWith('- ', depth) || line.slice(depth) === '-';
    if (indent < 0 && dash && depth <= base + 4) indent = depth;
    if (dash && depth === indent) starts.push(at);
    else if (depth <= base || indent < 0) return starts.length === 0 ? undefined : { key, starts, indent, end: at };
  }
  return starts.length === 0 ? undefined : { key, starts, indent, end };
}

/** Item by item, so that neither size nor a broken item matters to the rest. */
function readListed(reading: ObjectReading, lines: readonly string[], extent: YamlExtent, list: ItemList): boolean {
  const head = headOf(lines, extent, list);
  const kind = textOf(head?.['kind']);
  if (kind !== undefined && !isReadable({ ...head, items: [] })) return false;
  let read = 0;
  for (const [index, start] of list.starts.entries()) {
    const piece = parseYamlPiece(lines, start, list.starts[index + 1] ?? list.end, list.indent, true);
    if (!piece || !isRecord(piece.value)) continue;
    const prefix = `/items/${index}`;
    const finder: LineFinder = (pointer) => (pointer.startsWith(prefix) ? piece.lines(pointer.slice(prefix.length)) : undefined);
    if (readItem(reading, piece.value, prefix, kind, finder)) read++;
  }
  return read > 0;
}

/** What stands around the items: `apiVersion`, `kind`. */
function headOf(lines: readonly string[], extent: YamlExtent, list: ItemList) {
  const around = [...lines.slice(extent.start, list.key), ...lines.slice(list.end, extent.end)];
  const value = parseYamlPiece(around, 0, around.length, extent.base)?.value;
  return isRecord(value) && (textOf(value['kind']) !== undefined || textOf(value['apiVersion']) !== undefined) ? value : undefined;
}

export const yamlReader: BlockReader = { what: 'Kubernetes objects (YAML)', read: readYamlObjects };
