import { expect, it } from 'vitest';
import type { DockerChange } from './docker.ts';
import { editDocker } from './docker.ts';
import { expectSound, linesGone } from './testing-edits.ts';
import type { Random } from './testing-random.ts';
import { asFile, randomFrom } from './testing-random.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
type Tree = Readonly<Record<string, Json>>;

const RUNS = 1500;
const PREFIX = 'native.cgroupdriver=';

const CHANGES: readonly DockerChange[] = [
  { do: 'docker-set', option: 'exec-opts', value: `${PREFIX}systemd`, prefix: PREFIX },
  { do: 'docker-set', option: 'live-restore', value: true },
  { do: 'docker-set', option: 'mtu', value: 1400 },
  { do: 'docker-set', option: 'data-root', value: '/srv/"docker"\\é' },
  { do: 'docker-set', option: 'log-opts.max-size', value: '10m' },
];

function maybe(random: Random, tree: Tree): Tree {
  return random.chance(0.5) ? tree : {};
}

function configuration(random: Random): Tree {
  const options = [`${PREFIX}cgroupfs`, 'isolation=x', '"exec-opts": []'];
  const values: readonly Json[] = ['', '{"mtu": 1}', '\\" , ]} é 🙂\n', -1.5e300, 0, null, [], {}, [[], [{}]], { a: { mtu: 2 } }];
  const names = ['dns', 'hosts', 'a"b', 'log-opts.max-size', '', '__proto__', 'é'];
  const others = random
    .shuffle(names)
    .slice(random.number(8))
    .map((name): readonly [string, Json] => [name, random.pick(values)]);
  const logs = { ...maybe(random, { 'max-size': '1m' }), ...maybe(random, { 'max-file': '3' }) };
  return Object.fromEntries(
    random.shuffle([
      ...others,
      ...Object.entries({
        ...maybe(random, { 'exec-opts': random.shuffle(options).slice(random.number(4)) }),
        ...maybe(random, { 'live-restore': random.chance(0.5), mtu: 1500 }),
        ...maybe(random, { 'data-root': '/old' }),
        ...maybe(random, { 'log-opts': logs }),
      }),
    ]),
  );
}

/** With blanks of all kinds wherever they may stand, or as a program would write it. */
function write(random: Random, tree: Tree): string {
  const step = random.pick([0, 2, 4, '\t', ' ', 'wild']);
  if (step !== 'wild') return asFile(random, JSON.stringify(tree, undefined, step).split('\n'));
  const blank = () => random.pick(['', '', ' ', '  ', '\t', '\n', '\r\n', '\n\n  ']);
  const text = (value: Json): string => {
    if (typeof value !== 'object' || value === null) return blank() + scalar(random, value) + blank();
    if (Array.isArray(value)) return `${blank()}[${value.length === 0 ? blank() : value.map(text).join(',')}]${blank()}`;
    const pairs = Object.entries(value).map(([key, item]) => `${blank()}${scalar(random, key)}${blank()}:${text(item)}`);
    return `${blank()}{${pairs.length === 0 ? blank() : pairs.join(',')}}${blank()}`;
  };
  return text(tree);
}

function scalar(random: Random, value: string | number | boolean | null): string {
  const plain = JSON.stringify(value);
  if (typeof value !== 'string' || random.chance(0.7)) return plain;
  return plain.replace(/[a-z](?=[a-z]*"$)/, (letter) => (value.includes('\n') ? letter : `\\u00${letter.charCodeAt(0).toString(16)}`));
}

function wanted(before: Tree, change: DockerChange): Tree {
  const tree: Record<string, Json> = Object.assign(Object.create(null), before);
  if (change.option === 'log-opts.max-size')
    return { ...tree, 'log-opts': { ...(tree['log-opts'] as Tree | undefined), 'max-size': change.value } };
  if (change.prefix === undefined) return { ...tree, [change.option]: change.value };
  const list = (tree[change.option] ?? []) as readonly Json[];
  const at = list.findIndex((item) => String(item).startsWith(PREFIX));
  return { ...tree, [change.option]: at === -1 ? [...list, change.value] : list.with(at, change.value) };
}

function oldOf(before: Tree, change: DockerChange): Json | undefined {
  if (change.option === 'log-opts.max-size') return (before['log-opts'] as Tree | undefined)?.['max-size'];
  const old = before[change.option];
  return Array.isArray(old) ? old.find((item) => String(item).startsWith(PREFIX)) : old;
}

it(`leaves all but the target alone in ${RUNS} files`, () => {
  let edits = 0;
  for (let seed = 0; seed < RUNS; seed++) {
    const random = randomFrom(seed);
    const change = random.pick(CHANGES);
    const before = write(random, configuration(random));
    const label = `seed ${seed}, ${JSON.stringify(change)}\n${before}`;
    const { after, removed } = expectSound(before, (text) => editDocker(text, change), label);
    const read = (text: string): Tree => Object.assign(Object.create(null), JSON.parse(text.replace(/^\uFEFF/, '')));
    expect(Object.entries(read(after)), label).toEqual(Object.entries(wanted(read(before), change)));
    expect(linesGone(before, after), label).toBeLessThanOrEqual(1);
    expect(
      removed.map((text) => JSON.parse(text)),
      label,
    ).toEqual(removed.length === 0 ? [] : [oldOf(read(before), change)]);
    expect(removed.join(''), label).not.toMatch(/^\s|\s$/);
    if (after !== before) edits++;
  }
  expect(edits).toBeGreaterThan(RUNS / 2);
});
