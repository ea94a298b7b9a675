import { accessSync, constants, createReadStream, type Stats, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Collected, Document } from '../model/document.ts';
import { namedPathError } from './collect-error.ts';
import type { Limits } from './limits.ts';
import { displayName } from './names.ts';
import { openInput, type Run, startRun } from './open.ts';
import { stdinInput } from './stdin.ts';
import { specialKind, walkFolder } from './walk.ts';

const STDIN_PATHS: ReadonlySet<string> = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);
const CHUNK = 256 * 1024;

interface Named {
  readonly path: string;
  /** Absent for standard input. */
  readonly stats?: Stats;
}

/**
 * Reads files, folders, archives and `-` (standard input) as documents, one at a time.
 * Throws a CollectError at once if a named path cannot be used; `unread` fills while the documents are iterated.
 */
export function collectPaths(paths: readonly string[], options?: Limits): Collected {
  const named = checkPaths(paths);
  const run = startRun(options);
  return { documents: readNamed(named, run), unread: run.notes.unread };
}

function checkPaths(paths: readonly string[]): Named[] {
  const named = new Map<string, Named>();
  for (const path of paths) {
    if (STDIN_PATHS.has(path)) {
      named.set('-', { path: '-' });
      continue;
    }
    try {
      const stats = statSync(path);
      accessSync(path, stats.isDirectory() ? constants.R_OK | constants.X_OK : constants.R_OK);
      const key = resolve(path);
      if (!named.has(key)) named.set(key, { path, stats });
    } catch (error) {
      throw namedPathError(path, error);
    }
  }
  return [...named.values()];
}

async function* readNamed(named: readonly Named[], run: Run): AsyncGenerator<Document> {
  for (const { path, stats } of named) {
    if (!stats) yield* openInput(stdinInput(process.stdin, run), run);
    else if (stats.isDirectory()) yield* readFolder(path, run);
    else if (stats.isFile()) yield* readFile(path, displayName(path), stats.size, run);
    else if (stats.isFIFO()) yield* openInput({ ...stdinInput(createReadStream(path), run), name: displayName(path) }, run);
    else run.notes.add(displayName(path), specialKind(stats));
  }
}

async function* readFolder(folder: string, run: Run): AsyncGenerator<Document> {
  let found = false;
  for await (const file of walkFolder(folder, run.notes)) {
    found = true;
    yield* readFile(file.path, file.name, file.size, run);
  }
  if (!found) run.notes.add(displayName(folder), 'a folder without files');
}

async function* readFile(path: string, name: string, size: number, run: Run): AsyncGenerator<Document> {
  yield* openInput({ name, chunks: fileChunks(path, size), file: { path, size } }, run);
}

/** Sizes may lie (files under /proc say 0), so it reads until the end. */
async function* fileChunks(path: string, size: number): AsyncGenerator<Uint8Array> {
  const handle = await open(path, 'r');
  try {
    const length = Math.min(CHUNK, Math.max(size + 1, 4096));
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
