import type { Random } from './testing-random.ts';
import { asFile, remark } from './testing-random.ts';

export type Value = string | number | boolean | null | readonly Value[] | Tree;
export interface Tree {
  readonly [key: string]: Value;
}

interface Style {
  readonly random: Random;
  readonly step: number;
  /** Lists may stand as far left as their key. */
  readonly listStep: number;
}

/** Writes a tree in one of the many ways that YAML has for it. */
export function writeYaml(random: Random, tree: Tree): string {
  if (random.chance(0.1)) return asFile(random, JSON.stringify(tree, undefined, random.pick([2, 4, '\t'])).split('\n'));
  const style = { random, step: random.pick([2, 2, 3, 4]), listStep: random.pick([0, 2]) };
  const start = random.chance(0.2) ? [`---${tail(random)}`] : [];
  const end = random.chance(0.1) ? ['...'] : random.chance(0.1) ? ['---', 'another: document'] : [];
  return asFile(random, [...filler(random, ''), ...start, ...mapLines(style, tree, 0), ...filler(random, ''), ...end]);
}

function mapLines(style: Style, tree: Tree, column: number): readonly string[] {
  const { random } = style;
  return random.shuffle(Object.entries(tree)).flatMap(([key, value]) => {
    const indent = ' '.repeat(column);
    const head = `${indent}${keyOf(random, key)}${random.pick(['', '', '', ' '])}:`;
    return [...filler(random, indent), ...entryLines(style, head, value, column)];
  });
}

function entryLines(style: Style, head: string, value: Value, column: number): readonly string[] {
  const { random } = style;
  if (Array.isArray(value) && value.length > 0 && random.chance(0.7)) {
    const indent = ' '.repeat(column + style.listStep);
    return [
      `${head}${tail(random)}`,
      ...value.flatMap((item) => [...filler(random, indent), `${indent}- ${flow(random, item)}${tail(random)}`]),
    ];
  }
  if (isMap(value) && Object.keys(value).length > 0 && random.chance(0.7)) {
    return [`${head}${tail(random)}`, ...mapLines(style, value, column + style.step)];
  }
  if (value === null && random.chance(0.7)) return [`${head}${tail(random)}`];
  if (typeof value === 'string' && value.includes('\n')) {
    const indent = ' '.repeat(column + style.step);
    return [`${head} ${random.pick(['|', '|-', '>'])}`, ...value.split('\n').map((line) => (line === '' ? '' : indent + line))];
  }
  return [`${head}${random.pick([' ', ' ', '  ', '\t'])}${flow(random, value)}${tail(random)}`];
}

function isMap(value: Value): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function flow(random: Random, value: Value): string {
  if (typeof value === 'string') return stringOf(random, value);
  if (value === null) return random.pick(['null', '~']);
  if (typeof value !== 'object') return String(value);
  const space = random.pick(['', ' ']);
  if (!isMap(value)) return `[${space}${value.map((item) => flow(random, item)).join(', ')}${space}]`;
  const pairs = Object.entries(value).map(([key, item]) => `${keyOf(random, key)}: ${flow(random, item)}`);
  return `{${space}${pairs.join(', ')}${pairs.length > 0 ? space : ''}}`;
}

function keyOf(random: Random, key: string): string {
  return stringOf(random, key, 0.85);
}

function stringOf(random: Random, value: string, plain = 0.6): string {
  if (/^[A-Za-z/][\w./-]*$/.test(value) && random.chance(plain)) return value;
  return value.includes('\n') || random.chance(0.5) ? JSON.stringify(value) : `'${value.replaceAll("'", "''")}'`;
}

function tail(random: Random): string {
  return random.chance(0.2) ? ` ${remark(random)}` : random.pick(['', '', '', ' ']);
}

function filler(random: Random, indent: string): readonly string[] {
  if (random.chance(0.7)) return [];
  return [random.chance(0.4) ? '' : random.pick(['', indent]) + remark(random)];
}
