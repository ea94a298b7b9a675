import type { AnyClue, Area, CommandSlots, FieldsOf, Fix, Maturity, Risk, Seen, Slots, SlotValue, Step, Trigger } from '../model/cause.ts';
import type { Change } from '../model/change.ts';
import type { Entity, EntityKind } from '../model/entity.ts';
import type { Fact, FactKind, Symptom } from '../model/facts.ts';

interface TypedStep<S extends string> extends Omit<Step, 'say' | 'run'> {
  readonly say: S;
  readonly run?: string;
}

interface CauseInput<
  P extends EntityKind,
  T extends { readonly name: string; readonly title: string; readonly why: string },
  C extends Record<string, AnyClue>,
  S extends Record<keyof C, string>,
  F extends readonly {
    readonly say: string;
    readonly risk: Risk;
    readonly for?: readonly (keyof C & string)[];
    readonly steps: readonly TypedStep<string>[];
    readonly changes?: readonly Change[];
    readonly verified?: string;
  }[],
> {
  readonly id: string;
  readonly area: Area;
  readonly at: P;
  readonly maturity: Maturity;
  readonly explains: readonly Symptom[];
  readonly effectOf?: readonly string[];
  readonly restates?: true;
  readonly wakesOn?: readonly Trigger[];
  readonly text: T;
  readonly clues: C;
  /** One line per clue, in our words. For an `excludes`: the other explanation it speaks for. */
  readonly says: S & { readonly [K in Exclude<keyof S, keyof C>]: never };
  readonly slots: (
    place: Entity<P>,
    seen: Seen<C>,
  ) => { readonly [K in Slots<(T[keyof T] | S[keyof S]) & string> | FixSlots<F>]: SlotValue };
  readonly fixes: F;
  readonly verify: { readonly quietForMinutes: number };
  readonly sources?: readonly string[];
}

/** The slots in the strings of changes. */
type ChangeSlots<C> = C extends string
  ? CommandSlots<C>
  : C extends readonly (infer One)[]
    ? ChangeSlots<One>
    : C extends object
      ? { [K in keyof C]: ChangeSlots<C[K]> }[keyof C]
      : never;

type FixSlots<F> = F extends readonly (infer One)[]
  ? One extends { readonly say: infer Say extends string; readonly steps: readonly (infer S)[] }
    ?
        | Slots<Say>
        | (S extends { readonly say: infer SSay extends string } ? Slots<SSay> : never)
        | (S extends { readonly run: infer Run extends string } ? CommandSlots<Run> : never)
        | (One extends { readonly changes: infer Changes } ? ChangeSlots<Changes> : never)
    : never
  : never;

export interface DefinedCause extends Omit<import('../model/cause.ts').Cause, 'slots'> {
  readonly slots: (place: Entity, seen: Readonly<Record<string, Fact | undefined>>) => Readonly<Record<string, SlotValue>>;
}

export function defineCause<
  const P extends EntityKind,
  const T extends { readonly name: string; readonly title: string; readonly why: string },
  C extends Record<string, AnyClue>,
  const S extends Record<keyof C, string>,
  const F extends readonly {
    readonly say: string;
    readonly risk: Risk;
    readonly for?: readonly (keyof C & string)[];
    readonly steps: readonly TypedStep<string>[];
    readonly changes?: readonly Change[];
    readonly verified?: string;
  }[],
>(cause: CauseInput<P, T, C, S, F>): DefinedCause & { readonly id: string; readonly clues: C } {
  return {
    ...cause,
    fixes: cause.fixes as readonly Fix[],
    says: cause.says,
    slots: cause.slots as DefinedCause['slots'],
  };
}

/** Wakes the cause on a fact with these payload fields, about something of such a name. Line clues wake their cause by themselves. */
export function on<K extends FactKind>(kind: K, where: FieldsOf<K> = {}, { named }: Pick<Trigger, 'named'> = {}): Trigger {
  return { kind, where: where as Trigger['where'], ...(named === undefined ? {} : { named }) };
}

export { versionAtLeast, versionBelow } from '../model/version.ts';

export function minutes(count: number): number {
  return count;
}

export * from './clues.ts';
export * from './image-pulls.ts';
export * from './last-words.ts';
export * from './naming.ts';
export { NAMED_VOLUME, withContext } from './patterns.ts';
export * from './predicates.ts';
export * from './refusals.ts';
export { startupFault } from './startup-faults.ts';
