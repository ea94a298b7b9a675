import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

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

describe('mount', () => {
  it('tells where network storage and volumes are mounted', () => {
    const volume = '/var/lib/kubelet/pods/0f0f0f0f-1111-2222-3333-444444444444/volumes/kubernetes.io~nfs/data';
    const heard = hear(`sysfs on /sys type sysfs (rw,nosuid)
/dev/vda1 on / type xfs (ro,relatime)
nfs.example:/srv/data on ${volume} type nfs4 (rw,relatime,vers=4.2,addr=10.0.0.9)`);
    expect(told(heard, 'host.mount')).toEqual([
      { about: 'Node/?', path: '/', source: '/dev/vda1', type: 'xfs', options: 'ro,relatime' },
      { about: 'Node/?', path: volume, source: 'nfs.example:/srv/data', type: 'nfs4', options: 'rw,relatime,vers=4.2,addr=10.0.0.9' },
    ]);
    expect(told(heard, 'host.filesystem')).toEqual([{ about: 'Node/?', path: '/', readOnly: true }]);
    expect(heard.sayings).toHaveLength(3);
  });
});

describe('findmnt', () => {
  it('reads the tree and the columns it was asked for', () => {
    const heard = hear(`TARGET                       SOURCE     FSTYPE  OPTIONS
/                            /dev/vda1  ext4    ro,relatime
├─/proc                      proc       proc    rw,nosuid
└─/var/lib/kubelet           /dev/vdb   xfs     rw,relatime`);
    expect(told(heard, 'host.mount').map(({ path, type }) => [path, type])).toEqual([
      ['/', 'ext4'],
      ['/var/lib/kubelet', 'xfs'],
    ]);
    expect(told(heard, 'host.filesystem')).toEqual([{ about: 'Node/?', path: '/', readOnly: true }]);
  });

  it('tells propagation', () => {
    expect(told(hear('TARGET PROPAGATION\n/      private'), 'host.mount')).toEqual([
      { about: 'Node/?', path: '/', propagation: 'private' },
    ]);
  });
});
