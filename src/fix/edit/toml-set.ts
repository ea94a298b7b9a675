import type { AST } from 'toml-eslint-parser';
import type { Scalar } from '../../model/change.ts';
import type { Cut, Edited } from './edit.ts';
import { refuse, unchanged } from './edit.ts';
import { cutText, editInTurn } from './splices.ts';
import { insertion } from './toml-insert.ts';
import { differsBesides } from './toml-same.ts';
import type { Pair, TomlTree } from './toml-tree.ts';
import { namesOf, samePath, startsWith, tomlTree, valueText } from './toml-tree.ts';

/** Gives one key one value; every other byte of the file stays. */
export function setToml(text: string, table: readonly string[], key: string, value: Scalar): Edited {
  const tree = tomlTree(text);
  if ('why' in tree) return refuse(tree.why);
  const path = [...table, key];
  const found = findValue(tree, path);
  if (typeof found === 'string') return refuse(found);
  if (found !== undefined && isScalar(found) && sameScalar(found, value)) return unchanged(text);
  const cut = found === undefined ? insertion(tree, table, key, valueText(value)) : replacement(found, value);
  if (typeof cut === 'string') return refuse(cut);
  return checked(text, tree.offset, cut, path, value);
}

/** Every member of that name. */
export function removeFromTomlArray(text: string, key: string | readonly string[], member: string): Edited {
  const path = typeof key === 'string' ? [key] : key;
  const tree = tomlTree(text);
  if ('why' in tree) return refuse(tree.why);
  const found = findValue(tree, path);
  if (found === undefined) return unchanged(text);
  if (typeof found === 'string' || found.type !== 'TOMLArray') return refuse(`${path.join('.')} is not a list.`);
  const names = found.elements.map((element) => (isScalar(element) && element.kind === 'string' ? element.value : undefined));
  if (names.includes(undefined)) return refuse(`${path.join('.')} holds more than names.`);
  const at = names.lastIndexOf(member);
  if (at === -1) return unchanged(text);
  const rest = names.filter((_, index) => index !== at);
  const one = (before: string) => checked(before, tree.offset, removal(tree, found, at), path, rest);
  return editInTurn(text, rest.includes(member) ? [one, (before) => removeFromTomlArray(before, path, member)] : [one]);
}

function checked(text: string, offset: number, cut: Cut, path: readonly string[], value: unknown): Edited {
  const edited = cutText(text, [{ from: cut.from + offset, to: cut.to + offset, text: cut.text }]);
  if (!edited.ok) return edited;
  const why = differsBesides(text, edited.after, path, value);
  return why === undefined ? edited : refuse(why);
}

/** The value of that path, or in words why there can be none. */
function findValue(tree: TomlTree, path: readonly string[]): AST.TOMLContentNode | string | undefined {
  for (const section of tree.sections) {
    const list = section.header?.kind === 'array' ? namesOf(section.header.key) : undefined;
    if (list !== undefined && startsWith(path, list)) return `${list.join('.')} is a list of tables.`;
    if (section.inList) continue;
    if (section.header !== undefined && startsWith(section.path, path)) return `${path.join('.')} is a table.`;
    const found = inPairs(section.pairs, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inPairs(pairs: readonly Pair[], path: readonly string[]): AST.TOMLContentNode | string | undefined {
  for (const pair of pairs) {
    const { value } = pair.node;
    if (samePath(pair.path, path)) return value;
    if (startsWith(pair.path, path)) return `${path.join('.')} is a table.`;
    if (!startsWith(path, pair.path)) continue;
    if (value.type !== 'TOMLInlineTable') return `${pair.path.join('.')} is not a table.`;
    return inPairs(
      value.body.map((node) => ({ path: [...pair.path, ...namesOf(node.key)], node })),
      path,
    );
  }
  return undefined;
}

function isScalar(node: AST.TOMLContentNode): node is AST.TOMLValue {
  return node.type === 'TOMLValue';
}

function sameScalar(node: AST.TOMLValue, value: Scalar): boolean {
  return node.value === value;
}

function replacement(node: AST.TOMLContentNode, value: Scalar): Cut | string {
  if (!isScalar(node)) return 'The setting holds a list or a table there, not a single value.';
  return { from: node.range[0], to: node.range[1], text: valueText(value, node) };
}

/** With its comma; with its whole line where it stands alone on one. */
function removal(tree: TomlTree, list: AST.TOMLArray, index: number): Cut {
  const { text } = tree;
  const [start, end] = list.elements[index]?.range ?? [0, 0];
  const next = list.elements[index + 1]?.range[0] ?? list.range[1] - 1;
  const comma = tree.program.tokens.find((token) => token.range[0] >= end && token.range[1] <= next && token.value === ',');
  const past = skipBlanks(text, comma?.range[1] ?? end);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const newline = /^\r?\n/.exec(text.slice(past, past + 2))?.[0];
  if (newline !== undefined && text.slice(lineStart, start).trim() === '') return { from: lineStart, to: past + newline.length, text: '' };
  const previous = list.elements[index - 1]?.range[1];
  const isLast = index === list.elements.length - 1;
  if (isLast && comma === undefined && previous !== undefined && /^[\s,]*$/.test(text.slice(previous, start)))
    return { from: previous, to: end, text: '' };
  return { from: start, to: newline === undefined ? past : (comma?.range[1] ?? end), text: '' };
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at;
}
