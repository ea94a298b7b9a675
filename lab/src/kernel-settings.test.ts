import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteKernelSettings, otherNotes, restoreKernelSettings, settingsNote } from './kernel-settings.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lab-kernel-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('kernel settings', () => {
  it('are noted once, and restoring what is so already changes nothing', () => {
    const note = settingsNote(join(folder, 'podcause-lab'));
    noteKernelSettings(note);
    const noted = readFileSync(note, 'utf8');
    expect(JSON.parse(noted)['vm/overcommit_memory']).toBe(readFileSync('/proc/sys/vm/overcommit_memory', 'utf8').trim());
    noteKernelSettings(note);
    expect(readFileSync(note, 'utf8')).toBe(noted);
    expect(restoreKernelSettings(note)).toEqual([]);
  });

  it('are taken from a lab that was there before, and left to it', () => {
    const first = join(folder, 'podcause-lab');
    const second = join(folder, 'podcause-lab-1');
    mkdirSync(first);
    mkdirSync(join(folder, 'something-else'));
    writeFileSync(settingsNote(first), '{"vm/overcommit_memory":"no number, would be refused"}');
    const others = otherNotes(second);
    expect(others).toEqual([settingsNote(first)]);
    noteKernelSettings(settingsNote(second), others);
    expect(readFileSync(settingsNote(second), 'utf8')).toBe(readFileSync(settingsNote(first), 'utf8'));
    expect(restoreKernelSettings(settingsNote(second), others)).toEqual([]);
  });

  it('never touch a setting that is not theirs', () => {
    const note = settingsNote(join(folder, 'podcause-lab'));
    mkdirSync(join(folder, 'podcause-lab'));
    writeFileSync(note, '{"kernel/hostname":"taken-over","../../etc/passwd":"x"}');
    expect(restoreKernelSettings(note)).toEqual([]);
    expect(readFileSync('/proc/sys/kernel/hostname', 'utf8')).not.toContain('taken-over');
    expect(existsSync(note)).toBe(true);
  });
});
