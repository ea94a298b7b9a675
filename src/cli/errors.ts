import { inertLines } from '../render/inert.ts';

export const EXIT = { healthy: 0, found: 1, undecided: 2, failed: 3 } as const;

/** A mistake of the user's, worded for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function wordNote(text: string): string {
  return inertLines(`podcause: ${text}`);
}

/** One place words every failure: what happened, to what, and what to do. Names in it may come from strangers. */
export function wordError(error: unknown, debug: boolean): string {
  if (!(error instanceof Error)) return wordNote(String(error));
  const stack = debug && error.stack ? `\n${error.stack}` : '';
  if (error.name === 'UsageError' || error.name === 'CollectError' || error.name === 'ClusterError')
    return wordNote(`${error.message}${stack}`);
  const help = stack || '\n  Run again with --debug for the stack; please report it with the command you ran.';
  return wordNote(`something broke inside podcause: ${error.message}${help}`);
}
