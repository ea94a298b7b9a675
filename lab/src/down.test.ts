import { describe, expect, it } from 'vitest';
import { mountsBelow } from './down.ts';

describe('mountsBelow', () => {
  it('finds what is mounted in the folder, and not beside it', () => {
    const mounts = 'ext4 /var/lib/lab ext4 rw 0 0\ntmpfs /var/lib/lab/nodes/a tmpfs rw 0 0\ntmpfs /var/lib/laboratory tmpfs rw 0 0\n';
    expect(mountsBelow(mounts, '/var/lib/lab')).toEqual(['/var/lib/lab', '/var/lib/lab/nodes/a']);
  });
});
