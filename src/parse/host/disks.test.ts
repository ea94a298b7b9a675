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

  it('tells the disks of a container as those of its pod', () => {
    const text = 'Filesystem Size Used Avail Use% Mounted on\n/dev/rbd0 9.8G 9.8G 0 100% /var/lib/data';
    const heard = hear(text, { command: 'kubectl exec -n shop -it db-0 -c db -- df -h' });
    expect(told(heard, 'host.filesystem')).toEqual([]);
    expect(told(heard, 'pod.filesystem')).toEqual([{ about: 'Pod/shop/db-0', path: '/var/lib/data', usedShare: 1 }]);
  });

  it.each([
    '文件系统                 容量  已用  可用 已用% 挂载点',
    'ファイルシス   サイズ  使用  残り 使用% マウント位置',
    'Файл.система   Размер Использовано  Дост Использовано% Cмонтировано в',
    '파일 시스템      크기  사용  가용 사용% 마운트위치',
  ])('reads translated headers: %s', (header) => {
    expect(shares(`${header}\n/dev/vda1  50G  50G   20K  100% /`)).toEqual([['/', 1, undefined]]);
  });

  it('reads rows that grep left alone', () => {
    expect(shares('/dev/sdb1       100G   99G     1G  99% /data', 'df -h | grep data')).toEqual([['/data', 0.99, undefined]]);
    expect(shares('/dev/sdb1     6553600 6553600       0  100% /data', 'df -i | grep data')).toEqual([['/data', undefined, 1]]);
    expect(shares('nfs.example:/srv 100G 50G 50G 50% /mnt/srv', 'df -h /mnt/srv')).toEqual([['/mnt/srv', 0.5, undefined]]);
  });
});
