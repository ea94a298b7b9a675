import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

describe('lsblk', () => {
  it('tells what lies on what', () => {
    const text = `NAME                      MAJ:MIN RM  SIZE RO TYPE  MOUNTPOINTS
loop0                       7:0    0 63.3M  1 loop  /snap/core20/1
sda                         8:0    0   50G  0 disk
├─sda1                      8:1    0    1M  0 part
└─sda2                      8:2    0   50G  0 part  /
sdc                         8:32   0   10G  0 disk
└─mpatha                  253:1    0   10G  0 mpath`;
    expect(told(hear(text), 'host.block-device')).toEqual([
      { about: 'Node/?', name: 'sda', type: 'disk' },
      { about: 'Node/?', name: 'sda1', type: 'part', under: 'sda' },
      { about: 'Node/?', name: 'sda2', type: 'part', mountedAt: '/', under: 'sda' },
      { about: 'Node/?', name: 'sdc', type: 'disk' },
      { about: 'Node/?', name: 'mpatha', type: 'mpath', under: 'sdc' },
    ]);
  });

  it('tells filesystems', () => {
    const text = `NAME        FSTYPE      FSVER    LABEL UUID                                   FSAVAIL FSUSE% MOUNTPOINTS
sdb         ext4        1.0            0f0f0f0f-1111-2222-3333-444444444444   1.2G    88% /data
sdd         LVM2_member LVM2 001       abcdef-0000`;
    expect(told(hear(text), 'host.block-device')).toEqual([
      { about: 'Node/?', name: 'sdb', type: 'unknown', filesystem: 'ext4', mountedAt: '/data' },
      { about: 'Node/?', name: 'sdd', type: 'unknown', filesystem: 'LVM2_member' },
    ]);
  });
});

describe('multipath -ll', () => {
  it('tells maps and failed paths', () => {
    const text = `mpatha (360000000000000000e00000000010001) dm-1 IET,VIRTUAL-DISK
size=10G features='0' hwhandler='0' wp=rw
|-+- policy='service-time 0' prio=1 status=active
| \`- 3:0:0:1 sdc 8:32 active ready running
\`-+- policy='service-time 0' prio=0 status=enabled
  \`- 4:0:0:1 sdd 8:48 failed faulty running
3600508b400105e210000900000490000 dm-2 HP      ,HSV210
size=100G features='1 queue_if_no_path' hwhandler='0' wp=rw`;
    expect(told(hear(text), 'host.multipath')).toEqual([
      { about: 'Node/?', map: 'mpatha', vendor: 'IET', product: 'VIRTUAL-DISK', paths: 2, failed: 1 },
      { about: 'Node/?', map: '3600508b400105e210000900000490000', vendor: 'HP', product: 'HSV210', paths: 0, failed: 0 },
    ]);
    expect(hear(text).sayings.map((one) => one.text)).toContain('mpatha (360000000000000000e00000000010001) dm-1 IET,VIRTUAL-DISK');
  });
});

describe('iscsiadm', () => {
  it('tells sessions', () => {
    expect(told(hear('tcp: [1] 10.30.0.5:3260,1 iqn.2019-10.io.longhorn:pvc-1 (non-flash)'), 'host.iscsi-session')).toEqual([
      { about: 'Node/?', target: 'iqn.2019-10.io.longhorn:pvc-1', portal: '10.30.0.5:3260,1' },
    ]);
    const text = `iSCSI Transport Class version 2.0-870
version 2.1.5
Target: iqn.2019-10.io.longhorn:pvc-1 (non-flash)
	Current Portal: 10.30.0.5:3260,1
	Persistent Portal: 10.30.0.5:3260,1
		**********
		Interface:
		**********
		iSCSI Connection State: TRANSPORT WAIT
		iSCSI Session State: FREE`;
    expect(told(hear(text), 'host.iscsi-session')).toEqual([
      { about: 'Node/?', target: 'iqn.2019-10.io.longhorn:pvc-1', portal: '10.30.0.5:3260,1', state: 'TRANSPORT WAIT' },
    ]);
  });
});

describe('showmount', () => {
  it('tells what is exported to whom', () => {
    expect(told(hear('Export list for nfs.example:\n/srv/data  10.20.0.0/24,10.30.0.1\n/srv/other (everyone)'), 'host.export')).toEqual([
      { about: 'Node/?', path: '/srv/data', clients: '10.20.0.0/24,10.30.0.1', server: 'nfs.example' },
      { about: 'Node/?', path: '/srv/other', clients: '(everyone)', server: 'nfs.example' },
    ]);
  });
});

describe('limits', () => {
  it('are read from ulimit and from /proc', () => {
    expect(
      told(
        hear('core file size          (blocks, -c) 0\nopen files                      (-n) 1024\npending signals (-i) 63'),
        'host.limit',
      ),
    ).toEqual([
      { about: 'Node/?', name: 'core file size', soft: '0' },
      { about: 'Node/?', name: 'open files', soft: '1024' },
    ]);
    const text = `Limit                     Soft Limit           Hard Limit           Units
Max cpu time              unlimited            unlimited            seconds
Max open files            1024                 524288               files`;
    expect(told(hear(text), 'host.limit')).toEqual([{ about: 'Node/?', name: 'open files', soft: '1024', hard: '524288' }]);
  });
});

describe('strace', () => {
  it('tells refusals apart from what programs meet all the time', () => {
    const heard = hear(`[pid  4312] openat(AT_FDCWD, "/etc/ld.so.preload", O_RDONLY) = -1 ENOENT (No such file or directory)
[pid  4312] mount("/", "/run/x/rootfs", 0xc0000f7500, MS_BIND|MS_REC, NULL) = -1 EBUSY (Device or resource busy)
4312  10:00:00.123456 close(3) = 0
[pid  4312] +++ killed by SIGKILL +++`);
    expect(heard.taken).toEqual([{ what: 'strace', lines: [1, 4] }]);
    expect(heard.sayings.map(({ level }) => level)).toEqual(['info', 'error', 'info', 'info']);
  });
});
