import type { Random } from './testing-random.ts';
import { asFile, remark } from './testing-random.ts';

export type Value = string | number | boolean | readonly (string | number)[] | Tree;
export interface Tree {
  readonly [key: string]: Value;
}

interface Block {
  readonly path: readonly string[];
  readonly pairs: readonly string[];
}

/** Writes a tree in one of the many ways that TOML has for it. */
export function writeToml(random: Random, tree: Tree): string {
  const blocks: Block[] = [];
  const root = collect(random, [], tree, blocks);
  const step = random.pick(['', '  ', '\t', '    ']);
  const nests = random.chance(0.5);
  const sections = random.shuffle(blocks).flatMap(({ path, pairs }) => {
    const outer = nests ? step.repeat(path.length - 1) : '';
    return [...filler(random), `${outer}${headerOf(random, path)}${tail(random)}`, ...indented(random, pairs, outer + step)];
  });
  return asFile(random, [...filler(random), ...indented(random, root, ''), ...sections, ...filler(random)].join('\n').split('\n'));
}

/** The pairs that stand below the table's own header; tables below with a header of their own are put among the blocks. */
function collect(random: Random, path: readonly string[], table: Tree, blocks: Block[]): readonly string[] {
  const pairs: string[] = [];
  let hasTables = false;
  for (const [key, value] of Object.entries(table)) {
    const style = random.pick(['header', 'header', 'header', 'dotted', 'inline']);
    if (!isTable(value)) pairs.push(`${keyOf(random, key)}${equals(random)}${written(random, value)}`);
    else if (style === 'dotted') pairs.push(...dotted(random, [key], value));
    else if (style === 'inline') pairs.push(`${keyOf(random, key)}${equals(random)}${inline(random, value)}`);
    else {
      const below = collect(random, [...path, key], value, blocks);
      const isNeeded = below.length > 0 || !Object.values(value).some(isTable);
      if (isNeeded || random.chance(0.3)) blocks.push({ path: [...path, key], pairs: below });
      hasTables = true;
    }
  }
  return hasTables ? pairs : random.shuffle(pairs);
}

function isTable(value: Value): value is Tree {
  return typeof value === 'object' && !Array.isArray(value);
}

function dotted(random: Random, names: readonly string[], table: Tree): readonly string[] {
  const key = names.map((name) => keyOf(random, name)).join(random.pick(['.', '.', ' . ']));
  if (Object.keys(table).length === 0) return [`${key}${equals(random)}{}`];
  return Object.entries(table).flatMap(([name, value]) => {
    if (isTable(value)) return dotted(random, [...names, name], value);
    return [`${names.map((part) => keyOf(random, part)).join('.')}.${keyOf(random, name)}${equals(random)}${written(random, value)}`];
  });
}

function inline(random: Random, table: Tree): string {
  const pairs = Object.entries(table).map(([key, value]) => {
    return `${keyOf(random, key)}${equals(random)}${isTable(value) ? inline(random, value) : written(random, value)}`;
  });
  const space = random.pick(['', ' ']);
  return `{${space}${pairs.join(random.pick([',', ', ']))}${space}}`;
}

function headerOf(random: Random, path: readonly string[]): string {
  const space = random.pick(['', '', ' ']);
  return `[${space}${path.map((name) => keyOf(random, name)).join('.')}${space}]`;
}

function keyOf(random: Random, name: string): string {
  const styles = [JSON.stringify(name), ...(name.includes("'") ? [] : [`'${name}'`])];
  return /^[\w-]+$/.test(name) && random.chance(0.8) ? name : random.pick(styles);
}

function equals(random: Random): string {
  return random.pick([' = ', ' = ', '=', '\t=\t', '  =  ']);
}

function written(random: Random, value: Exclude<Value, Tree>): string {
  if (typeof value === 'string') return stringOf(random, value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return random.chance(0.2) && value > 0 ? `0x${value.toString(16)}` : String(value);
  const items = value.map((item) => written(random, item));
  if (items.length === 0) return random.pick(['[]', '[ ]', '[\n]']);
  if (random.chance(0.5)) return `[${items.join(random.pick([',', ', ']))}${random.pick(['', ',', ' '])}]`;
  const lines = items.map((item, index) => `    ${item}${index < items.length - 1 || random.chance(0.5) ? ',' : ''}${tail(random)}`);
  return `[${tail(random)}\n${lines.join('\n')}\n  ]`;
}

function stringOf(random: Random, value: string): string {
  const style = random.number(10);
  const isSimple = !/['\\\n]/.test(value);
  if (style < 3 && isSimple) return `'${value}'`;
  if (style === 3 && isSimple) return `'''${value}'''`;
  if (style === 4 && !/["\\]/.test(value)) return `"""${value}"""`;
  return JSON.stringify(value);
}

function indented(random: Random, pairs: readonly string[], indent: string): readonly string[] {
  return pairs.flatMap((pair) => [...filler(random), `${indent}${pair}${tail(random)}`]);
}

function tail(random: Random): string {
  return random.chance(0.2) ? ` ${remark(random)}` : random.pick(['', '', '', ' ', '\t']);
}

function filler(random: Random): readonly string[] {
  if (random.chance(0.6)) return [];
  return [random.chance(0.5) ? '' : random.pick(['', '  ', '\t']) + remark(random)];
}
