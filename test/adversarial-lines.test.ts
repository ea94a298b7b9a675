import { describe, expect, it } from 'vitest';
import { catalogue } from '../src/causes/catalogue.ts';
import { linesOf } from '../src/reason/lines.ts';

const SMALL = 2 * 1024;
const LARGE = 16 * 1024;
const LARGEST = 64 * 1024;
/** Four times linear growth is eight-fold; a quadratic pattern grows sixty-four-fold. */
const GROWTH = 24;
/** A quadratic pattern takes seconds at this length; a linear one a few milliseconds, on a busy machine tens. */
const HARMLESS_MS = 20;
/** A line as long as the scanner takes, of one literal over and over: seconds would be too much, whatever the growth. */
const LONGEST_MS = 1000;
const TRIES = 30;
/** Whoever has slept is not interrupted at once: on a busy machine that is the moment to measure. */
const REST_MS = 3;

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

function spent(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/** The same work every time, of a millisecond or two. */
function reference(): number {
  return spent(() => {
    let sum = 0;
    for (let step = 0; step < 1_000_000; step++) sum = (sum * 31 + step) | 0;
    return sum;
  });
}

let quickest = Math.min(...Array.from({ length: 20 }, reference));

/** What it would cost on the machine when nobody else uses it: measured beside work that is known. */
function cost(pattern: RegExp, text: string): number {
  const before = reference();
  const own = spent(() => pattern.exec(text));
  const slowed = (before + reference()) / 2;
  quickest = Math.min(quickest, before);
  return own * Math.min(1, quickest / slowed);
}

function bestOf(pattern: RegExp, text: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && best >= HARMLESS_MS; attempt++) {
    if (attempt > 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, REST_MS);
    best = Math.min(best, cost(pattern, text));
    if (best > LONGEST_MS) break;
  }
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
        const longest = `${literal} `.repeat(LARGEST / literal.length).slice(0, LARGEST);
        if (spent(() => bare.exec(longest)) >= LONGEST_MS)
          expect(bestOf(bare, longest), `${literal.slice(0, 40)} over and over`).toBeLessThan(LONGEST_MS);
        const small = linesWith(literal, SMALL);
        for (const [index, text] of linesWith(literal, LARGE).entries()) {
          const large = spent(() => bare.exec(text));
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
