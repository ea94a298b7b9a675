import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { holdsWithin } from './run-command.ts';

/** A process by its pid and the time it began, so that a number used again by a stranger is never ended. */
export interface Known {
  readonly name: string;
  readonly pid: number;
  readonly began: string;
}

export interface Started {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly log: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Field 22 of /proc/PID/stat; the command name before it may hold spaces and parentheses. */
export function beganOf(stat: string): string | undefined {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[19];
}

function beganNow(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z') ? undefined : beganOf(stat);
  } catch {
    return undefined;
  }
}

export function isAlive(known: Known): boolean {
  return beganNow(known.pid) === known.began;
}

export function rememberProcess(folder: string, name: string, pid: number): Known {
  const began = beganNow(pid);
  if (began === undefined) throw new Error(`${name} (pid ${pid}) ended at once`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.pid`), `${pid} ${began}\n`);
  return { name, pid, began };
}

export function knownProcesses(folder: string): readonly Known[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith('.pid'))
    .flatMap((name) => parseKnown(name.slice(0, -4), readFileSync(join(folder, name), 'utf8')));
}

export function parseKnown(name: string, text: string): readonly Known[] {
  const [pid, began] = text.trim().split(' ');
  const number = Number(pid);
  if (!Number.isInteger(number) || number <= 1 || began === undefined) return [];
  return [{ name, pid: number, began }];
}

export function knownProcess(folder: string, name: string): Known | undefined {
  return knownProcesses(folder).find((known) => known.name === name);
}

export function forgetProcess(folder: string, name: string): void {
  rmSync(join(folder, `${name}.pid`), { force: true });
}

/** Detached from us, without a terminal, its output in a file. */
export function startProcess(folder: string, started: Started): Known {
  const log = openSync(started.log, 'a');
  try {
    const child = spawn(started.command, started.args, {
      detached: true,
      stdio: ['ignore', log, log],
      env: { ...process.env, ...started.env },
    });
    child.on('error', () => {});
    child.unref();
    if (child.pid === undefined) throw new Error(`${started.command} could not be started`);
    return rememberProcess(folder, started.name, child.pid);
  } finally {
    closeSync(log);
  }
}

/** Asks, waits, then kills. Returns whether it is gone. */
export async function endProcess(known: Known, patienceSeconds = 10): Promise<boolean> {
  signal(known, 'SIGTERM');
  if (await holdsWithin(patienceSeconds, async () => !isAlive(known), 100)) return true;
  signal(known, 'SIGKILL');
  return holdsWithin(5, async () => !isAlive(known), 100);
}

export function signal(known: Known, name: NodeJS.Signals): void {
  if (!isAlive(known)) return;
  try {
    process.kill(known.pid, name);
  } catch {
    // It ended between the look and the signal.
  }
}
