import type { PatchOperation } from './cluster-plan.ts';
import { type Field, fieldOf } from './fields.ts';
import { pointer, type Token, valueAt } from './json-pointer.ts';
import { recordsAt } from './meta.ts';
import { shown } from './values.ts';

/** Where a field of a pod template is in one object. */
export interface Located {
  readonly field: Field;
  readonly tokens: readonly Token[];
  /** Tests that list members are still the ones meant. */
  readonly guards: readonly PatchOperation[];
  /** The list that a named member is missing from; then `tokens` lead to the list. */
  readonly absent?: string;
}

type Location = Located | { readonly why: string };

/** A container by what the change says, else by what the incident is about. */
export interface Which {
  readonly named: string | undefined;
  readonly meant: string | undefined;
}

export function locate(object: unknown, podSpec: readonly Token[], container: Which, text: string): Location {
  const field = fieldOf(text, container.named !== undefined);
  if (!field) return { why: `${shown(text)} is no field that podcause changes` };
  if (field.of === 'pod') return within(object, podSpec, [], field);
  const found = containerIn(object, podSpec, container);
  if ('why' in found) return found;
  return within(object, found.tokens, found.guards, field);
}

interface Found {
  readonly tokens: readonly Token[];
  readonly guards: readonly PatchOperation[];
}

function containerIn(object: unknown, podSpec: readonly Token[], { named: name, meant }: Which): Found | { readonly why: string } {
  const all = ['containers', 'initContainers'].flatMap((list) =>
    recordsAt(object, [...podSpec, list]).map((one, index) => ({ tokens: [...podSpec, list, index], name: one['name'], list })),
  );
  const ordinary = all.filter(({ list }) => list === 'containers');
  const single = ordinary.length === 1 ? ordinary[0] : undefined;
  const found =
    name === undefined
      ? ((meant === undefined ? undefined : all.find((one) => one.name === meant)) ?? single)
      : all.find((one) => one.name === name);
  if (found) return { tokens: found.tokens, guards: [{ op: 'test', path: pointer([...found.tokens, 'name']), value: found.name }] };
  if (name !== undefined) return { why: `it has no container ${shown(name)}` };
  return { why: `it has ${ordinary.length} containers, and which one is meant is not said` };
}

/** Lists of named members are entered by name, others by index. */
const NAMED: ReadonlySet<Token> = new Set(['env', 'volumes']);

function within(object: unknown, base: readonly Token[], guards: readonly PatchOperation[], field: Field): Location {
  const [first = '', second, ...rest] = field.parts;
  if (second !== undefined && NAMED.has(first)) return named(object, [...base, first], second, rest, { field, guards });
  const tokens = [...base, ...field.parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part))];
  const index = tokens.findIndex((token, at) => at >= base.length && typeof token === 'number');
  if (index >= 0 && valueAt(object, tokens.slice(0, index + 1)) === undefined) return { why: `${field.parts.join('.')} is not there` };
  const isProbe = first.endsWith('Probe') && second !== undefined;
  if (isProbe && valueAt(object, [...base, first]) === undefined) return { why: `it has no ${first}` };
  return { field, tokens, guards };
}

interface Around {
  readonly field: Field;
  readonly guards: readonly PatchOperation[];
}

function named(object: unknown, list: readonly Token[], name: string, rest: readonly string[], { field, guards }: Around): Location {
  const members = recordsAt(object, list);
  const index = members.findIndex((one) => one['name'] === name);
  if (index < 0) {
    if (list.at(-1) === 'env' && rest.length === 0) return { field, tokens: list, guards, absent: name };
    return { why: `there is no ${list.at(-1) === 'env' ? 'variable' : 'volume'} ${shown(name)}` };
  }
  const tokens = [...list, index];
  const guard: PatchOperation = { op: 'test', path: pointer([...tokens, 'name']), value: name };
  if (rest.length === 0 && Object.hasOwn(members[index] ?? {}, 'valueFrom'))
    return { why: `the variable ${name} is taken from a reference` };
  if (rest.length > 0 && valueAt(object, [...tokens, ...rest.slice(0, -1)]) === undefined)
    return { why: `${field.parts.join('.')} is not there` };
  return { field, tokens: [...tokens, ...(rest.length === 0 ? ['value'] : rest)], guards: [...guards, guard] };
}
