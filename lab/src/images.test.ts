import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { armProgram, imageFile, makeImage } from './images.ts';
import { runCommand } from './run-command.ts';
import { labPaths } from './settings.ts';

describe('armProgram', () => {
  it('is a program by its header, and not for this machine', () => {
    const program = armProgram();
    expect(program.subarray(0, 4).toString('latin1')).toBe('\x7fELF');
    expect(program.readUInt16LE(18)).toBe(183);
  });
});

describe('makeImage', () => {
  it('writes an archive whose layer has the digest its configuration tells', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lab-image-test-'));
    try {
      const file = imageFile(folder, 'lab.local/one:1');
      const fill = async (root: string): Promise<void> => writeFileSync(join(root, 'hello'), 'hello');
      await makeImage({ name: 'lab.local/one:1', command: ['/hello'], fill }, file, labPaths(folder, {}));
      await runCommand('tar', ['-C', folder, '-xf', file]);
      const [manifest] = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { RepoTags: string[]; Layers: string[] }[];
      const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as { rootfs: { diff_ids: string[] } };
      const sum = await runCommand('sha256sum', [join(folder, 'layer.tar')]);
      expect(manifest?.RepoTags).toEqual(['lab.local/one:1']);
      expect(config.rootfs.diff_ids).toEqual([`sha256:${sum.stdout.split(' ')[0]}`]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
