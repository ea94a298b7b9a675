import { spawn } from 'node:child_process';

export interface ShellOptions {
  readonly seconds: number;
  readonly bytes: number;
  readonly keep: 'head' | 'tail';
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface Shown {
  readonly text: string;
  readonly cut: boolean;
  /** It did not end in time and was stopped. */
  readonly late: boolean;
}

const GRACE_MILLISECONDS = 1000;

/**
 * Runs a shell command and keeps one end of what it prints. One that does not end is killed with everything it started, and not
 * waited for: a process that waits for a dead disk or mount cannot be killed at all.
 */
export function runShell(command: string, { seconds, bytes, keep, environment }: ShellOptions): Promise<Shown> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', `{ ${command}\n} 2>&1`], {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
      env: environment,
    });
    const kept = new Kept(bytes, keep);
    let late = false;
    let settled = false;
    const end = () => stop(child.pid, 'SIGTERM');
    const timer = setTimeout(() => {
      late = true;
      end();
      grace = setTimeout(() => {
        stop(child.pid, 'SIGKILL');
        settle();
      }, GRACE_MILLISECONDS);
    }, seconds * 1000);
    let grace: NodeJS.Timeout | undefined;
    function settle(): void {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      clearTimeout(grace);
      child.stdout.destroy();
      child.unref();
      resolve({ text: kept.text(), cut: kept.cut, late });
    }
    child.stdout.on('data', (chunk: Buffer) => {
      kept.add(chunk);
      if (kept.full) {
        end();
        settle();
      }
    });
    child.on('error', settle);
    child.on('close', settle);
  });
}

function stop(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended by itself.
  }
}

/** The first or the last bytes of a stream, in whole lines. */
class Kept {
  readonly #limit: number;
  readonly #keep: 'head' | 'tail';
  #chunks: Buffer[] = [];
  #size = 0;
  cut = false;

  constructor(limit: number, keep: 'head' | 'tail') {
    this.#limit = limit;
    this.#keep = keep;
  }

  get full(): boolean {
    return this.#keep === 'head' && this.cut;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(Buffer.from(chunk));
    this.#size += chunk.length;
    if (this.#size <= this.#limit) return;
    this.cut = true;
    while (this.#keep === 'tail' && this.#size - (this.#chunks[0]?.length ?? 0) >= this.#limit) {
      this.#size -= this.#chunks.shift()?.length ?? 0;
    }
  }

  text(): string {
    const all = Buffer.concat(this.#chunks);
    if (!this.cut) return all.toString('utf8');
    if (this.#keep === 'head') {
      const head = all.subarray(0, this.#limit);
      return head.subarray(0, head.lastIndexOf(10) + 1).toString('utf8');
    }
    const tail = all.subarray(Math.max(0, all.length - this.#limit));
    return tail.subarray(tail.indexOf(10) + 1).toString('utf8');
  }
}
