import type { Pair, YAMLMap, Scalar as YamlScalar } from 'yaml';
import { isCollection, isMap, isPair, isScalar } from 'yaml';
import type { Scalar } from '../../model/change.ts';
import type { Cut } from './edit.ts';
import { lineEndingAt, lineEndingOf } from './lines.ts';
import { yamlKey, yamlText } from './yaml-text.ts';

/** `key:` with nothing after it. */
export function isUnwritten(node: YamlScalar): boolean {
  return node.range !== undefined && node.range !== null && node.range[0] === node.range[1];
}

/** What is not written has no place of its own: the reader puts it behind the comments that follow. */
export function afterColon(text: string, pair: Pair): number {
  const key = isScalar(pair.key) ? (pair.key.range?.[1] ?? 0) : 0;
  return text.indexOf(':', key) + 1;
}

export function insertionInMap(text: string, root: YAMLMap, map: YAMLMap, names: readonly string[], value: Scalar): Cut | string {
  if (map.flow) return intoFlow(text, map, names, value);
  const column = columnOf(text, map);
  const last = map.items.at(-1);
  if (column === undefined || last === undefined) return 'The map there is written in a way that cannot be added to.';
  return newLines(text, endOf(last), blockLines(names, value, column, stepOf(text, root)));
}

/** Below a key that has no value yet. */
export function underKey(text: string, root: YAMLMap, map: YAMLMap, pair: Pair, names: readonly string[], value: Scalar): Cut | string {
  const node = pair.value;
  const column = columnOf(text, map);
  if (!isScalar(node) || !node.range || node.anchor !== undefined || node.tag !== undefined) return 'The key there has no plain value.';
  if (!isUnwritten(node)) return { from: node.range[0], to: node.range[1], text: flowOf(names, value, false) };
  const colon = afterColon(text, pair);
  if (map.flow || column === undefined) return { from: colon, to: colon, text: ` ${flowOf(names, value, false)}` };
  const step = stepOf(text, root);
  return newLines(text, colon, blockLines(names, value, column + step, step));
}

function blockLines(names: readonly string[], value: Scalar, column: number, step: number): readonly string[] {
  return names.map((name, index) => {
    const indent = ' '.repeat(column + step * index);
    return `${indent}${yamlKey(name)}:${index === names.length - 1 ? ` ${yamlText(value)}` : ''}`;
  });
}

function newLines(text: string, after: number, lines: readonly string[]): Cut {
  const isAtStart = after > 0 && text[after - 1] === '\n';
  const newline = isAtStart ? after - 1 : text.indexOf('\n', after);
  const ending = newline === -1 ? lineEndingOf(text) : lineEndingAt(text, newline);
  const block = lines.join(ending);
  if (newline === -1) return { from: text.length, to: text.length, text: ending + block };
  return { from: newline + 1, to: newline + 1, text: block + ending };
}

function intoFlow(text: string, map: YAMLMap, names: readonly string[], value: Scalar): Cut | string {
  const last = map.items.at(-1);
  const isJson = map.items.some((pair) => isScalar(pair.key) && pair.key.type === 'QUOTE_DOUBLE');
  const inner = flowOf(names, value, isJson).slice(1, -1);
  if (!map.range) return 'The map there has no place in the text.';
  if (last === undefined) return { from: map.range[0] + 1, to: map.range[0] + 1, text: inner };
  const end = endOf(last);
  return { from: end, to: end, text: `,${spaceBefore(text, startOf(last))}${inner}` };
}

function flowOf(names: readonly string[], value: Scalar, isJson: boolean): string {
  const [first = '', ...rest] = names;
  const key = isJson ? JSON.stringify(first) : yamlKey(first);
  const leaf = isJson ? JSON.stringify(value) : yamlText(value);
  return `{${key}: ${rest.length === 0 ? leaf : flowOf(rest, value, isJson)}}`;
}

function spaceBefore(text: string, at: number): string {
  const space = /[ \r\n\t]*$/.exec(text.slice(Math.max(0, at - 400), at))?.[0] ?? '';
  const newline = space.lastIndexOf('\n');
  if (newline === -1) return ' ';
  return space.slice(space[newline - 1] === '\r' ? newline - 1 : newline);
}

function startOf(pair: Pair): number {
  return isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
}

/** Where the last thing written in it ends, comments left out. */
function endOf(pair: Pair): number {
  let end = isScalar(pair.key) ? (pair.key.range?.[1] ?? 0) : 0;
  let node: unknown = pair.value;
  while (isCollection(node) && !node.flow && node.items.length > 0) {
    const last: unknown = node.items.at(-1);
    if (isPair(last) && isScalar(last.key)) end = last.key.range?.[1] ?? end;
    node = isPair(last) ? last.value : last;
  }
  const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined;
  return Array.isArray(range) && typeof range[1] === 'number' ? Math.max(end, range[1]) : end;
}

/** Undefined where the first key does not begin its line. */
function columnOf(text: string, map: YAMLMap): number | undefined {
  const first = map.items[0];
  if (first === undefined) return undefined;
  const at = startOf(first);
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at).replace('\uFEFF', '');
  return line.trim() === '' ? line.length : undefined;
}

/** How much deeper than its key a map stands in this file. */
function stepOf(text: string, root: YAMLMap): number {
  for (const pair of root.items) {
    const below = pair.value;
    if (!isMap(below) || below.flow) continue;
    const inner = columnOf(text, below);
    const outer = columnOf(text, root);
    if (inner !== undefined && outer !== undefined && inner > outer) return inner - outer;
  }
  return 2;
}
