import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

describe('swap', () => {
  it('is said area by area', () => {
    const heard = hear('Filename\tType\tSize\tUsed\tPriority\n/dev/dm-1   partition 1003516\t\t0\t\t-2', { command: 'cat /proc/swaps' });
    expect(
      heard.sayings.some(({ text, level, channel }) => text.startsWith('/dev/dm-1') && level === 'info' && channel === 'host-tools'),
    ).toBe(true);
    expect(told(heard, 'host.swap')).toEqual([{ about: 'Node/?', active: true, area: '/dev/dm-1' }]);
  });

  it('is off when there is a header alone', () => {
    const heard = hear('Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority', { command: 'cat /proc/swaps' });
    expect(told(heard, 'host.swap')).toEqual([{ about: 'Node/?', active: false }]);
  });

  it('is known from swapon --show, with and without the command', () => {
    const text = 'NAME      TYPE      SIZE USED PRIO\n/swapfile file        2G 311M   -2';
    for (const command of [{ command: 'swapon --show' }, {}]) {
      expect(told(hear(text, command), 'host.swap')).toEqual([{ about: 'Node/?', active: true, area: '/swapfile' }]);
    }
  });
});

describe('free', () => {
  const TEXT = `              total        used        free      shared  buff/cache   available
Mem:          15883        9120         220         801        6542        5701
Swap:          2047         311        1736`;

  it('takes the unit from the command', () => {
    const heard = hear(TEXT, { command: 'free -m' });
    expect(told(heard, 'host.memory')).toEqual([{ about: 'Node/?', totalBytes: 15883 * 1024 ** 2, availableBytes: 5701 * 1024 ** 2 }]);
    expect(told(heard, 'host.swap')).toEqual([{ about: 'Node/?', active: true }]);
  });

  it('does not guess it', () => {
    expect(told(hear(TEXT), 'host.memory')).toEqual([]);
    expect(told(hear(TEXT), 'host.swap')).toEqual([{ about: 'Node/?', active: true }]);
  });

  it('reads human units, old forms and other languages', () => {
    const human = `               total        used        free      shared  buff/cache   available
Mem:            15Gi       8.9Gi       220Mi       801Mi       6.4Gi       5.6Gi
Swap:             0B          0B          0B`;
    expect(told(hear(human), 'host.memory')).toMatchObject([{ totalBytes: 15 * 1024 ** 3 }]);
    expect(told(hear(human), 'host.swap')).toEqual([{ about: 'Node/?', active: false }]);
    const chinese = `              总计         已用        空闲      共享    缓冲/缓存    可用
内存：      15883        9120         220         801        6542        5701
交换：          0           0           0`;
    expect(told(hear(chinese, { command: 'free -m' }), 'host.memory')).toMatchObject([{ totalBytes: 15883 * 1024 ** 2 }]);
    expect(told(hear('Swap:  2047  0  2047'), 'host.swap')).toEqual([{ about: 'Node/?', active: true }]);
  });
});

describe('/proc/meminfo and top', () => {
  it('tell the same', () => {
    const meminfo = hear(
      'MemTotal:       16264636 kB\nMemFree:          220000 kB\nMemAvailable:    5837000 kB\nSwapTotal:             0 kB',
    );
    expect(told(meminfo, 'host.memory')).toEqual([{ about: 'Node/?', totalBytes: 16264636 * 1024, availableBytes: 5837000 * 1024 }]);
    expect(told(meminfo, 'host.swap')).toEqual([{ about: 'Node/?', active: false }]);
    const top = hear(`top - 10:00:00 up 12 days,  3:02,  1 user,  load average: 85.12, 80.01, 60.00
Tasks: 412 total,   3 running, 409 sleeping,   0 stopped,   0 zombie
%Cpu(s): 95.1 us,  4.9 sy,  0.0 ni,  0.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st
MiB Mem :  15883.0 total,    220.1 free,   9120.0 used,   6542.9 buff/cache
MiB Swap:   2048.0 total,   2048.0 free,      0.0 used.   5701.0 avail Mem`);
    expect(told(top, 'host.load')).toEqual([{ about: 'Node/?', oneMinute: 85.12 }]);
    expect(told(top, 'host.memory')).toEqual([{ about: 'Node/?', totalBytes: 15883 * 1024 ** 2, availableBytes: 5701 * 1024 ** 2 }]);
    expect(told(top, 'host.swap')).toEqual([{ about: 'Node/?', active: true }]);
  });
});
