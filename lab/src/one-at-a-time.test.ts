import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { whileAlone } from './one-at-a-time.ts';
import { rememberProcess } from './processes.ts';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'podcause-alone-'));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

async function besideSleeper(work: (pid: number) => Promise<void>): Promise<void> {
  const sleeper = spawn('sleep', ['60']);
  try {
    await work(sleeper.pid as number);
  } finally {
    const ended = new Promise((resolve) => sleeper.once('exit', resolve));
    sleeper.kill('SIGKILL');
    await ended;
  }
}

describe('one command of the lab at a time', () => {
  it('refuses a second one, and says whose turn it is', () =>
    besideSleeper(async (pid) => {
      rememberProcess(join(state, 'command'), 'lab', pid);
      await expect(whileAlone({ state }, async () => 1)).rejects.toThrow(`under way (pid ${pid})`);
    }));

  it('goes on where a command was killed', async () => {
    await besideSleeper(async (pid) => {
      rememberProcess(join(state, 'command'), 'lab', pid);
    });
    expect(await whileAlone({ state }, async () => 1)).toBe(1);
  });

  it('leaves the way free, also after a failure', async () => {
    await expect(whileAlone({ state }, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await whileAlone({ state }, async () => 2)).toBe(2);
  });
});
