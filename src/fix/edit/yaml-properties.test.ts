import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import type { KubeletChange } from './kubelet.ts';
import { editKubelet } from './kubelet.ts';
import { expectSound, linesGone } from './testing-edits.ts';
import type { Random } from './testing-random.ts';
import { randomFrom } from './testing-random.ts';
import type { Tree, Value } from './testing-yaml.ts';
import { writeYaml } from './testing-yaml.ts';

const RUNS = 130;

const CHANGES: readonly (KubeletChange & { readonly path: readonly string[] })[] = [
  { do: 'kubelet-set', key: 'cgroupDriver', value: 'systemd', path: ['cgroupDriver'] },
  { do: 'kubelet-set', key: 'maxPods', value: 250, path: ['maxPods'] },
  { do: 'kubelet-set', key: 'failSwapOn', value: false, path: ['failSwapOn'] },
  { do: 'kubelet-set', key: 'resolvConf', value: '/run/systemd/resolve/resolv.conf', path: ['resolvConf'] },
  { do: 'kubelet-set', key: 'authentication.webhook.enabled', value: true, path: ['authentication', 'webhook', 'enabled'] },
  { do: 'kubelet-set', key: 'evictionHard.memory.available', value: '100Mi', path: ['evictionHard', 'memory.available'] },
];

function unrelated(random: Random): Tree {
  const values: readonly Value[] = [
    '',
    'plain',
    'cgroupDriver: cgroupfs\n\n# text\n',
    "it's # é",
    7,
    true,
    null,
    [],
    {},
    ['a', { b: 1 }],
    { c: { d: [1] } },
  ];
  const names = ['clusterDNS', 'a b', '日本', 'dotted.name', 'x/y', 'on', '12', 'logging'];
  return Object.fromEntries(
    random
      .shuffle(names)
      .slice(random.number(names.length))
      .map((name) => [name, random.pick(values)]),
  );
}

function maybe(random: Random, tree: Tree): Tree {
  return random.chance(0.5) ? tree : {};
}

function configuration(random: Random): Tree {
  const webhook = { ...maybe(random, { enabled: false }), ...maybe(random, { cacheTTL: '0s' }) };
  const authentication = random.pick<Value>([null, {}, { webhook }, { webhook: null }, { ...unrelated(random), webhook }]);
  const eviction = random.pick<Value>([null, {}, { 'memory.available': '5%' }, { 'nodefs.available': '10%' }]);
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    ...unrelated(random),
    ...maybe(random, { cgroupDriver: random.pick(['cgroupfs', 'systemd', null]) }),
    ...maybe(random, { maxPods: 110, failSwapOn: true }),
    ...maybe(random, { resolvConf: '/etc/resolv.conf' }),
    ...maybe(random, { authentication }),
    ...maybe(random, { evictionHard: eviction }),
  };
}

function withPath(tree: unknown, path: readonly string[], value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const old = typeof tree === 'object' && tree !== null ? (tree as Record<string, unknown>) : {};
  return { ...old, [first]: withPath(old[first], rest, value) };
}

function read(text: string): readonly unknown[] {
  return parseAllDocuments(text).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });
}

function valueAt(tree: unknown, path: readonly string[]): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return tree;
  return typeof tree === 'object' && tree !== null ? valueAt((tree as Record<string, unknown>)[first], rest) : undefined;
}

describe(`leaves all but the target alone`, () => {
  it.each([0, 1, 2, 3])(`in ${RUNS} files, part %i`, (part) => {
    let edits = 0;
    for (let seed = part * RUNS; seed < (part + 1) * RUNS; seed++) {
      const random = randomFrom(seed);
      const { path, ...change } = random.pick(CHANGES);
      const before = writeYaml(random, configuration(random));
      const label = `seed ${seed}, ${JSON.stringify(change)}\n${before}`;
      const { after, removed } = expectSound(before, (text) => editKubelet(text, change), label);
      const [first, ...others] = read(before);
      expect(read(after), label).toEqual([withPath(first, path, change.value), ...others]);
      expect(linesGone(before, after), label).toBeLessThanOrEqual(1);
      // A key may be there with nothing, `null`, where the map of the path begins.
      const old = path
        .map((_, index) => valueAt(first, path.slice(0, index + 1)))
        .find((value) => typeof value !== 'object' || value === null);
      expect(
        removed.map((text) => parse(text)),
        label,
      ).toEqual(removed.length === 0 ? [] : [old]);
      expect(removed.join(''), label).not.toMatch(/^\s|#|\s$/);
      if (after !== before) edits++;
    }
    expect(edits).toBeGreaterThan(RUNS / 2);
  });
});
