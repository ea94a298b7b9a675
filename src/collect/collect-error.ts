/** A path the user named cannot be used at all; everything else that goes wrong is an `unread` note. */
export class CollectError extends Error {
  override readonly name = 'CollectError';
  readonly path: string;

  constructor(path: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.path = path;
  }
}

const ADVICE: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file or folder. Check the spelling, or use - to read standard input.'],
  ['ENOTDIR', 'a part of this path is a file, not a folder. Check the spelling.'],
  ['EACCES', 'permission denied. Run as a user who may read it, or copy it to a place you can read.'],
  ['EPERM', 'permission denied. Run as a user who may read it, or copy it to a place you can read.'],
  ['ELOOP', 'its symbolic links lead in a circle. Name the file they should lead to.'],
  ['ENAMETOOLONG', 'this path is longer than the system allows. Name files or folders, not their content.'],
]);

const UNKNOWN = 'it is not a path this system can read. Check the spelling, or use - to read standard input.';

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

export function namedPathError(path: string, error: unknown): CollectError {
  const shown = path.length > 200 ? `${path.slice(0, 199)}…` : path;
  return new CollectError(path, `Cannot read "${shown}": ${ADVICE.get(errorCode(error)) ?? UNKNOWN}`, { cause: error });
}
