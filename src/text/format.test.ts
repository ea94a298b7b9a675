import { describe, expect, it } from 'vitest';
import { cap, count, duration, joinList, readDuration, size, tookSeconds } from './format.ts';

describe('durations', () => {
  it.each([
    ['5m57s', '6 minutes'],
    ['45s', '45 seconds'],
    ['1s', '1 second'],
    ['89s', '89 seconds'],
    ['2m', '2 minutes'],
    ['4h2m', '4 hours'],
    ['2d1h', '2 days'],
    ['57d', '57 days'],
    ['730d', '2 years'],
    ['300ms', 'less than a second'],
    ['1.5h', '2 hours'],
  ])('%s is %s', (given, said) => {
    expect(duration(given)).toBe(said);
  });

  it('takes seconds', () => {
    expect(duration(357)).toBe('6 minutes');
    expect(duration(0)).toBe('less than a second');
  });

  it('leaves what is no duration as it is', () => {
    expect(duration('<unknown>')).toBe('<unknown>');
    expect(duration(Number.NaN)).toBe('NaN');
    expect(readDuration('')).toBeUndefined();
    expect(readDuration('5m57')).toBeUndefined();
    expect(readDuration('1'.repeat(100_000))).toBeUndefined();
  });
});

describe('sizes and counts', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [1_023, '1,023 bytes'],
    [1_024, '1 KiB'],
    [1_536, '1.5 KiB'],
    [31_884, '31 KiB'],
    [1_048_575, '1 MiB'],
    [812_000_000, '774 MiB'],
    [5e15, '4,547 TiB'],
  ])('%d is %s', (given, said) => {
    expect(size(given)).toBe(said);
  });

  it('does not stumble over broken numbers', () => {
    expect(size(Number.NaN)).toBe('0 bytes');
    expect(size(-5)).toBe('0 bytes');
  });

  it('groups digits, joins lists and never says it took no time', () => {
    expect(count(1_234_567)).toBe('1,234,567');
    expect(joinList(['a', 'b', 'c'])).toBe('a, b, and c');
    expect(joinList(['a'])).toBe('a');
    expect(tookSeconds(3)).toBe('0.1 s');
    expect(tookSeconds(1_240)).toBe('1.2 s');
    expect(tookSeconds(75_300)).toBe('75 s');
  });
});

describe('cap', () => {
  it('shows one more rather than saying that one is left', () => {
    expect(cap([1, 2, 3], 2)).toEqual({ shown: [1, 2, 3], left: 0 });
    expect(cap([1, 2, 3, 4], 2)).toEqual({ shown: [1, 2], left: 2 });
  });

  it('counts what was left out before', () => {
    expect(cap([1, 2, 3], 5, 27)).toEqual({ shown: [1, 2, 3], left: 24 });
    expect(cap([1, 2, 3], Number.POSITIVE_INFINITY)).toEqual({ shown: [1, 2, 3], left: 0 });
  });
});
