import { describe, expect, it } from 'vitest';
import { isNone, parseBytes, parseStamp } from './values.ts';

describe('parseStamp', () => {
  it('honours the zone', () => {
    const utc = Date.UTC(2024, 2, 5, 1, 2, 3);
    expect(parseStamp('Tue, 05 Mar 2024 01:02:03 +0000')).toBe(utc);
    expect(parseStamp('Tue, 05 Mar 2024 09:02:03 +0800')).toBe(utc);
    expect(parseStamp('Mon, 04 Mar 2024 19:32:03 -0530')).toBe(utc);
    expect(parseStamp('Tue, 05 Mar 2024 01:02:03 UTC')).toBe(utc);
  });

  it('takes zero times and other texts for none', () => {
    expect(parseStamp('Mon, 01 Jan 0001 00:00:00 +0000')).toBeUndefined();
    expect(parseStamp('Thu, 01 Jan 1970 00:00:00 +0000')).toBeUndefined();
    expect(parseStamp('<Start Date>')).toBeUndefined();
    expect(parseStamp('Tue, 05 Foo 2024 01:02:03 +0000')).toBeUndefined();
  });
});

describe('parseBytes', () => {
  it.each([
    ['500Mi', 500 * 2 ** 20],
    ['1Gi', 2 ** 30],
    ['1.5Gi', 1.5 * 2 ** 30],
    ['25M', 25e6],
    ['134217728', 134_217_728],
    ['64k', 64_000],
    ['1e3', 1000],
  ])('reads %s', (text, bytes) => {
    expect(parseBytes(text)).toBe(bytes);
  });

  it('refuses what is no quantity', () => {
    expect([parseBytes('lots'), parseBytes(''), parseBytes('5Qi')]).toEqual([undefined, undefined, undefined]);
  });
});

describe('isNone', () => {
  it('knows the ways kubectl says nothing', () => {
    expect(['<none>', '', undefined, '<unset>', '<nil>'].every(isNone)).toBe(true);
    expect(isNone('<error: endpoints not found>')).toBe(false);
  });
});
