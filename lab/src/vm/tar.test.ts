import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tar } from './tar.ts';

describe('tar', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'podcause-tar-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is unpacked by tar itself, with names, modes and contents', () => {
    const deep = `${'etc/'.repeat(30)}${'n'.repeat(60)}.conf`;
    const archive = join(folder, 'seed.tar');
    writeFileSync(
      archive,
      tar([
        { path: 'etc/hostname', data: 'vm-a\n' },
        { path: 'root/.ssh/authorized_keys', data: 'ssh-ed25519 AAAA lab\n', mode: 0o600 },
        { path: deep, data: Buffer.alloc(1024, 7) },
        { path: 'etc/empty', data: '' },
      ]),
    );
    execFileSync('tar', ['-xf', archive, '-C', folder, '--no-same-owner']);
    expect(readFileSync(join(folder, 'etc/hostname'), 'utf8')).toBe('vm-a\n');
    expect(statSync(join(folder, 'root/.ssh/authorized_keys')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, deep))).toEqual(Buffer.alloc(1024, 7));
    expect(readFileSync(join(folder, 'etc/empty'), 'utf8')).toBe('');
  });

  it('fills whole sectors, since a guest reads it as a disk', () => {
    expect(tar([{ path: 'a', data: 'x'.repeat(513) }]).length % 512).toBe(0);
    expect(tar([]).length).toBeGreaterThanOrEqual(1024);
  });

  it('refuses a name no header holds', () => {
    expect(() => tar([{ path: 'n'.repeat(101), data: '' }])).toThrow('no tar header holds the name');
  });
});
