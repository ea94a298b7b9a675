import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

const shares = (text: string, command = 'df') =>
  told(hear(text, { command }), 'host.filesystem').map(({ path, usedShare, inodesUsedShare }) => [path, usedShare, inodesUsedShare]);

describe('df', () => {
  it('tells how full each filesystem is', () => {
    expect(
      shares(`Filesystem      Size  Used Avail Use% Mounted on
/dev/vda1        40G   40G     0 100% /
tmpfs           3.9G     0  3.9G   0% /dev/shm
/dev/mapper/very-long-name-of-a-volume-group
                 100G   87G   13G  87% /var/lib/containerd
none               0     0     0    - /proc/x`),
    ).toEqual([
      ['/', 1, undefined],
      ['/dev/shm', 0, undefined],
      ['/var/lib/containerd', 0.87, undefined],
    ]);
  });

  it('tells inodes apart, as coreutils and busybox print them', () => {
    expect(shares('Filesystem     Inodes IUsed  IFree IUse% Mounted on\n/dev/vda1     2621440 2621440 0  100% /')).toEqual([
      ['/', undefined, 1],
    ]);
    expect(
      shares(
        'Filesystem              Inodes      Used Available Use% Mounted on\n/dev/vda1              393216      1186    392030   0% /',
      ),
    ).toEqual([['/', undefined, 0]]);
    expect(shares('Filesystem     Type  1024-blocks  Used Available Capacity Mounted on\n/dev/vda1 ext4 100 50 50 50% /')).toEqual([
      ['/', 0.5, undefined],
    ]);
  });

  it('leaves the disks of a container alone', () => {
    expect(shares('Filesystem Size Used Avail Use% Mounted on\noverlay 40G 40G 0 100% /', 'kubectl exec web-0 -- df -h')).toEqual([]);
  });
});

describe('mounts', () => {
  it('tell a disk that went read-only, not one that always is', () => {
    const heard = hear(
      `proc /proc proc rw,nosuid 0 0
/dev/vda1 / ext4 ro,relatime,errors=remount-ro 0 0
/dev/vdb /var/lib/containerd xfs rw,relatime 0 0
/dev/loop3 /snap/core squashfs ro,nodev 0 0
/dev/vdc /usr ext4 ro 0 0`,
      { command: 'cat /proc/mounts' },
    );
    expect(told(heard, 'host.filesystem')).toEqual([{ about: 'Node/?', path: '/', readOnly: true }]);
    expect(heard.taken).toEqual([{ what: 'mounts', lines: [1, 5] }]);
  });

  it('leave the line that tells the cgroup version to its reader', () => {
    const heard = hear('proc /proc proc rw 0 0\ncgroup2 /sys/fs/cgroup cgroup2 rw,nsdelegate 0 0\nbpf /sys/fs/bpf bpf rw 0 0', {
      command: 'cat /proc/1/mounts',
    });
    expect(told(heard, 'host.cgroup-version')).toEqual([{ about: 'Node/?', version: 2 }]);
    expect(heard.taken).toHaveLength(3);
  });
});

describe('swap', () => {
  it('is said area by area; a header alone is known too', () => {
    const heard = hear('Filename\tType\tSize\tUsed\tPriority\n/dev/dm-1   partition 1003516\t\t0\t\t-2', { command: 'cat /proc/swaps' });
    expect(heard.sayings.map(({ text, level, channel }) => [text.startsWith('/dev/dm-1'), level, channel])).toEqual([
      [true, 'info', 'host-tools'],
    ]);
    expect(hear('Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority', { command: 'cat /proc/swaps' }).taken).toHaveLength(1);
  });
});
