import type {
  AnyClue,
  Area,
  Clue,
  CommandSlots,
  FieldsOf,
  Fix,
  Line,
  Maturity,
  Risk,
  Role,
  Seen,
  Slots,
  SlotValue,
  Step,
  Trigger,
} from '../model/cause.ts';
import type { Channel } from '../model/channel.ts';
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
    readonly steps: readonly TypedStep<string>[];
    readonly verified?: string;
  }[],
> {
  readonly id: string;
  readonly area: Area;
  readonly at: P;
  readonly maturity: Maturity;
  readonly explains: readonly Symptom[];
  readonly effectOf?: readonly string[];
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

type FixSlots<F> = F extends readonly (infer One)[]
  ? One extends { readonly say: infer Say extends string; readonly steps: readonly (infer S)[] }
    ?
        | Slots<Say>
        | (S extends { readonly say: infer SSay extends string } ? Slots<SSay> : never)
        | (S extends { readonly run: infer Run extends string } ? CommandSlots<Run> : never)
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
    readonly steps: readonly TypedStep<string>[];
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

/**
 * A line some program prints. Each literal must hold at least 8 bytes: they are what the one-pass scanner looks for
 * (without regard to case), the pattern runs on candidate lines only and must be linear (no nested quantifiers).
 * `channels`: who prints it, the surest first; when that channel was read and the line is not in it, it is absent.
 */
export function line(literals: string | readonly string[], channels: Channel | readonly Channel[], pattern?: RegExp): Line {
  return {
    literals: typeof literals === 'string' ? [literals] : literals,
    channels: typeof channels === 'string' ? [channels] : channels,
    ...(pattern ? { pattern } : {}),
  };
}

type Match<K extends FactKind> = (fact: Fact<K>) => boolean;

function clue<R extends Role>(role: R) {
  function make(from: Line, match?: Match<'log.signature'>): Clue<'log.signature', R>;
  function make<K extends FactKind>(from: K, match?: Match<K>): Clue<K, R>;
  // biome-ignore lint/suspicious/noExplicitAny: the overloads above are what callers see
  function make(from: FactKind | Line, match?: (fact: any) => boolean): AnyClue {
    const always = () => true;
    return typeof from === 'string'
      ? { role, from, match: match ?? always }
      : { role, from: 'log.signature', match: match ?? always, line: from };
  }
  return make;
}

/** Necessary: without it the cause is out; unseen, it is asked for. */
export const needs = clue('needs');
/** Sufficient together with every `needs`. */
export const proves = clue('proves');
/** Raises the odds. */
export const supports = clue('supports');
/** Refutes. Looked up about the victim and what it runs on. */
export const excludes = clue('excludes');

/** Refutes when any member of the place shows it. */
export function excludesEverywhere<C extends AnyClue>(of: C): C {
  return { ...of, everywhere: true };
}

/** Wakes the cause on a fact with these payload fields. Line clues wake their cause by themselves. */
export function on<K extends FactKind>(kind: K, where: FieldsOf<K> = {}): Trigger {
  return { kind, where: where as Trigger['where'] };
}

export { versionAtLeast, versionBelow } from '../model/version.ts';

export function minutes(count: number): number {
  return count;
}

/** A byte count as Kubernetes writes it. */
export function bytes(count: number): string {
  const units = ['', 'Ki', 'Mi', 'Gi', 'Ti'];
  let value = count;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${Number.isInteger(value) ? value : value.toFixed(1)}${units[unit]}`;
}
