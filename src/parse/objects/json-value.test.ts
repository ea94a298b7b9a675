import { describe, expect, it } from 'vitest';
import { quantityOf, timeOf } from './json-value.ts';

describe('quantityOf', () => {
  it.each([
    ['512Mi', 536_870_912],
    ['1G', 1_000_000_000],
    ['1e9', 1_000_000_000],
    ['1.5Gi', 1_610_612_736],
    ['128974848000m', 128_974_848],
    ['134217728', 134_217_728],
    [1024, 1024],
    ['lots', undefined],
    ['', undefined],
    [null, undefined],
  ])('%s', (text, bytes) => {
    expect(quantityOf(text)).toBe(bytes);
  });
});

describe('timeOf', () => {
  it.each([
    ['2025-01-02T03:04:05Z', Date.UTC(2025, 0, 2, 3, 4, 5)],
    ['2025-01-02T03:04:05.678901Z', Date.UTC(2025, 0, 2, 3, 4, 5, 678)],
    ['2025-01-02T05:04:05+02:00', Date.UTC(2025, 0, 2, 3, 4, 5)],
    ['0001-01-01T00:00:00Z', undefined],
    ['yesterday', undefined],
    [null, undefined],
    [17, undefined],
  ])('%s', (text, time) => {
    expect(timeOf(text)).toBe(time);
  });
});
