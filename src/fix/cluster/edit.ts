import { isDeepStrictEqual } from 'node:util';
import type { Answered } from './answers.ts';
import type { JsonPatch, PatchOperation } from './cluster-plan.ts';
import { type Swap, setValue, type Token, valueAt } from './json-pointer.ts';
import { patched } from './patch-object.ts';
import { looksSecret, readValue, sameValue, shown, type ValueType } from './values.ts';

/** One change of one object, worked out. */
export interface Edit extends Swap {
  readonly label: string;
  readonly before: unknown;
  readonly value: unknown;
  readonly place: readonly Token[];
}

export type Edited = Edit | { readonly why: string } | { readonly already: string };

export type Editing = (object: unknown) => Edited;

/** All changes of one object as one patch, so that its pods are replaced once. */
export interface Draft {
  readonly patch: JsonPatch;
  readonly reverse: JsonPatch;
  readonly labels: readonly string[];
  readonly diff: readonly string[];
  readonly places: readonly (readonly Token[])[];
  readonly after: unknown;
  readonly refused: readonly string[];
  readonly already: readonly string[];
}

/** Each change is worked out on what those before it leave behind. */
export function drafted(object: unknown, edits: readonly Editing[]): Draft {
  let after = object;
  const patch: PatchOperation[] = [];
  const reverse: PatchOperation[] = [];
  const made: Edit[] = [];
  const refused: string[] = [];
  const already: string[] = [];
  for (const edit of edits) {
    const one = edit(after);
    if ('why' in one) refused.push(one.why);
    else if ('already' in one) already.push(one.already);
    else {
      patch.push(...one.patch);
      reverse.unshift(...one.reverse);
      made.push(one);
      after = patched(after, one.patch) ?? after;
    }
  }
  return {
    patch,
    reverse,
    labels: made.map(({ label }) => label),
    diff: made.map(({ label, before, value }) => `${label}: ${shown(before)} → ${shown(value)}`),
    places: made.map(({ place }) => place),
    after,
    refused,
    already,
  };
}

export interface Setting {
  readonly label: string;
  readonly type: ValueType;
  readonly tokens: readonly Token[];
  readonly given: Answered;
  /** Looks like a secret where it stands under this name; absent where no secret can be. */
  readonly secretName?: string;
}

/** What is changed is shown, stored for the way back, and put into files: no secret may be on that way. */
export const SECRET = 'it looks like a secret, and those podcause does not touch; change it by hand';

/** A value that is put where another is, or nothing yet. */
export function settingOf(object: unknown, { label, type, tokens, given, secretName }: Setting): Edited {
  const before = valueAt(object, tokens);
  const value = valueFor({ label, type, given, secretName }, before);
  if ('why' in value || 'already' in value) return value;
  return { ...setValue(object, tokens, value.value), label, before, value: value.value, place: tokens };
}

export interface Wanted {
  readonly label: string;
  readonly type: ValueType;
  readonly given: Answered;
  readonly secretName?: string | undefined;
}

export function valueFor(
  { label, type, given, secretName }: Wanted,
  before: unknown,
): { readonly value: unknown } | { readonly why: string } | { readonly already: string } {
  if (!given.ok) return { why: `${label}: ${given.why}` };
  const read = readValue(type, given.value, before);
  if (!read.ok) return { why: `${label}: ${read.why}` };
  if (secretName !== undefined && [before, read.value].some((one) => one !== undefined && looksSecret(secretName, one)))
    return { why: `${label}: ${SECRET}` };
  // Only amounts may be written in several ways; a text is another one as soon as a letter is.
  const isSame = type === 'quantity' ? sameValue(before, read.value) : isDeepStrictEqual(before, read.value);
  return isSame ? { already: `${label} is ${shown(before)} already` } : { value: read.value };
}
