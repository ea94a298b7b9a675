import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Lab, LabNode } from '../lab.ts';
import { runCommand } from '../run-command.ts';
import { commandState, filesState, specOf } from './states.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lab-states-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** This machine's own shell in place of a node's. */
const here = { name: 'here', exec: (command: string) => runCommand('/bin/sh', ['-c', command]) } as unknown as LabNode;

describe('filesState', () => {
  it('tells bytes, modes and absence apart', async () => {
    const file = join(folder, 'some config.toml');
    const states = new Set([await filesState(here, [file])]);
    writeFileSync(file, 'a\n', { mode: 0o644 });
    states.add(await filesState(here, [file]));
    writeFileSync(file, 'b\n');
    states.add(await filesState(here, [file]));
    chmodSync(file, 0o600);
    states.add(await filesState(here, [file]));
    expect(states.size).toBe(4);
    rmSync(file);
    expect(states.has(await filesState(here, [file]))).toBe(true);
  });
});

describe('commandState', () => {
  it('takes silence for no state', async () => {
    await expect(commandState(here, 'true')).rejects.toThrow('here does not tell its state');
  });
});

describe('specOf', () => {
  it('leaves out what the cluster notes on an object', async () => {
    const answers = [
      { spec: { paused: true }, status: { seen: 1 } },
      { spec: { paused: true }, status: { seen: 2 } },
    ];
    const lab = { kubectl: async () => ({ code: 0, stdout: JSON.stringify(answers.pop()), stderr: '' }) } as unknown as Lab;
    expect(await specOf(lab, 'deployment/shop', 'shop')).toBe(await specOf(lab, 'deployment/shop', 'shop'));
  });
});
