import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

function version(text: string, command?: string) {
  return told(hear(text, command === undefined ? {} : { command }), 'host.cgroup-version').map((fact) => fact.version);
}

describe('cgroup version', () => {
  it.each([
    ['cgroup2fs', undefined, [2]],
    ['tmpfs', 'stat -fc %T /sys/fs/cgroup', [1]],
    ['tmpfs', 'stat -fc %T /sys/fs/cgroup/', [1]],
    ['tmpfs', undefined, []],
    ['tmpfs', 'stat -fc %T /tmp', []],
    ['cpuset cpu io memory hugetlb pids rdma misc', undefined, [2]],
    ['cpu memory', undefined, []],
    ['cpu memory usage', undefined, []],
    ['cgroup2 on /sys/fs/cgroup type cgroup2 (rw,nosuid,nodev,noexec,relatime)', undefined, [2]],
    ['tmpfs on /sys/fs/cgroup type tmpfs (ro,nosuid,nodev,noexec,mode=755)', undefined, [1]],
    ['cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid,nodev 0 0', undefined, [2]],
    ['tmpfs on /run type tmpfs (rw)', undefined, []],
  ])('%s (%s)', (text, command, expected) => {
    expect(version(text, command)).toEqual(expected);
  });
});

describe('/proc/cgroups', () => {
  it('tells which controllers are off', () => {
    const heard = hear('#subsys_name\thierarchy\tnum_cgroups\tenabled\ncpuset\t0\t60\t1\nmemory\t0\t60\t0');
    expect(told(heard, 'host.tool').map(({ name, present }) => [name, present])).toEqual([
      ['cgroup controller cpuset', true],
      ['cgroup controller memory', false],
    ]);
  });
});
