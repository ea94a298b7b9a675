import { describe, expect, it } from 'vitest';
import { catalogue } from '../src/causes/catalogue.ts';
import { linesOf } from '../src/reason/lines.ts';

const SMALL = 8 * 1024;
const LARGE = 64 * 1024;
/** Four times linear growth is eight-fold; a quadratic pattern grows sixty-four-fold. */
const GROWTH = 24;
/** A quadratic pattern takes seconds at this length; a linear one a few milliseconds, on a busy machine tens. */
const HARMLESS_MS = 60;
const TRIES = 8;

const FILLERS = [' ', 'a', '"', '\\"', ': ', 'a ', '[', '/', '0', 'not found ', 'image "x": ', '\t', '.', '-', 'é'];

function linesWith(literal: string, size: number): string[] {
  const fill = (text: string) => text.repeat(Math.ceil(size / text.length)).slice(0, size);
  return [
    fill(`${literal} `),
    ...FILLERS.flatMap((filler) => [
      `${literal}${fill(filler)}`,
      `${fill(filler)}${literal}`,
      `${fill(filler).slice(size / 2)}${literal}${fill(filler).slice(size / 2)}`,
    ]),
  ];
}

function cost(pattern: RegExp, text: string): number {
  const started = performance.now();
  pattern.exec(text);
  return performance.now() - started;
}

function bestOf(pattern: RegExp, text: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && best >= HARMLESS_MS; attempt++) best = Math.min(best, cost(pattern, text));
  return best;
}

describe('no known line can be driven to more than linear time', () => {
  const specs = linesOf(catalogue);
  it('has lines to test', () => expect(specs.length).toBeGreaterThan(20));

  it.each(specs.filter(({ pattern }) => pattern !== undefined).map((spec) => [spec.id, spec] as const))(
    '%s',
    (_id, { pattern, literals }) => {
      const bare = new RegExp(pattern as RegExp, (pattern as RegExp).flags.replace(/[gy]/g, ''));
      for (const literal of literals) {
        const small = linesWith(literal, SMALL);
        for (const [index, text] of linesWith(literal, LARGE).entries()) {
          const large = cost(bare, text);
          if (large < HARMLESS_MS) continue;
          // Measured again with its small sister, the best of several: a busy machine is not a slow pattern.
          const again = bestOf(bare, text);
          if (again < HARMLESS_MS) continue;
          const ratio = again / Math.max(bestOf(bare, small[index] ?? ''), 0.05);
          expect(ratio, `${literal.slice(0, 40)} with filler ${index}`).toBeLessThan(GROWTH);
        }
      }
    },
  );

  it('declares literals the scanner can use', () => {
    for (const { id, literals } of specs) for (const literal of literals) expect(Buffer.byteLength(literal), id).toBeGreaterThanOrEqual(8);
  });
});
