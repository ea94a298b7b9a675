import { parse } from 'smol-toml';
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { describe, expect, it } from 'vitest';
import type { ContainerdChange } from './containerd.ts';
import { editContainerd } from './containerd.ts';
import { expectSound, linesGone } from './testing-edits.ts';
import type { Random } from './testing-random.ts';
import { randomFrom } from './testing-random.ts';
import type { Tree } from './testing-toml.ts';
import { writeToml } from './testing-toml.ts';

type Plain = Record<string, unknown>;
const RUNS = 150;
const IMAGE = 'mirror.example:5000/pause:3.10';
const CERTS = '/etc/containerd/certs.d';
const LOOKALIKE = '[plugins.cri]\nSystemdCgroup = false\n# not a comment';

const VERSIONS = [
  { runtime: 'cri', images: 'cri' },
  { version: 1, runtime: 'cri', images: 'cri' },
  { version: 2, runtime: 'io.containerd.grpc.v1.cri', images: 'io.containerd.grpc.v1.cri' },
  { version: 3, runtime: 'io.containerd.cri.v1.runtime', images: 'io.containerd.cri.v1.images' },
  { version: 4, runtime: 'io.containerd.cri.v1.runtime', images: 'io.containerd.cri.v1.images' },
] as const;
type Version = (typeof VERSIONS)[number];

function isNew(version: Version): boolean {
  return 'version' in version && version.version >= 3;
}

function maybe(random: Random, tree: Tree, share = 0.5): Tree {
  return random.chance(share) ? tree : {};
}

function unrelated(random: Random): Tree {
  const values = ['', 'plain', LOOKALIKE, 'é"\\', 7, 0, true, false, ['a', 'b'], [1, 2, 3], [], { 'x.y': { '': 'deep' } }, {}] as const;
  const names = ['a b', 'dotted.name', 'bare-name', '日本', '"q"', 'path', 'Options'];
  return Object.fromEntries(
    random
      .shuffle(names)
      .slice(random.number(names.length))
      .map((name) => [name, random.pick(values)]),
  );
}

function runtimes(random: Random, name: string): Tree {
  const options = { ...maybe(random, { SystemdCgroup: random.chance(0.3) }), ...maybe(random, { BinaryName: '/usr/bin/runc' }) };
  const runc = {
    ...maybe(random, { runtime_type: 'io.containerd.runc.v2' }, 0.8),
    ...maybe(random, { options }),
    ...maybe(random, unrelated(random), 0.2),
  };
  return {
    ...maybe(random, { [name]: runc }, name === 'runc' ? 0.6 : 1),
    ...maybe(random, { kata: { runtime_type: 'io.containerd.kata.v2' } }, 0.3),
  };
}

function runtimeTable(random: Random): Tree {
  const name = random.pick(['runc', 'runc', 'runc', 'nvidia', 'a.b']);
  const said = name === 'runc' ? maybe(random, { default_runtime_name: name }) : { default_runtime_name: name };
  const inner = {
    ...said,
    ...(name === 'runc' ? maybe(random, { runtimes: runtimes(random, name) }) : { runtimes: runtimes(random, name) }),
  };
  return { ...unrelated(random), ...(name === 'runc' ? maybe(random, { containerd: inner }, 0.8) : { containerd: inner }) };
}

function imagesTable(random: Random, version: Version): Tree {
  const sandbox = isNew(version) ? { pinned_images: maybe(random, { sandbox: 'old:1' }) } : { sandbox_image: 'old:1' };
  const registry = { ...maybe(random, { config_path: random.pick(['', '/old']) }), ...maybe(random, { headers: { 'User-Agent': ['x'] } }) };
  return { ...maybe(random, sandbox), ...maybe(random, { registry }) };
}

function configuration(random: Random, version: Version): Tree {
  const runtime = runtimeTable(random);
  const images = imagesTable(random, version);
  const shared = version.runtime === version.images;
  const cri = shared
    ? { [version.runtime]: { ...runtime, ...images } }
    : { [version.runtime]: runtime, ...maybe(random, { [version.images]: images }, 0.8) };
  const short = ['cri', 'a', 'cri', 'zfs'];
  const long = ['io.containerd.grpc.v1.cri', 'io.containerd.snapshotter.v1.zfs', 'io.containerd.cri.v1.images', 'a.b'];
  return {
    ...('version' in version ? { version: version.version } : {}),
    ...maybe(random, { disabled_plugins: random.shuffle(version.runtime === 'cri' ? short : long).slice(random.number(5)) }),
    ...maybe(random, { grpc: unrelated(random), 'stream.processors': unrelated(random) }),
    ...maybe(
      random,
      { plugins: { ...(isNew(version) || version.runtime !== 'cri' ? { 'io.containerd.gc.v1': unrelated(random) } : {}), ...cri } },
      0.9,
    ),
  };
}

const CHANGES: readonly ContainerdChange[] = [
  { do: 'containerd-set', setting: 'SystemdCgroup', value: true },
  { do: 'containerd-set', setting: 'sandbox_image', value: IMAGE },
  { do: 'containerd-set', setting: 'registry_config_path', value: CERTS },
  { do: 'containerd-enable', plugin: 'cri' },
];

function at(tree: Plain, path: readonly string[]): Plain {
  const [first, ...rest] = path;
  if (first === undefined) return tree;
  tree[first] ??= {};
  return at(tree[first] as Plain, rest);
}

/** What the file shall say, worked out apart from the editor. */
function wanted(before: Plain, version: Version, change: ContainerdChange): Plain {
  const tree = structuredClone(before);
  if (change.do === 'containerd-enable') {
    const listed = tree['disabled_plugins'];
    if (Array.isArray(listed))
      tree['disabled_plugins'] = listed.filter((name) => name !== 'cri' && !/\.cri$|\.cri\.v1\./.test(String(name)));
    return tree;
  }
  if (change.setting === 'sandbox_image') {
    at(tree, ['plugins', version.images, ...(isNew(version) ? ['pinned_images'] : [])])[isNew(version) ? 'sandbox' : 'sandbox_image'] =
      IMAGE;
    return tree;
  }
  if (change.setting === 'registry_config_path') {
    at(tree, ['plugins', version.images, 'registry'])['config_path'] = CERTS;
    return tree;
  }
  const containerd = at(tree, ['plugins', version.runtime, 'containerd']);
  const runtime = at(containerd, ['runtimes', String(containerd['default_runtime_name'] ?? 'runc')]);
  if (!isNew(version)) runtime['runtime_type'] ??= 'io.containerd.runc.v2';
  at(runtime, ['options'])['SystemdCgroup'] = true;
  return tree;
}

function readBoth(text: string): readonly [Plain, Plain] {
  const other = getStaticTOMLValue(parseTOML(text.replace(/^\uFEFF/, ''), { tomlVersion: '1.0' }));
  return [structuredClone({ ...parse(text) }), structuredClone(other) as Plain];
}

/** A value and nothing beside it; of a list its members, the commas and the blanks between, and never a comment. */
function isOnlyTheOld(removed: string, change: ContainerdChange): boolean {
  if (change.do === 'containerd-enable') return /^(?:[\s,]|"""[\w.]+"""|'''[\w.]+'''|"[\w.]+"|'[\w.]+')*$/.test(removed);
  return ['', false, 'old:1', '/old'].includes(parse(`value = ${removed}`)['value'] as string | boolean) && removed.trim() === removed;
}

describe(`leaves all but the target alone`, () => {
  it.each([0, 1, 2, 3])(`in ${RUNS} files, part %i`, (part) => {
    let edits = 0;
    for (let seed = part * RUNS; seed < (part + 1) * RUNS; seed++) {
      const random = randomFrom(seed);
      const version = random.pick(VERSIONS);
      const change = random.pick(CHANGES);
      const before = writeToml(random, configuration(random, version));
      const label = `seed ${seed}, ${JSON.stringify(change)}\n${before}`;
      const { after, removed } = expectSound(before, (text) => editContainerd(text, change), label);
      const [old, oldToo] = readBoth(before);
      const [young, youngToo] = readBoth(after);
      expect(young, label).toEqual(wanted(old, version, change));
      expect(youngToo, label).toEqual(wanted(oldToo, version, change));
      expect(
        removed.filter((text) => !isOnlyTheOld(text, change)),
        label,
      ).toEqual([]);
      if (change.do === 'containerd-set') expect(linesGone(before, after), label).toBeLessThanOrEqual(2);
      if (after !== before) edits++;
    }
    expect(edits).toBeGreaterThan(RUNS / 2);
  });
});
