import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const NOTE = 'kernel-settings.json';

/** A kubelet sets these for the whole machine; they are noted before and put back by `down`. */
const TOUCHED = [
  'vm/overcommit_memory',
  'vm/panic_on_oom',
  'kernel/panic',
  'kernel/panic_on_oops',
  'kernel/keys/root_maxkeys',
  'kernel/keys/root_maxbytes',
];

/** Also what scenarios may change: the limits of inotify are the machine's. */
const WATCHED = [...TOUCHED, 'fs/inotify/max_user_instances', 'fs/inotify/max_user_watches'];

/** `others` are the notes of labs that run beside this one: the machine's own values are theirs, and the last lab restores them. */
export function noteKernelSettings(file: string, others: readonly string[] = []): void {
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true });
  const [other] = others;
  writeFileSync(file, other !== undefined ? readFileSync(other, 'utf8') : JSON.stringify(currentSettings()));
}

function currentSettings(): Readonly<Record<string, string>> {
  return Object.fromEntries(WATCHED.filter((name) => existsSync(`/proc/sys/${name}`)).map((name) => [name, read(name)]));
}

export function restoreKernelSettings(file: string, others: readonly string[] = []): readonly string[] {
  if (!existsSync(file) || others.length > 0) return [];
  const values = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  const failed = Object.entries(values).filter(([name, value]) => WATCHED.includes(name) && !restored(name, value));
  return failed.map(([name, value]) => `kernel setting ${name.replaceAll('/', '.')} (was ${value})`);
}

export function settingsNote(state: string): string {
  return join(state, NOTE);
}

/** Notes of the other labs on this machine. */
export function otherNotes(state: string): readonly string[] {
  const folder = dirname(state);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith('podcause-lab') && join(folder, name) !== state)
    .map((name) => join(folder, name, NOTE))
    .filter((file) => existsSync(file));
}

function read(name: string): string {
  return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
}

function restored(name: string, value: string): boolean {
  try {
    if (read(name) !== value) writeFileSync(`/proc/sys/${name}`, value);
    return read(name) === value;
  } catch {
    return false;
  }
}
