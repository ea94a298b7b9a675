import { isTree, valueAt } from './toml-same.ts';

type Tree = Record<string, unknown>;

/** Where the settings of the CRI plugin stand: its table moved with the versions of the configuration. */
export interface Shape {
  readonly version: 1 | 2 | 3;
  readonly runtime: readonly string[];
  readonly sandbox: { readonly table: readonly string[]; readonly key: string };
  readonly registry: readonly string[];
}

export interface Shaped {
  readonly shape: Shape;
  /** Without it containerd 1.x takes the file for version 1 and passes over tables with long names. */
  readonly needsVersion?: true;
  readonly notes: readonly string[];
}

type Outcome = Shaped | { readonly why: string };

const NEWEST = 4n;
const V2 = 'io.containerd.grpc.v1.cri';
const V3_RUNTIME = 'io.containerd.cri.v1.runtime';
const V3_IMAGES = 'io.containerd.cri.v1.images';

const SHAPES: Readonly<Record<1 | 2 | 3, Shape>> = {
  1: before3(1, 'cri'),
  2: before3(2, V2),
  3: {
    version: 3,
    runtime: ['plugins', V3_RUNTIME],
    sandbox: { table: ['plugins', V3_IMAGES, 'pinned_images'], key: 'sandbox' },
    registry: ['plugins', V3_IMAGES, 'registry'],
  },
};

function before3(version: 1 | 2, name: string): Shape {
  const root = ['plugins', name];
  return { version, runtime: root, sandbox: { table: root, key: 'sandbox_image' }, registry: [...root, 'registry'] };
}

/** `release` is that of the containerd on the host, `1.7.13`; where it is not known, files that releases read differently are refused. */
export function shapeOf(tree: Tree, release?: string): Outcome {
  const stated = tree['version'] ?? 0n;
  if (typeof stated !== 'bigint' || stated < 0n || stated > NEWEST)
    return { why: 'The version of the containerd configuration is not known.' };
  const isFirst = release?.startsWith('1.') ?? false;
  if (stated >= 3n) {
    if (isFirst) return { why: `The file says version = ${stated}, and containerd ${release} reads files up to version 2 only.` };
    return { shape: SHAPES[3], notes: notesOn3(tree) };
  }
  if (isFirst || !(has(tree, V3_RUNTIME) || has(tree, V3_IMAGES))) return before2x(tree, stated);
  return with3Names(tree, stated, release);
}

function has(tree: Tree, name: string): boolean {
  return isTree(valueAt(tree, ['plugins', name]));
}

/** A common slip: tables of the old name in a file of the new version. */
function notesOn3(tree: Tree): readonly string[] {
  const old = valueAt(tree, ['plugins', V2]);
  const moved = ['containerd', 'registry', 'sandbox_image'].filter((key) => valueAt(old, [key]) !== undefined);
  if (moved.length === 0) return [];
  return [
    `The file also has ${moved.join(', ')} below plugins."${V2}", where containerd 2.0 to 2.2 pass over them in a file of version 3 and later ones may not: move them to the tables of version 3.`,
  ];
}

function with3Names(tree: Tree, stated: bigint, release: string | undefined): Outcome {
  if (has(tree, V2) || has(tree, 'cri'))
    return { why: 'The file has the CRI tables of containerd 1.x and of 2.x; which of them count depends on the release.' };
  const said = stated === 0n ? 'states no version' : `says version = ${stated}`;
  if (release === undefined)
    return { why: `The file ${said}, but its CRI tables are those of version 3: whether they count depends on the release of containerd.` };
  return { shape: SHAPES[3], notes: [`The file ${said}, but its CRI tables are those of version 3: the edit follows the tables.`] };
}

function before2x(tree: Tree, stated: bigint): Outcome {
  const ignored =
    has(tree, V3_RUNTIME) || has(tree, V3_IMAGES) ? ['The tables of version 3 in the file count for nothing in containerd 1.x.'] : [];
  if (stated === 2n) {
    const short = has(tree, 'cri') ? ['Tables below plugins.cri count for nothing in a file of version 2.'] : [];
    return { shape: SHAPES[2], notes: [...ignored, ...short] };
  }
  return has(tree, V2) ? withLongNames(tree, stated) : { shape: SHAPES[1], notes: ignored };
}

function withLongNames(tree: Tree, stated: bigint): Outcome {
  if (stated === 1n) return { why: `The file says version = 1, but has tables of version 2, which containerd 1.x passes over there.` };
  const short = shortNames(tree);
  if (short.length > 0) {
    return { why: `The file states no version and mixes names of version 1 (${short.join(', ')}) with tables of version 2.` };
  }
  return {
    shape: SHAPES[2],
    needsVersion: true,
    notes: [
      'The file states no version but has tables of version 2. containerd 1.x passes over such tables, so version = 2 is added, and all tables of the file take effect.',
    ],
  };
}

/** Names without a dot are refused by containerd once the file says version 2. */
function shortNames(tree: Tree): readonly string[] {
  const plugins = valueAt(tree, ['plugins']);
  const listed = [tree['disabled_plugins'], tree['required_plugins']].flatMap((list) => (Array.isArray(list) ? list : []));
  const names = [...(isTree(plugins) ? Object.keys(plugins) : []), ...listed.filter((name) => typeof name === 'string')];
  return names.filter((name) => !name.includes('.'));
}
