import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

describe('timedatectl', () => {
  it.each([
    ['System clock synchronized', 'yes', true],
    ['NTP synchronized', 'no', false],
  ])('tells whether the clock is kept right: %s', (key, value, synchronized) => {
    const text = `               Local time: Sun 2026-11-15 23:39:46 UTC
           Universal time: Sun 2026-11-15 23:39:46 UTC
                Time zone: Etc/UTC (UTC, +0000)
${key.padStart(25)}: ${value}
              NTP service: n/a
          RTC in local TZ: no`;
    expect(told(hear(text), 'host.clock')).toEqual([{ about: 'Node/?', synchronized }]);
  });
});

describe('glances at a host', () => {
  it.each([
    ['date -u', 'Sun Nov 15 23:35:01 UTC 2026'],
    ['cat /proc/uptime', '12798.38 12800.44'],
    ['cat /proc/loadavg', '0.83 1.76 1.84 7/168 30279'],
    ['grep Dirty /proc/meminfo', 'Dirty:                16 kB'],
    ['ss -x', 'u_str ESTAB 0      0                  * 23123            * 23124'],
  ])('are known by their command: %s', (command, text) => {
    expect(hear(text, { command }).taken).toEqual([{ what: 'state of the host', lines: [1, 1] }]);
    expect(hear(text).taken).toEqual([]);
  });
});
