import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readError } from './errors.ts';

describe('readError takes anything', () => {
  it('without throwing', () => {
    const bits = [
      'error',
      ': ',
      'rpc error: code = X desc = ',
      '"',
      "'",
      '[',
      ']',
      '(',
      '{',
      '}',
      '\\',
      '\n',
      'Caused by: ',
      'err="',
      'level=',
      '. A',
      '漢',
    ];
    const text = fc.array(fc.oneof(fc.constantFrom(...bits), fc.string({ maxLength: 6 })), { maxLength: 40 });
    fc.assert(
      fc.property(text, fc.constantFrom(undefined, 'fatal', 'error', 'warning', 'info'), (parts, level) => {
        const error = readError(parts.join(''), level);
        expect(error === undefined || error.innermost.length <= 1400).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  const hostile = [
    'a: ',
    'error ',
    '((((',
    '[{(',
    '"',
    "'",
    '\\',
    '\\"',
    'rpc error: code = A desc = ',
    'err="',
    'Caused by: ',
    '\n',
    '. A',
    '0 errors ',
    'no ',
    'E0314 09:26:53.5 1 ',
    'level=',
    'output: ',
    'x',
    ' ',
    '\t',
    '1',
    '1.',
    '-',
    'a=',
    '{"error":',
    'timeout ',
    'A.b - ',
    '[a] ',
    ':',
  ];
  it.each(hostile)('in linear time: a megabyte of %j', (piece) => {
    const small = `error: ${piece.repeat(Math.ceil(500_000 / piece.length))}`;
    const large = small + small;
    readError(small, 'error');
    const once = fastest(() => readError(small, 'error'));
    const twice = fastest(() => readError(large, 'error'));
    expect(twice).toBeLessThan(Math.max(4 * once, 25));
  });
});

function fastest(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 3; turn++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}
