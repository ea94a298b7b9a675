import type { AnyClue, Clue, Line, Role } from '../model/cause.ts';
import type { Channel } from '../model/channel.ts';
import type { Fact, FactKind } from '../model/facts.ts';

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
