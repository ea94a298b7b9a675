import type { JsonPatch, PatchOperation } from './cluster-plan.ts';

export type Token = string | number;

export function pointer(tokens: readonly Token[]): string {
  return tokens.map((token) => `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function tokensOf(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Undefined where nothing is; inherited members are nothing. */
export function valueAt(object: unknown, tokens: readonly Token[]): unknown {
  let value = object;
  for (const token of tokens) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined;
    value = (value as Readonly<Record<Token, unknown>>)[token];
  }
  return value;
}

export interface Swap {
  readonly patch: JsonPatch;
  readonly reverse: JsonPatch;
}

/**
 * Sets one value so that the server refuses where anything is not as it was read. For what is absent a test for null holds,
 * as the API server takes a missing member for it.
 */
export function setValue(object: unknown, tokens: readonly Token[], value: unknown): Swap {
  const before = valueAt(object, tokens);
  const path = pointer(tokens);
  if (before !== undefined) {
    return {
      patch: [test(path, before), { op: 'replace', path, value }],
      reverse: [test(path, value), { op: 'replace', path, value: before }],
    };
  }
  const depth = firstMissing(object, tokens);
  const missing = pointer(tokens.slice(0, depth));
  const whole = nested(tokens.slice(depth), value);
  return {
    patch: [test(missing, null), { op: 'add', path: missing, value: whole }],
    // Tested whole, so that nothing that somebody else put beside it goes with it.
    reverse: [test(missing, whole), { op: 'remove', path: missing }],
  };
}

/** Undefined where there is nothing to take away. */
export function unsetValue(object: unknown, tokens: readonly Token[]): Swap | undefined {
  const before = valueAt(object, tokens);
  if (before === undefined) return undefined;
  const path = pointer(tokens);
  return {
    patch: [test(path, before), { op: 'remove', path }],
    reverse: [test(path, null), { op: 'add', path, value: before }],
  };
}

/** Adds a member behind the last; the list as it was is tested whole, since an index alone says nothing of its members. */
export function appendValue(object: unknown, tokens: readonly Token[], value: unknown): Swap {
  const list = valueAt(object, tokens);
  if (!Array.isArray(list)) return setValue(object, tokens, [value]);
  const path = pointer(tokens);
  const after = [...list, value];
  return {
    patch: [test(path, list), { op: 'replace', path, value: after }],
    reverse: [test(path, after), { op: 'replace', path, value: list }],
  };
}

function test(path: string, value: unknown): PatchOperation {
  return { op: 'test', path, value };
}

/** How many tokens lead to the first that is not there. */
function firstMissing(object: unknown, tokens: readonly Token[]): number {
  let depth = 1;
  while (depth < tokens.length && valueAt(object, tokens.slice(0, depth)) !== undefined) depth++;
  return depth;
}

function nested(tokens: readonly Token[], value: unknown): unknown {
  return tokens.reduceRight<unknown>((inner, token) => ({ [token]: inner }), value);
}
