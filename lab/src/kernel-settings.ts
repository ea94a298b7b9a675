import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

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

export function noteKernelSettings(file: string): void {
  if (existsSync(file)) return;
  const values = Object.fromEntries(WATCHED.filter((name) => existsSync(`/proc/sys/${name}`)).map((name) => [name, read(name)]));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(values));
}

export function restoreKernelSettings(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  const values = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  const failed = Object.entries(values).filter(([name, value]) => WATCHED.includes(name) && !restored(name, value));
  if (failed.length === 0) rmSync(file);
  return failed.map(([name, value]) => `kernel setting ${name.replaceAll('/', '.')} (was ${value})`);
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
