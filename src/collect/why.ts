import { errorCode } from './collect-error.ts';
import { CutShort } from './limits.ts';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['ENOENT', 'it went away before it could be read'],
  ['ELOOP', 'its links lead in a circle'],
  ['ENAMETOOLONG', 'its path is too long'],
  ['EIO', 'the disk failed to read it'],
  ['EMFILE', 'too many open files'],
  ['ENFILE', 'too many open files'],
  ['ENOSPC', 'no room in the temporary folder'],
  ['EISDIR', 'it is a folder'],
]);

/** Why reading something ended, in a user's words. */
export function whyStopped(error: unknown): string {
  if (error instanceof CutShort) return error.message;
  const known = REASONS.get(errorCode(error));
  if (known) return known;
  const message = error instanceof Error ? error.message : String(error);
  return `could not be read: ${message.slice(0, 200)}`;
}
