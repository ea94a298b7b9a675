import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beganOf, endProcess, forgetProcess, isAlive, knownProcess, knownProcesses, parseKnown, startProcess } from './processes.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lab-processes-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('beganOf', () => {
  it('is not misled by a command name with blanks and parentheses', () => {
    const fields = Array.from({ length: 30 }, (_, index) => String(index + 3));
    expect(beganOf(`812 (a) b (c) ${fields.join(' ')}`)).toBe('22');
  });

  it('is unknown for a text that is cut', () => {
    expect(beganOf('812 (sh) S 1')).toBeUndefined();
  });
});

describe('parseKnown', () => {
  it.each(['', 'x 5', '1 5', '-7 5', '12', '3.5 9'])('takes %j for nothing', (text) => {
    expect(parseKnown('etcd', text)).toEqual([]);
  });
});

describe('a started process', () => {
  it('is remembered, seen alive, ended and forgotten', async () => {
    const log = join(folder, 'log');
    const known = startProcess(folder, { name: 'sleeper', command: 'sh', args: ['-c', 'echo up; exec sleep 600'], log });
    expect(knownProcess(folder, 'sleeper')).toEqual(known);
    expect(isAlive(known)).toBe(true);
    expect(await endProcess(known)).toBe(true);
    expect(isAlive(known)).toBe(false);
    forgetProcess(folder, 'sleeper');
    expect(knownProcesses(folder)).toEqual([]);
    expect(['', 'up\n']).toContain(readFileSync(log, 'utf8'));
  });

  it('is killed where it does not listen', async () => {
    const started = { name: 'deaf', command: 'sh', args: ['-c', 'trap "" TERM; while :; do sleep 0.05; done'], log: join(folder, 'log') };
    const known = startProcess(folder, started);
    expect(await endProcess(known, 0.3)).toBe(true);
  });

  it('is not confused with a stranger that has its number now', async () => {
    writeFileSync(join(folder, 'etcd.pid'), `${process.pid} 1\n`);
    const [known] = knownProcesses(folder);
    expect(known && isAlive(known)).toBe(false);
    expect(known && (await endProcess(known))).toBe(true);
  });
});
