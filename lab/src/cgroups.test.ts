import { describe, expect, it } from 'vitest';
import { hierarchies } from './cgroups.ts';

describe('hierarchies', () => {
  it('tells the controllers of version 1 and the named and unified ones', () => {
    const mounts = [
      'tmpfs /sys/fs/cgroup tmpfs rw,relatime,mode=755 0 0',
      'cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,nosuid,nodev,noexec,relatime,cpu,cpuacct 0 0',
      'cgroup /sys/fs/cgroup/memory cgroup rw,relatime,memory 0 0',
      'cgroup /sys/fs/cgroup/systemd cgroup rw,nosuid,xattr,name=systemd 0 0',
      'cgroup2 /sys/fs/cgroup/unified cgroup2 rw,relatime,nsdelegate 0 0',
      'cgroup /sys/fs/cgroup/memory cgroup rw,relatime,memory 0 0',
      'proc /proc proc rw 0 0',
    ].join('\n');
    expect(hierarchies(mounts)).toEqual([
      { folder: 'cpu,cpuacct', options: 'cpu,cpuacct' },
      { folder: 'memory', options: 'memory' },
      { folder: 'systemd', options: 'none,name=systemd' },
      { folder: 'unified' },
    ]);
  });

  it('knows a machine with version 2 alone', () => {
    expect(hierarchies('cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid,nsdelegate,memory_recursiveprot 0 0')).toEqual([{ folder: '' }]);
  });
});
