import { describe, expect, it } from 'vitest';
import { epochOf, readStamp, readYearless } from './stamp.ts';

const AT = Date.UTC(2024, 0, 2, 3, 4, 5);

describe('readStamp', () => {
  it.each([
    ['2024-01-02T03:04:05Z rest', AT],
    ['2024-01-02T03:04:05.678901234Z', AT + 678],
    ['2024-01-02T11:04:05+0800 host', AT],
    ['2024-01-02T11:04:05+08:00 host', AT],
    ['2024-01-01T21:34:05-05:30', AT],
    ['2024/01/02 03:04:05 [emerg]', AT],
    ['2024-01-02 03:04:05,123 ERROR', AT + 123],
    ['2024-01-02 03:04:05.123 UTC [1]', AT + 123],
    ['Tue Jan  2 03:04:05 2024] x', AT],
    ['02-Jan-2024 03:04:05.000 SEVERE', AT],
  ])('%s', (text, when) => {
    expect(readStamp(text)?.when).toBe(when);
  });

  it.each(['2024-13-02T03:04:05Z', '2024-01-32 03:04:05', '24-01-02 03:04:05', 'Jan 02 03:04:05', '2024-01-02'])('refuses %s', (text) => {
    expect(readStamp(text)).toBeUndefined();
  });
});

it('tells seconds from milliseconds, microseconds and nanoseconds', () => {
  const when = AT + 500;
  expect([when / 1e3, when, when * 1e3, when * 1e6].map(epochOf)).toEqual([when, when, when, when]);
  expect(epochOf(12)).toBeUndefined();
});

it('reads dates without a year', () => {
  expect(readYearless('0719 20:54:58.445104')).toEqual({ month: 7, day: 19, ofDay: 75_298_445 });
  expect(readYearless('Jul  9 20:54:58')).toEqual({ month: 7, day: 9, ofDay: 75_298_000 });
  expect(readYearless('7月 19 20:54:58')).toEqual({ month: 7, day: 19, ofDay: 75_298_000 });
  expect(readYearless('1319 20:54:58')).toBeUndefined();
});
