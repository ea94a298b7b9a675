import { isDeepStrictEqual } from 'node:util';
import type { JsonPatch, PatchOperation } from './cluster-plan.ts';
import { type Token, tokensOf, valueAt } from './json-pointer.ts';
import { sameValue } from './values.ts';

/** What a patch makes of an object; undefined where one of its tests does not hold or a path leads nowhere. */
export function patched(object: unknown, patch: JsonPatch): unknown {
  return worked(object, patch)?.result;
}

/**
 * The patch with its tests as the object writes the same values (`1.5Gi` is kept as `1536Mi`), since the server compares letter
 * by letter; undefined where the object is not as the patch wants it.
 */
export function settled(object: unknown, patch: JsonPatch): JsonPatch | undefined {
  return worked(object, patch)?.patch;
}

function worked(object: unknown, patch: JsonPatch): { readonly result: unknown; readonly patch: JsonPatch } | undefined {
  const result: unknown = structuredClone(object);
  const literal: PatchOperation[] = [];
  for (const operation of patch) {
    const tokens = tokensOf(operation.path);
    if (operation.op === 'test') {
      if (!testHolds(result, tokens, operation.value)) return undefined;
      literal.push({ ...operation, value: structuredClone(valueAt(result, tokens)) ?? null });
    } else {
      if (!change(result, tokens, operation)) return undefined;
      literal.push(operation);
    }
  }
  return { result, patch: literal };
}

/** A missing member counts as null, as it does for the API server, but only where its parent is there. */
function testHolds(object: unknown, tokens: readonly string[], value: unknown): boolean {
  const parent = valueAt(object, tokens.slice(0, -1));
  if (typeof parent !== 'object' || parent === null) return false;
  if (Array.isArray(parent) && !Object.hasOwn(parent, tokens.at(-1) ?? '')) return false;
  return sameAt(tokens, valueAt(object, tokens) ?? null, value ?? null);
}

/** Whether two values are one at this place: only amounts may be written in several ways, elsewhere `1` and `1.0` are two texts. */
export function sameAt(tokens: readonly Token[], one: unknown, other: unknown): boolean {
  return tokens.includes('resources') || tokens.includes('hard') ? sameValue(one, other) : isDeepStrictEqual(one, other);
}

/**
 * A way back whose tests hold on what the server made of a change: defaults fill what was taken away, admission may write
 * another value. Only single values are taken over, since lists and objects may have got secrets from elsewhere.
 */
export function rebased(object: unknown, reverse: JsonPatch): JsonPatch {
  const result: unknown = structuredClone(object);
  const literal: PatchOperation[] = [];
  for (const operation of reverse) {
    const tokens = tokensOf(operation.path);
    const found = valueAt(result, tokens) ?? null;
    const isTaken = operation.op === 'test' && typeof found !== 'object' && typeof operation.value !== 'object';
    const isDefault = operation.op === 'test' && operation.value === null && typeof found !== 'object';
    literal.push(isTaken || isDefault ? { ...operation, value: found } : operation);
    if (operation.op !== 'test' && !change(result, tokens, operation)) return reverse;
  }
  return literal;
}

function change(object: unknown, tokens: readonly string[], operation: PatchOperation): boolean {
  const last = tokens.at(-1);
  const parent = valueAt(object, tokens.slice(0, -1));
  if (last === undefined || typeof parent !== 'object' || parent === null) return false;
  const value = structuredClone(operation.value);
  if (Array.isArray(parent)) return changeList(parent, last, operation.op, value);
  const members = parent as Record<string, unknown>;
  if (operation.op !== 'add' && !Object.hasOwn(members, last)) return false;
  if (operation.op === 'remove') delete members[last];
  else Object.defineProperty(members, last, { value, enumerable: true, configurable: true, writable: true });
  return true;
}

function changeList(list: unknown[], token: string, op: PatchOperation['op'], value: unknown): boolean {
  const index = token === '-' ? list.length : /^\d{1,9}$/.test(token) ? Number(token) : -1;
  const most = op === 'add' ? list.length : list.length - 1;
  if (index < 0 || index > most) return false;
  list.splice(index, op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [value]));
  return true;
}
