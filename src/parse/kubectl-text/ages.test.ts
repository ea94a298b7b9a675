import { describe, expect, it } from 'vitest';
import { isAge, parseDuration, parseEventAge } from './ages.ts';

describe('parseDuration', () => {
  it.each([
    ['7m28s', 448],
    ['2d1h', 176_400],
    ['57d', 4_924_800],
    ['3y45d', 3 * 31_536_000 + 45 * 86_400],
    ['5h30m', 19_800],
    ['0s', 0],
    ['250ms', 0.25],
    ['8.31s', 8.31],
    ['5m0s', 300],
    [' 12h ', 43_200],
  ])('reads %s', (text, seconds) => {
    expect(parseDuration(text)).toBeCloseTo(seconds);
  });

  it.each(['', '<unknown>', '<invalid>', '5', 'm', '5x', '5m ago', '-3s', '5m,3s', '1'.repeat(100)])('refuses %j', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe('parseEventAge', () => {
  it('splits last, count and first', () => {
    expect(parseEventAge('83s (x4 over 5m57s)')).toEqual({ count: 4, lastAgo: 83, firstAgo: 357 });
  });

  it('takes a single age as first and last', () => {
    expect(parseEventAge('32m')).toEqual({ count: 1, lastAgo: 1920, firstAgo: 1920 });
  });

  it('keeps the count where times are unknown', () => {
    expect(parseEventAge('<unknown>')).toEqual({ count: 1 });
    expect(parseEventAge('<invalid> (x3 over 2m)')).toEqual({ count: 3, firstAgo: 120 });
    expect(parseEventAge('soon')).toEqual({ count: 1 });
  });
});

describe('isAge', () => {
  it('lets the words of kubectl for no age through', () => {
    expect(['5d', '<unknown>', '<invalid>', '<none>', 'old'].map(isAge)).toEqual([true, true, true, false, false]);
  });
});
