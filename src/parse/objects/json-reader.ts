import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { isFragment, readFragment } from './fragment-facts.ts';
import { isRecord, type JsonRecord, recordOf, textOf } from './json-value.ts';
import { isReadable, readObject } from './object-facts.ts';
import { type LineFinder, ObjectReading } from './object-reading.ts';
import { optionsOf, unquoted } from './reading-options.ts';
import { Refusals } from './refusals.ts';
import { TolerantReader } from './tolerant-json.ts';

export interface JsonBlock {
  readonly value: unknown;
  /** Index of the line after the last one of the block. */
  readonly end: number;
  readonly truncated?: boolean;
  /** Pointers of what was not closed when the text ended. */
  readonly open?: readonly string[];
  readonly lines?: LineFinder;
}

/** The JSON value that starts at line `from`, also when it is cut, elided or wrapped. */
export function parseJsonBlock(lines: readonly string[], from: number): JsonBlock | undefined {
  const first = firstCharacter(lines[from] ?? '');
  if (first !== '{' && first !== '[') return undefined;
  return parseTolerantly(lines, from, false);
}

function parseTolerantly(lines: readonly string[], from: number, body: boolean): JsonBlock | undefined {
  const read = new TolerantReader(lines, from).read(body);
  if (!read) return undefined;
  const { value, end, truncated, open, positions } = read;
  return { value, end, open, lines: (pointer) => positions.get(pointer), ...(truncated ? { truncated } : {}) };
}

function firstCharacter(line: string): string {
  for (let at = 0; at < line.length && at < 400; at++) if (line.charCodeAt(at) > 32) return line[at] ?? '';
  return '';
}

const MEMBER = /^\s*"(?:status|spec|containerStatuses|initContainerStatuses|state|lastState|conditions)"\s*:\s*[[{]/;
const OBJECT = /"(?:apiVersion|kind|involvedObject|object)"\s*:/;
const PART =
  /"(?:containerStatuses|initContainerStatuses|restartCount|lastState|nodeInfo|podIP|containerID|terminated|waiting|conditions)"\s*:/;
const OPENING_LINES = 12;
const OPENING_LENGTH = 4000;

/** Cheap look before parsing: logs in JSON bring a `{` on every line. */
function looksLikeObject(lines: readonly string[], from: number): boolean {
  const first = (lines[from] ?? '').slice(0, OPENING_LENGTH);
  if (MEMBER.test(first)) return true;
  if (OBJECT.test(first) || PART.test(first)) return true;
  if (first.trim().length > 3) return false;
  let text = '';
  for (let row = from + 1; row < lines.length && row <= from + OPENING_LINES; row++) text += `${(lines[row] ?? '').slice(0, 300)}\n`;
  return OBJECT.test(text) || PART.test(text);
}

const refusals = new Refusals();

function readJsonObjects(given: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  const opening = (given[from] ?? '').slice(0, 400);
  if (!/^\s*(?:> ?\s*)?["{[]/.test(opening) || refusals.isHopeless(given, from)) return from;
  const lines = unquoted(given, from);
  const reading = new ObjectReading(context.doc, sink, optionsOf(context));
  const blocks: JsonBlock[] = [];
  let end = from;
  for (let at = from; at < lines.length; ) {
    const block = nextBlock(lines, at);
    if (!block) break;
    if (!isMine(block.value)) {
      refusals.add(given, at, block.end);
      break;
    }
    blocks.push(block);
    end = block.end;
    at = skipBlank(lines, end);
  }
  if (blocks.length === 0) return from;
  for (const block of latest(blocks)) readBlock(reading, block);
  reading.finish(!blocks.some((block) => block.truncated));
  sink.piece({ doc: context.doc, lines: [from + 1, end], what: jsonReader.what });
  return end;
}

function skipBlank(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && (lines[at] ?? '').trim() === '') at++;
  return at;
}

function nextBlock(lines: readonly string[], at: number): JsonBlock | undefined {
  if (!looksLikeObject(lines, at)) return undefined;
  return MEMBER.test((lines[at] ?? '').slice(0, 400)) ? parseTolerantly(lines, at, true) : parseJsonBlock(lines, at);
}

function isMine(value: unknown): boolean {
  return isReadable(unwrapped(value).object) || isFragment(value);
}

/** A watch prints an object again at each change; only its last state counts. */
function latest(blocks: readonly JsonBlock[]): Iterable<JsonBlock> {
  if (blocks.length < 2) return blocks;
  const byName = new Map<string, JsonBlock>();
  for (const [index, block] of blocks.entries()) {
    const object = unwrapped(block.value).object;
    const metadata = recordOf(object['metadata']);
    const name = textOf(metadata['name']);
    const key = name === undefined ? `#${index}` : `${String(object['kind'])}/${String(metadata['namespace'])}/${name}`;
    byName.delete(key);
    byName.set(key, block);
  }
  return byName.values();
}

/** `{"type":"MODIFIED","object":{…}}`, as watches print it. */
function unwrapped(value: unknown): { readonly object: JsonRecord; readonly pointer: string } {
  const record = recordOf(value);
  const inner = record['object'];
  return textOf(record['kind']) === undefined && isRecord(inner) ? { object: inner, pointer: '/object' } : { object: record, pointer: '' };
}

function readBlock(reading: ObjectReading, block: JsonBlock): void {
  const { object, pointer } = unwrapped(block.value);
  if (isReadable(object)) readObject(reading, withoutCutItem(object, block.open ?? []), pointer, block.lines);
  else readFragment(reading, block.value, block.lines);
}

/** The last item of a list that breaks off would tell half a story: its containers may be missing. */
function withoutCutItem(object: JsonRecord, open: readonly string[]): JsonRecord {
  const items = object['items'];
  if (!Array.isArray(items) || items.length < 2 || !open.some((pointer) => /^\/items\/\d+$/.test(pointer))) return object;
  return { ...object, items: items.slice(0, -1) };
}

export const jsonReader: BlockReader = { what: 'Kubernetes objects (JSON)', read: readJsonObjects };
