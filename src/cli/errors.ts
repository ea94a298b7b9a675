export const EXIT = { healthy: 0, found: 1, undecided: 2, failed: 3 } as const;

/** A mistake of the user's, worded for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** One place words every failure: what happened, to what, and what to do. */
export function wordError(error: unknown, debug: boolean): string {
  if (!(error instanceof Error)) return `podcause: ${String(error)}`;
  const stack = debug && error.stack ? `\n${error.stack}` : '';
  if (error.name === 'UsageError' || error.name === 'CollectError') return `podcause: ${error.message}${stack}`;
  if ('code' in error && error.code === 'EPIPE') return '';
  return `podcause: something broke inside podcause: ${error.message}${stack || '\n  Run again with --debug for the stack; please report it with the command you ran.'}`;
}
