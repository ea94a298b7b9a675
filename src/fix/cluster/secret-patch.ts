import { isRecord } from '../../collect/cluster/list-meta.ts';
import type { JsonPatch, PatchOperation } from './cluster-plan.ts';
import { tokensOf } from './json-pointer.ts';
import { looksSecret } from './values.ts';

interface Swapped {
  readonly patch: JsonPatch;
  readonly reverse: JsonPatch;
}

/** Whether a journal of this patch would hold a secret: a value that looks like one, or stands under the name of one. */
export function hasSecret({ patch, reverse }: Swapped): boolean {
  const operations = [...patch, ...reverse];
  const names = variableNames(operations);
  return operations.some(({ path, value }) => {
    if (path === '/data' && isRecord(value)) return Object.entries(value).some(([key, text]) => looksSecret(key, text));
    return holds(value, nameFor(path, names));
  });
}

/** A variable's own name stands beside its value; in a config map the key is the name. */
function nameFor(path: string, names: ReadonlyMap<string, string>): string {
  const tokens = tokensOf(path);
  if (tokens[0] === 'data') return tokens[1] ?? '';
  return tokens.at(-1) === 'value' ? (names.get(parentOf(path)) ?? '') : '';
}

/** Names that tests guard, by the path of the variable: the value of one stands beside it. */
function variableNames(operations: readonly PatchOperation[]): ReadonlyMap<string, string> {
  const named = operations.filter(({ path, value }) => path.endsWith('/name') && typeof value === 'string');
  return new Map(named.map(({ path, value }) => [parentOf(path), String(value)]));
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function holds(value: unknown, name: string): boolean {
  if (Array.isArray(value)) return looksSecret('', value) || value.some((one) => holds(one, ''));
  if (!isRecord(value)) return value !== undefined && value !== null && looksSecret(name, value);
  const { name: variable, value: content } = value;
  if (typeof variable === 'string' && content !== undefined && looksSecret(variable, content)) return true;
  return Object.values(value).some((one) => holds(one, ''));
}
