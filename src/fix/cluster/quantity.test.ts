import { describe, expect, it } from 'vitest';
import { isFactor, isLess, isQuantity, multiplied, multipliedInteger, sameQuantity } from './quantity.ts';
import { looksSecret, readValue, shown } from './values.ts';

describe('amounts', () => {
  it.each([
    ['128Mi', 'x2', '256Mi'],
    ['128Mi', 'x1.5', '192Mi'],
    ['1Gi', 'x1.5', '1536Mi'],
    ['1Ki', 'x1.001', '1026'],
    ['1.5Gi', 'x2', '3Gi'],
    ['500m', 'x2', '1000m'],
    ['1', 'x2.5', '2500m'],
    ['3', 'x2', '6'],
    ['100M', 'x1.25', '125M'],
    ['1m', 'x1.5', '2m'],
    ['1e9', 'x2', '2000000000'],
    ['5e-1', 'x2', '1'],
    ['999999999999999999', 'x2', '1999999999999999998'],
    ['8Ei', 'x100', '800Ei'],
  ])('%s by %s is %s', (quantity, factor, expected) => {
    expect(multiplied(quantity, factor)).toBe(expected);
  });

  it.each(['', 'Mi', '-1', '1 Gi', '1gi', '0x10', 'NaN', '1Gi; id', '1e', `${'9'.repeat(19)}`, '1.0000000001'])('%j is none', (text) => {
    expect(isQuantity(text)).toBe(false);
    expect(multiplied(text, 'x2')).toBeUndefined();
  });

  it.each(['x0', 'x', '2x', 'x-1', 'x1e9', 'x1000', 'x1.2345'])('%j multiplies nothing', (factor) => {
    expect(multiplied('1Gi', factor)).toBeUndefined();
  });

  it('are the same however they are written', () => {
    expect(sameQuantity('1.5Gi', '1536Mi')).toBe(true);
    expect(sameQuantity('0.5', '500m')).toBe(true);
    expect(sameQuantity('1G', '1Gi')).toBe(false);
    expect(sameQuantity('x', 'x')).toBe(false);
    expect([isLess('1G', '1Gi'), isLess('1Gi', '1G'), isLess('1Gi', '1Gi'), isLess('x', '1Gi')]).toEqual([true, false, false, false]);
  });

  it('of whole numbers are rounded up', () => {
    expect([multipliedInteger(3, 'x1.5'), multipliedInteger(0, 'x5'), multipliedInteger(-1, 'x2'), multipliedInteger(1.5, 'x2')]).toEqual([
      5,
      0,
      undefined,
      undefined,
    ]);
    expect(isFactor('x1.5')).toBe(true);
  });
});

describe('values', () => {
  it.each([
    ['integer', '07', undefined, 7],
    ['integer', 'x5', 1, 5],
    ['port', 'http', undefined, 'http'],
    ['port', '8080', undefined, 8080],
    ['boolean', 'false', undefined, false],
    ['texts', 'serve', undefined, ['serve']],
    ['texts', '["a b", ""]', undefined, ['a b', '']],
    ['path', '/healthz?full=1', undefined, '/healthz?full=1'],
  ] as const)('of type %s are read: %s', (type, given, before, value) => {
    expect(readValue(type, given, before)).toEqual({ ok: true, value });
  });

  it.each([
    ['integer', '-1', undefined],
    ['integer', '99999999999', undefined],
    ['integer', 'x5', undefined],
    ['integer', 'x999', 2_147_483_647],
    ['quantity', 'x2', undefined],
    ['port', '0', undefined],
    ['port', '70000', undefined],
    ['port', 'not a port', undefined],
    ['boolean', 'yes', undefined],
    ['texts', 'sh -c true', undefined],
    ['texts', '[1]', undefined],
    ['path', 'healthz', undefined],
    ['path', '/a b', undefined],
    ['name', '../x', undefined],
    ['name', 'a..b', undefined],
    ['text', 'a\u001b[31m', undefined],
    ['text', 'x'.repeat(5000), undefined],
    ['anything', 'x', undefined],
  ] as const)('of type %s are refused: %s', (type, given, before) => {
    expect(readValue(type, given, before)).toMatchObject({ ok: false });
  });

  it('are shown on one line, without secrets and escape codes', () => {
    expect(shown('a\u001b[31m\nb')).toBe('"a [31m b"');
    expect(shown(undefined)).toBe('(absent)');
    expect(shown('x'.repeat(1000)).length).toBeLessThan(210);
    expect(looksSecret('API_KEY', 'x')).toBe(true);
    expect(looksSecret('', ['--password', 'x'])).toBe(true);
    expect(looksSecret('MODE', 'shop')).toBe(false);
  });
});
