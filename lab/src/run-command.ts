import { spawn } from 'node:child_process';
import type { Ran, RunOptions } from './lab.ts';

const KEPT_BYTES = 32 * 1024 * 1024;
export const TIMED_OUT = 124;

export interface CommandOptions extends RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Runs a program to its end; a timeout is exit code 124, a program that is not there 127. */
export function runCommand(command: string, args: readonly string[], options: CommandOptions = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...options.env },
      ...(options.cwd !== undefined ? { cwd: options.cwd } : {}),
      detached: true,
    });
    const outputs = { stdout: keeper(), stderr: keeper() };
    child.stdout.on('data', outputs.stdout.add);
    child.stderr.on('data', outputs.stderr.add);
    let timedOut = false;
    const timer = setTimeout(
      () => {
        timedOut = true;
        endGroup(child.pid);
      },
      (options.timeoutSeconds ?? 120) * 1000,
    );
    const finish = (code: number, note = ''): void => {
      clearTimeout(timer);
      resolve({ code, stdout: outputs.stdout.text(), stderr: outputs.stderr.text() + note });
    };
    child.on('error', (error) => finish(127, error.message));
    child.on('close', (code, signal) => finish(timedOut ? TIMED_OUT : (code ?? signalCode(signal)), timedOut ? '\ntimed out' : ''));
    // A program that ends without reading its input closes the pipe under us; its exit code tells the story.
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
  });
}

function keeper(): { add(chunk: Buffer): void; text(): string } {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    add: (chunk) => {
      if (size > KEPT_BYTES) return;
      size += chunk.length;
      chunks.push(chunk);
    },
    text: () => Buffer.concat(chunks).toString('utf8'),
  };
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

function signalCode(signal: NodeJS.Signals | null): number {
  return signal === 'SIGTERM' ? 143 : 137;
}

/** For steps of the lab itself, where a failure ends the whole. */
export async function must(command: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const ran = await runCommand(command, args, options);
  if (ran.code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${ran.code}: ${(ran.stderr || ran.stdout).trim()}`);
  return ran.stdout;
}

/** A step that may have been done before, or whose object may be gone. */
export async function attempt(command: string, args: readonly string[]): Promise<boolean> {
  return (await runCommand(command, args)).code === 0;
}

export async function holdsWithin(seconds: number, holds: () => Promise<boolean>, everyMilliseconds = 500): Promise<boolean> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    if (await holds()) return true;
    if (Date.now() >= end) return false;
    await sleep(everyMilliseconds);
  }
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
