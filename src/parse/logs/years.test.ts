import { describe, expect, it } from 'vitest';
import { parseLogLine } from './parse-line.ts';
import { datedDays, whenOf } from './years.ts';

const KLOG = 'I0102 03:04:05.000000       1 main.go:1] up';

function whenBeside(...lines: string[]): number | undefined {
  const line = parseLogLine(KLOG);
  return line && whenOf(line, datedDays(lines));
}

describe('the year of a stamp that has none', () => {
  it('comes from a dated line of the same text', () => {
    expect(whenBeside('Active: active since Mon 2023-01-01 10:00:00 UTC')).toBe(Date.UTC(2023, 0, 2, 3, 4, 5));
    expect(whenBeside('  Start Time:  Mon, 01 Jan 2024 08:00:00 +0000')).toBe(Date.UTC(2024, 0, 2, 3, 4, 5));
  });

  it('turns with the year', () => {
    expect(whenBeside('time="2023-12-30T10:00:00Z" level=info msg=x')).toBe(Date.UTC(2024, 0, 2, 3, 4, 5));
  });

  it('stays unknown without a dated line, far from one, and beside an expiry date', () => {
    expect(whenBeside(KLOG)).toBeUndefined();
    expect(whenBeside('2023-07-01 10:00:00 something')).toBeUndefined();
    expect(whenBeside('certificate has expired: 2023-01-03 10:00:00 +0000 UTC')).toBeUndefined();
  });
});
