export interface Context {
  readonly may?: readonly RegExp[];
  readonly must?: readonly RegExp[];
}

/**
 * A pattern for `core` that also picks up what stands before or after it on the line: each of `may` is looked for once,
 * by itself, and may be missing; `must` may not. Anchored, so the time stays linear.
 */
export function withContext(core: RegExp, { may = [], must = [] }: Context): RegExp {
  const required = must.map(({ source }) => `(?=[\\s\\S]*?(?:${source}))`);
  const optional = may.map(({ source }) => `(?=(?:[\\s\\S]*?(?:${source}))?)`);
  return new RegExp(`^${[...required, ...optional].join('')}[\\s\\S]*?(?:${core.source})`, 'i');
}

/** The volume whose set-up a line is about. */
export const NAMED_VOLUME = /for volume \\*"(?<volume>[^"\\]{1,253})/;
