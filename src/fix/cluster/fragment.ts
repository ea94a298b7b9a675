import type { LiveObject, ObjectRef } from './cluster-plan.ts';
import { type Token, valueAt } from './json-pointer.ts';

/** Lists whose members a strategic merge finds by one of their fields; others are given whole. */
const KEYS: ReadonlyMap<Token, readonly string[]> = new Map([
  ['containers', ['name']],
  ['initContainers', ['name']],
  ['env', ['name']],
  ['volumes', ['name']],
  ['imagePullSecrets', ['name']],
  ['ports', ['containerPort', 'port']],
]);

export interface Change {
  readonly before: unknown;
  readonly after: unknown;
}

/** The least part of an object that says what it has at some places: a strategic merge patch. */
export function fragmentOf(ref: ObjectRef, { before, after }: Change, places: readonly (readonly Token[])[]): LiveObject {
  const fragment: Record<string, unknown> = {
    apiVersion: ref.apiVersion,
    kind: ref.kind,
    metadata: { name: ref.name, ...(ref.namespace !== undefined ? { namespace: ref.namespace } : {}) },
  };
  for (const tokens of places) put(fragment, { before, after }, tokens);
  return fragment;
}

function put(fragment: Record<string, unknown>, { before, after }: Change, tokens: readonly Token[]): void {
  let at = fragment;
  for (let depth = 0; depth < tokens.length; depth++) {
    const token = tokens[depth] ?? '';
    const value = valueAt(after, tokens.slice(0, depth + 1));
    const key = keyOf(token, valueAt(value, [tokens[depth + 1] ?? '']));
    if (depth === tokens.length - 1 || (Array.isArray(value) && key === undefined)) {
      at[token] = value === undefined ? null : structuredClone(value);
      return;
    }
    if (Array.isArray(value) && key !== undefined) {
      const list = at;
      at = member(list, token, key, valueAt(value, [tokens[depth + 1] ?? 0, key]));
      depth++;
      // A member that gets another key is another one to a merge, and the old one has to go.
      if (tokens[depth + 1] === key) member(list, token, key, valueAt(before, tokens))['$patch'] = 'delete';
      if (depth === tokens.length - 1) Object.assign(at, structuredClone(valueAt(after, tokens)));
    } else at = child(at, token);
  }
}

function keyOf(list: Token, entry: unknown): string | undefined {
  return KEYS.get(list)?.find((key) => valueAt(entry, [key]) !== undefined);
}

function child(parent: Record<string, unknown>, token: Token): Record<string, unknown> {
  const known = Object.hasOwn(parent, token) ? parent[token] : undefined;
  if (typeof known === 'object' && known !== null) return known as Record<string, unknown>;
  const made: Record<string, unknown> = {};
  parent[token] = made;
  return made;
}

function member(parent: Record<string, unknown>, token: Token, key: string, value: unknown): Record<string, unknown> {
  const list = Array.isArray(parent[token]) ? (parent[token] as Record<string, unknown>[]) : [];
  parent[token] = list;
  const known = list.find((one) => one[key] === value);
  if (known) return known;
  const made: Record<string, unknown> = { [key]: value };
  list.push(made);
  return made;
}
