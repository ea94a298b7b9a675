import { isDeepStrictEqual } from 'node:util';
import { parse } from 'smol-toml';

type Tree = Record<string, unknown>;

/** Why the edit did more, or less, than give that key that value; undefined where it did just that. */
export function differsBesides(before: string, after: string, path: readonly string[], value: unknown): string | undefined {
  const old = read(before);
  const young = read(after);
  if (old === undefined) return 'The file is not valid TOML.';
  if (young === undefined) return 'The edited file would not be valid TOML.';
  const wanted = withValue(old, path, typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value);
  return wanted !== undefined && isDeepStrictEqual(wanted, young)
    ? undefined
    : 'The edit would change more of the file than the one setting.';
}

export function read(text: string): Tree | undefined {
  try {
    return parse(text, { integersAsBigInt: true });
  } catch {
    return undefined;
  }
}

export function valueAt(tree: unknown, path: readonly string[]): unknown {
  let at = tree;
  for (const part of path) {
    if (!isTree(at) || !Object.hasOwn(at, part)) return undefined;
    at = at[part];
  }
  return at;
}

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function withValue(tree: unknown, path: readonly string[], value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (!isTree(tree)) return undefined;
  const copy: Tree = Object.create(null);
  Object.defineProperties(copy, Object.getOwnPropertyDescriptors(tree));
  const below = Object.hasOwn(tree, first) ? tree[first] : Object.create(null);
  const inner = withValue(rest.length > 0 ? below : undefined, rest, value);
  Object.defineProperty(copy, first, { value: inner, enumerable: true, configurable: true, writable: true });
  return copy;
}
