import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onPath } from '../packages.ts';
import { must } from '../run-command.ts';
import { inWorkFolder, makePackage } from './package-source.ts';

describe.skipIf(!onPath('dpkg-deb'))('makePackage', () => {
  it('makes a package that dpkg reads, with the files at their places', async () => {
    await inWorkFolder(async (folder) => {
      writeFileSync(join(folder, 'bridge'), '#!/bin/sh\n');
      const file = await makePackage({ name: 'kubernetes-cni', files: { [join(folder, 'bridge')]: '/opt/cni/bin/bridge' } }, folder);
      expect(await must('dpkg-deb', ['-f', file, 'Package'])).toBe('kubernetes-cni\n');
      expect(await must('dpkg-deb', ['-c', file])).toMatch(/^-rwxr-xr-x root\/root .* \.\/opt\/cni\/bin\/bridge$/m);
    });
  });
});
