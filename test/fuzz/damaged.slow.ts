import fc from 'fast-check';
import { it } from 'vitest';
import { damaged, survives } from './mutate.ts';

const RUNS = 20_000;

it(`survives ${RUNS} pieces of damaged evidence without an exception`, async () => {
  await fc.assert(fc.asyncProperty(damaged, survives), { numRuns: RUNS });
});
