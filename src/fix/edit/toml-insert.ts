import type { AST } from 'toml-eslint-parser';
import type { Cut } from './edit.ts';
import { lineEndingAt, lineEndingOf } from './lines.ts';
import type { Pair, Section, TomlTree } from './toml-tree.ts';
import { keyText, namesOf, samePath, startsWith } from './toml-tree.ts';

/** Where and how a key that is not there is written, or in words why it cannot be. */
export function insertion(tree: TomlTree, table: readonly string[], key: string, value: string): Cut | string {
  const inline = deepestInline(tree, table);
  if (inline !== undefined) return intoInline(tree.text, inline.node, [...table.slice(inline.depth), key], value);
  const section = tree.sections.find((each) => !each.inList && each.header?.kind !== 'array' && samePath(each.path, table));
  if (section !== undefined) return intoSection(tree, section, `${keyText(key)} = ${value}`);
  const dotted = lastDotted(tree, table);
  if (dotted !== undefined) return afterDotted(tree, dotted, [...table, key], value);
  return asNewTable(tree, table, `${keyText(key)} = ${value}`);
}

interface Inline {
  readonly node: AST.TOMLInlineTable;
  readonly depth: number;
}

/** An inline table is closed: what belongs below it can stand nowhere else. */
function deepestInline(tree: TomlTree, table: readonly string[]): Inline | undefined {
  for (const section of tree.sections) {
    const found = section.inList ? undefined : inlineIn(section.pairs, table);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inlineIn(pairs: readonly Pair[], table: readonly string[]): Inline | undefined {
  for (const { path, node } of pairs) {
    const { value } = node;
    if (value.type !== 'TOMLInlineTable' || !startsWith(table, path)) continue;
    const inner = value.body.map((pair) => ({ path: [...path, ...namesOf(pair.key)], node: pair }));
    return inlineIn(inner, table) ?? { node: value, depth: path.length };
  }
  return undefined;
}

function intoInline(text: string, node: AST.TOMLInlineTable, names: readonly string[], value: string): Cut {
  const pair = `${names.map(keyText).join('.')} = ${value}`;
  const last = node.body.at(-1)?.range[1];
  if (last !== undefined) return { from: last, to: last, text: `, ${pair}` };
  const open = node.range[0] + 1;
  return { from: open, to: open, text: ` ${pair}${text[open] === '}' ? ' ' : ''}` };
}

function intoSection(tree: TomlTree, section: Section, line: string): Cut {
  const last = section.pairs.at(-1)?.node;
  if (last !== undefined) return newLine(tree, last.range[1], indentOf(tree.text, last.range[0]) + line);
  if (section.header === undefined) return { from: 0, to: 0, text: line + (tree.text === '' ? '\n' : lineEndingOf(tree.text)) };
  const indent = indentOf(tree.text, section.header.range[0]) + stepOf(tree);
  return newLine(tree, headerEnd(section.header, tree), indent + line);
}

interface Dotted {
  readonly section: Section;
  readonly pair: Pair;
}

/** A table made by dotted keys cannot be opened again by a header, so its neighbours show the way to write in it. */
function lastDotted(tree: TomlTree, table: readonly string[]): Dotted | undefined {
  let best: (Dotted & { readonly depth: number }) | undefined;
  for (const section of tree.sections) {
    if (section.inList || !startsWith(table, section.path)) continue;
    for (const pair of section.pairs) {
      const depth = sharedDepth(pair.path.slice(0, -1), table);
      if (depth > section.path.length && depth >= (best?.depth ?? 0)) best = { section, pair, depth };
    }
  }
  const headed = Math.max(
    0,
    ...tree.sections.filter((each) => !each.inList && startsWith(table, each.path)).map((each) => each.path.length),
  );
  return best !== undefined && best.depth > headed ? best : undefined;
}

function sharedDepth(one: readonly string[], other: readonly string[]): number {
  let depth = 0;
  while (depth < one.length && depth < other.length && one[depth] === other[depth]) depth++;
  return depth;
}

function afterDotted(tree: TomlTree, { section, pair }: Dotted, path: readonly string[], value: string): Cut {
  const names = path.slice(section.path.length);
  const written = pair.node.key.keys.map((part) => tree.text.slice(part.range[0], part.range[1]));
  const shared = sharedDepth(pair.path.slice(0, -1), path) - section.path.length;
  const key = names.map((name, index) => (index < shared ? (written[index] ?? keyText(name)) : keyText(name))).join('.');
  return newLine(tree, pair.node.range[1], `${indentOf(tree.text, pair.node.range[0])}${key} = ${value}`);
}

/** After the nearest table above it and all that follows below that one. */
function asNewTable(tree: TomlTree, table: readonly string[], line: string): Cut | string {
  const ending = lineEndingOf(tree.text);
  const near = nearest(tree, table);
  const headers = tree.sections.filter((section) => section.header !== undefined);
  const nested = headers.some((section) => section.header !== undefined && indentOf(tree.text, section.header.range[0]) !== '');
  const step = stepOf(tree);
  const base = near?.header === undefined ? '' : indentOf(tree.text, near.header.range[0]);
  const depth = near === undefined ? 0 : table.length - near.path.length;
  const indent = nested ? base + step.repeat(Math.max(depth, 0)) : base;
  const block = `${indent}[${headerText(tree, table, near)}]${ending}${indent}${step}${line}`;
  const end = near === undefined ? tree.text.length : blockEnd(tree, near);
  if (tree.text.trim() === '') return { from: tree.text.length, to: tree.text.length, text: `${block}${ending}` };
  if (near !== undefined) return newLine(tree, end, `${ending}${block}`);
  const open = !tree.text.endsWith('\n');
  return { from: end, to: end, text: `${open ? ending : ''}${ending}${block}${open ? '' : ending}` };
}

/** The table with the longest path that leads there. */
function nearest(tree: TomlTree, table: readonly string[]): Section | undefined {
  let best: Section | undefined;
  for (const section of tree.sections) {
    if (section.header === undefined || section.inList || !startsWith(table, section.path)) continue;
    if (best === undefined || section.path.length > best.path.length) best = section;
  }
  return best;
}

function blockEnd(tree: TomlTree, near: Section): number {
  const from = tree.sections.indexOf(near);
  let last = near;
  for (const section of tree.sections.slice(from + 1)) {
    if (section.inList || !startsWith(section.path, near.path)) break;
    last = section;
  }
  const pair = last.pairs.at(-1)?.node;
  if (pair !== undefined) return pair.range[1];
  return last.header === undefined ? 0 : headerEnd(last.header, tree);
}

/** Parts that the nearest header has written already are written the same way. */
function headerText(tree: TomlTree, table: readonly string[], near: Section | undefined): string {
  const written = near?.header?.key.keys.map((part) => tree.text.slice(part.range[0], part.range[1])) ?? [];
  return table.map((name, index) => written[index] ?? keyText(name)).join('.');
}

function headerEnd(header: AST.TOMLTable, tree: TomlTree): number {
  return tree.text.indexOf(']', header.key.range[1]) + 1;
}

function newLine(tree: TomlTree, after: number, line: string): Cut {
  const { text } = tree;
  const newline = text.indexOf('\n', after);
  if (newline === -1) return { from: text.length, to: text.length, text: lineEndingOf(text) + line };
  return { from: newline + 1, to: newline + 1, text: line + lineEndingAt(text, newline) };
}

function indentOf(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? '';
}

/** How much deeper than their header the lines of a table stand in this file. */
function stepOf(tree: TomlTree): string {
  for (const { header, pairs } of tree.sections) {
    const first = pairs[0]?.node;
    if (header === undefined || first === undefined) continue;
    const outer = indentOf(tree.text, header.range[0]);
    const inner = indentOf(tree.text, first.range[0]);
    return inner.startsWith(outer) ? inner.slice(outer.length) : '';
  }
  return '  ';
}
