import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../src/causes/catalogue.ts';
import { linesOf } from '../src/reason/lines.ts';

const script = fileURLToPath(new URL('slow-patterns.mjs', import.meta.url));
const MINUTES = 60_000;

async function slowPatterns(...given: string[]): Promise<{ measured: number; slow: string[] }> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...given]);
  return JSON.parse(stdout) as { measured: number; slow: string[] };
}

describe('no known line can hold up a report', () => {
  it(
    'whatever a line of 64 KB is filled with',
    async () => {
      const { measured, slow } = await slowPatterns();
      expect(slow).toEqual([]);
      expect(measured).toBeGreaterThan(100_000);
    },
    10 * MINUTES,
  );

  it(
    'and a pattern that tries again from every place is found',
    async () => expect((await slowPatterns('a*b', 'aaaaaaaa')).slow.length).toBeGreaterThan(0),
    10 * MINUTES,
  );

  it('declares literals the scanner can use', () => {
    for (const { id, literals } of linesOf(catalogue))
      for (const literal of literals) expect(Buffer.byteLength(literal), id).toBeGreaterThanOrEqual(8);
  });
});
