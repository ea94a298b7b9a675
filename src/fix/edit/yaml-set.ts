import { isDeepStrictEqual } from 'node:util';
import type { Document, Pair, YAMLMap, YAMLParseError } from 'yaml';
import { isAlias, isMap, isNode, isScalar, parseAllDocuments } from 'yaml';
import type { Scalar } from '../../model/change.ts';
import type { Cut, Edited } from './edit.ts';
import { refuse, unchanged } from './edit.ts';
import { cutText } from './splices.ts';
import { afterColon, insertionInMap, isUnwritten, underKey } from './yaml-insert.ts';
import { yamlText } from './yaml-text.ts';

/** Gives one key of the first document, which must be one that `picks` takes, its value; every other byte stays. */
export function setYaml(text: string, path: readonly string[], value: Scalar, picks: (document: unknown) => string | undefined): Edited {
  const read = documentsOf(text);
  if ('why' in read) return refuse(read.why);
  const [old] = read.values;
  const root = read.documents[0]?.contents;
  const why = picks(old);
  if (why !== undefined) return refuse(why);
  if (read.values.slice(1).some((document) => picks(document) === undefined)) return refuse('The file holds more than one such document.');
  if (!isMap(root)) return refuse('The document is not a map.');
  const cut = cutFor(text, root, path, value);
  if (typeof cut === 'string') return refuse(cut);
  if (cut === undefined) return unchanged(text);
  const edited = cutText(text, [cut]);
  if (!edited.ok) return edited;
  const young = documentsOf(edited.after);
  const isSound = 'values' in young && isDeepStrictEqual(young.values, read.values.with(0, withValue(old, path, value)));
  return isSound ? edited : refuse('The edit would change more of the file than the one key.');
}

type Read = { readonly documents: readonly Document[]; readonly values: readonly unknown[] } | { readonly why: string };

function documentsOf(text: string): Read {
  try {
    const documents = parseAllDocuments(text, { uniqueKeys: true });
    if ('empty' in documents) return { why: 'The file is empty.' };
    const error = documents.flatMap((document) => document.errors)[0];
    if (error !== undefined) return { why: whyInvalid(error) };
    return { documents, values: documents.map((document) => document.toJS()) };
  } catch {
    return { why: 'The file is nested too deeply, or its aliases make too much of it.' };
  }
}

function whyInvalid(error: YAMLParseError): string {
  const line = error.linePos?.[0].line;
  const where = line === undefined ? '' : ` (line ${line})`;
  return error.code === 'DUPLICATE_KEY' ? `A key is there twice${where}.` : `The file is not valid YAML${where}.`;
}

function cutFor(text: string, root: YAMLMap, path: readonly string[], value: Scalar): Cut | string | undefined {
  let map = root;
  for (const [index, name] of path.entries()) {
    const pair = pairOf(map, name);
    const rest = path.slice(index + 1);
    // The kubelet's reader merges what `<<` names, so a map begun here would hide the one that is merged.
    if (pairOf(map, '<<') !== undefined) return 'The map there takes keys from elsewhere in the file (<<).';
    if (pair === undefined) return insertionInMap(text, root, map, [name, ...rest], value);
    if (rest.length === 0) return replacement(text, pair, value);
    const below = pair.value;
    if (isAlias(below)) return `${name} is written elsewhere in the file, and shared.`;
    if (isScalar(below) && below.value === null) return underKey(text, root, map, pair, rest, value);
    if (!isMap(below)) return `${name} is not a map.`;
    map = below;
  }
  return undefined;
}

function pairOf(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === name);
}

function replacement(text: string, pair: Pair, value: Scalar): Cut | string | undefined {
  const node = pair.value;
  if (!isScalar(node) || !isNode(node)) return 'The key holds a list or a map there, not a single value.';
  if (node.value === value) return undefined;
  const { range } = node;
  if (!range || node.anchor !== undefined || node.tag !== undefined || node.type?.startsWith('BLOCK_')) {
    return 'The value there is written in a way that cannot be replaced alone.';
  }
  if (!isUnwritten(node)) return { from: range[0], to: range[1], text: yamlText(value, node) };
  const colon = afterColon(text, pair);
  return { from: colon, to: colon, text: ` ${yamlText(value)}` };
}

function withValue(old: unknown, path: readonly string[], value: Scalar): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const copy: Record<string, unknown> = { ...(typeof old === 'object' ? old : {}) };
  const below = withValue(Object.hasOwn(copy, first) ? copy[first] : undefined, rest, value);
  return Object.defineProperty(copy, first, { value: below, enumerable: true, configurable: true, writable: true });
}
