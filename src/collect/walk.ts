import type { Stats } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { errorCode } from './collect-error.ts';
import { displayName, folderPrefix } from './names.ts';
import type { Notes } from './notes.ts';
import { whyStopped } from './why.ts';

interface FoundFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
}

interface Level {
  readonly path: string;
  readonly prefix: string;
  readonly names: string[];
  next: number;
}

/**
 * Every regular file below a folder, in the order of names. Only names are held, one folder's worth per level.
 * A link to something in the same folder adds nothing, since its target is met under its own name: loops cannot form.
 */
export async function* walkFolder(folder: string, notes: Notes): AsyncGenerator<FoundFile> {
  const levels: Level[] = [];
  const first = await openLevel(folder, folderPrefix(folder), notes);
  if (first) levels.push(first);
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const entry = level.names[level.next];
    if (entry === undefined) {
      levels.pop();
      continue;
    }
    level.next += 1;
    if (entry === '.git') continue;
    const path = join(level.path, entry);
    const name = `${level.prefix}${entry}`;
    const stats = await statsOf(path, name, notes);
    if (stats?.isDirectory()) {
      const deeper = await openLevel(path, `${name}/`, notes);
      if (deeper) levels.push(deeper);
    } else if (stats?.isFile()) {
      yield { path, name: displayName(name), size: stats.size };
    } else if (stats?.isSymbolicLink()) {
      await noteLink(path, folder, name, notes);
    } else if (stats) {
      notes.add(displayName(name), specialKind(stats));
    }
  }
}

export function specialKind(stats: Stats): string {
  if (stats.isFIFO()) return 'a named pipe: not read';
  if (stats.isSocket()) return 'a socket: not read';
  return 'a device: not read';
}

/** The manifest of an unpacked bundle tells when the rest was taken. */
function rank(name: string): number {
  return name === 'manifest.json' ? 0 : 1;
}

async function openLevel(path: string, prefix: string, notes: Notes): Promise<Level | undefined> {
  try {
    const names = await readdir(path);
    names.sort((left, right) => rank(left) - rank(right) || (left < right ? -1 : left > right ? 1 : 0));
    return { path, prefix, names, next: 0 };
  } catch (error) {
    notes.add(displayName(prefix), whyStopped(error));
    return undefined;
  }
}

async function statsOf(path: string, name: string, notes: Notes): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    const unreadable = name.includes('\ufffd') ? 'its name is not valid text on this system' : whyStopped(error);
    notes.add(displayName(name), unreadable);
    return undefined;
  }
}

async function noteLink(path: string, root: string, name: string, notes: Notes): Promise<void> {
  try {
    const [target, top] = await Promise.all([realpath(path), realpath(root)]);
    const inside = relative(top, target);
    const leaves = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
    if (leaves) notes.add(displayName(name), 'a link to outside the folder: not followed');
  } catch (error) {
    notes.add(displayName(name), errorCode(error) === 'ELOOP' ? 'a link that leads in a circle' : 'a link that leads nowhere');
  }
}
