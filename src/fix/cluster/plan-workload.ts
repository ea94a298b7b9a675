import type { ClusterChange } from '../../model/change.ts';
import { type Answered, answered } from './answers.ts';
import type { PatchOperation } from './cluster-plan.ts';
import { type Edit, type Edited, type Editing, SECRET, settingOf, valueFor } from './edit.ts';
import { appendValue, pointer, type Swap, setValue, type Token, unsetValue, valueAt } from './json-pointer.ts';
import { type Located, locate } from './locate.ts';
import { recordsAt } from './meta.ts';
import { looksSecret, sameValue, shown } from './values.ts';

export type WorkloadChange = Extract<ClusterChange, { readonly do: 'workload-set' | 'workload-add' | 'workload-unset' }>;

interface WorkloadContext {
  readonly podSpec: readonly Token[];
  readonly answers: ReadonlyMap<string, string>;
  /** The container the incident is about, where a change names none. */
  readonly container?: string;
}

export function workloadEdit(change: WorkloadChange, { podSpec, answers, container }: WorkloadContext): Editing {
  return (object) => {
    if (change.do === 'workload-add') return addition(object, podSpec, change);
    const label = labelOf(change);
    const located = locate(object, podSpec, { named: change.container, meant: container }, change.field);
    if ('why' in located) return { why: `${label}: ${located.why}` };
    const edit =
      change.do === 'workload-unset' ? removal(object, located, label) : setting(object, located, label, answered(change.value, answers));
    return 'patch' in edit ? guarded(edit, located.guards) : edit;
  };
}

function labelOf(change: { readonly container?: string; readonly field: string }): string {
  const field = shown(change.field);
  return change.container === undefined ? field : `container ${shown(change.container)}, ${field}`;
}

function guarded(edit: Edit, guards: readonly PatchOperation[]): Edit {
  return { ...edit, patch: [...guards, ...edit.patch], reverse: [...guards, ...edit.reverse] };
}

function setting(object: unknown, located: Located, label: string, given: Answered): Edited {
  const { field, tokens, absent } = located;
  if (field.onlyUnset) return { why: `${label}: it can only be taken away` };
  const secretName = secretNameOf(located);
  const wanted = { label, type: field.type, given, ...(secretName !== undefined ? { secretName } : {}) };
  if (absent === undefined) return settingOf(object, { ...wanted, tokens });
  const value = valueFor(wanted, undefined);
  if ('why' in value || 'already' in value) return value;
  return { ...newVariable(object, located, value.value), label, before: undefined, value: value.value };
}

/** Under which name a secret could stand here; undefined where none can. */
function secretNameOf({ field }: Located): string | undefined {
  const holds = field.parts[0];
  if (field.parts.includes('valueFrom') || field.type === 'name') return undefined;
  if (holds === 'env') return field.parts[1] ?? '';
  return holds === 'args' || holds === 'command' || field.type === 'texts' || field.type === 'text' ? '' : undefined;
}

/**
 * Put before the last one, whose name is tested: the list itself may hold secrets and is not repeated, and behind the last
 * one that test would hold again once the variable is there.
 */
function newVariable(object: unknown, { tokens, absent = '' }: Located, value: unknown): Swap & { readonly place: readonly Token[] } {
  const variables = recordsAt(object, tokens);
  const member = { name: absent, value };
  if (variables.length === 0) return { ...setValue(object, tokens, [member]), place: [...tokens, 0] };
  const place = [...tokens, variables.length - 1];
  return {
    place,
    patch: [
      { op: 'test', path: pointer([...place, 'name']), value: variables.at(-1)?.['name'] },
      { op: 'add', path: pointer(place), value: member },
    ],
    reverse: [
      { op: 'test', path: pointer(place), value: member },
      { op: 'remove', path: pointer(place) },
    ],
  };
}

function removal(object: unknown, located: Located, label: string): Edited {
  if (located.absent !== undefined) return { already: `${label} is not there already` };
  const isVariable = located.field.parts[0] === 'env' && located.field.parts.length === 2;
  if (isVariable) return { why: `${label}: variables are not taken away, only set` };
  const before = valueAt(object, located.tokens);
  if (before !== undefined && looksSecret(secretNameOf(located) ?? '', before)) return { why: `${label}: ${SECRET}` };
  const swap = unsetValue(object, located.tokens);
  return swap ? { ...swap, label, before, value: undefined, place: located.tokens } : { already: `${label} is not there already` };
}

const TOLERATION: Readonly<Record<string, RegExp>> = {
  key: /^(?:[a-zA-Z0-9][-\w./]{0,300})?$/,
  operator: /^(?:Exists|Equal)$/,
  value: /^[-\w.]{0,63}$/,
  effect: /^(?:NoSchedule|PreferNoSchedule|NoExecute)?$/,
  tolerationSeconds: /^\d{1,9}$/,
};

const MEMBERS: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  tolerations: TOLERATION,
  imagePullSecrets: { name: /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/ },
};

function addition(object: unknown, podSpec: readonly Token[], change: Extract<WorkloadChange, { readonly do: 'workload-add' }>): Edited {
  const label = labelOf(change);
  const allowed = Object.hasOwn(MEMBERS, change.field) ? MEMBERS[change.field] : undefined;
  const entries = Object.entries(change.value ?? {});
  const isSound =
    entries.length > 0 && entries.every(([key, value]) => allowed && Object.hasOwn(allowed, key) && allowed[key]?.test(String(value)));
  if (!allowed || !isSound) return { why: `${label}: this is nothing that podcause adds` };
  const member = Object.fromEntries(entries.map(([key, value]) => [key, key === 'tolerationSeconds' ? Number(value) : String(value)]));
  // Without a key and with Exists every taint is tolerated, also those that keep pods off broken nodes.
  if (change.field === 'tolerations' && !member['key']) return { why: `${label}: a toleration without a key tolerates everything` };
  const tokens = [...podSpec, change.field];
  if (recordsAt(object, tokens).some((one) => sameValue(one, member))) return { already: `${label} has ${shown(member)} already` };
  return { ...appendValue(object, tokens, member), label: `${label} +`, before: undefined, value: member, place: tokens };
}
