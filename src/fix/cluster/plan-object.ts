import type { ClusterChange } from '../../model/change.ts';
import { answered } from './answers.ts';
import type { ObjectRef, PatchOperation } from './cluster-plan.ts';
import { type Edited, type Editing, settingOf } from './edit.ts';
import { objectFieldOf } from './fields.ts';
import { pointer, type Token, unsetValue, valueAt } from './json-pointer.ts';
import { isLess } from './quantity.ts';
import { shown } from './values.ts';

export type ObjectChange = Extract<ClusterChange, { readonly do: 'object-set' }>;

export function objectEdit(ref: ObjectRef, change: ObjectChange, answers: ReadonlyMap<string, string>): Editing {
  return (object) => {
    const label = shown(change.field);
    const field = objectFieldOf(ref.kind, change.field);
    if (!field) return { why: `${label} is no field of a ${ref.kind} that podcause changes` };
    const tokens: Token[] = field.parts.map((part) => (/^\d{1,3}$/.test(part) && ref.kind === 'Service' ? Number(part) : part));
    const guards = guardsFor(object, tokens);
    if (!guards) return { why: `${label} is not there` };
    const given = answered(change.value, answers);
    const secretName = ref.kind === 'ConfigMap' ? { secretName: field.parts.at(-1) ?? '' } : {};
    const edit = settingOf(object, { label, type: field.type, tokens, given, ...secretName });
    if (!('patch' in edit)) return edit;
    if (isShrunkClaim(ref, edit.before, edit.value))
      return { why: `${label}: a claim cannot be made smaller than it is (${shown(edit.before)})` };
    return { ...edit, patch: [...guards, ...edit.patch], reverse: [...guards, ...edit.reverse] };
  };
}

/** A port of a list is still the one meant where its number is the same; undefined where the list has none there. */
function guardsFor(object: unknown, tokens: readonly Token[]): PatchOperation[] | undefined {
  const at = tokens.findIndex((token) => typeof token === 'number');
  if (at < 0) return [];
  const port = [...tokens.slice(0, at + 1), 'port'];
  const value = valueAt(object, port);
  return value === undefined ? undefined : [{ op: 'test', path: pointer(port), value }];
}

function isShrunkClaim(ref: ObjectRef, before: unknown, value: unknown): boolean {
  return ref.kind === 'PersistentVolumeClaim' && typeof before === 'string' && typeof value === 'string' && isLess(value, before);
}

/** As the API writes it, a node that takes pods has no such field. */
export function uncordonEdit(object: unknown): Edited {
  const tokens = ['spec', 'unschedulable'];
  const before = valueAt(object, tokens);
  const swap = before === true ? unsetValue(object, tokens) : undefined;
  if (!swap) return { already: 'it takes pods already' };
  return { ...swap, label: 'spec.unschedulable', before, value: undefined, place: tokens };
}
