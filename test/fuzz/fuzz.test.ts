import fc from 'fast-check';
import { expect, it } from 'vitest';
import { diagnose } from '../../src/diagnose.ts';
import { damaged, survives } from './mutate.ts';

it('survives damaged evidence (a sample; CI runs many more)', async () => {
  await fc.assert(fc.asyncProperty(damaged, survives), { numRuns: 300 });
});

it('survives arbitrary bytes', async () => {
  await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), survives), { numRuns: 200 });
});

it('says the same about the same evidence', async () => {
  await fc.assert(
    fc.asyncProperty(damaged, async (bytes) => {
      const run = async () => {
        const { timings: _timings, ...report } = await diagnose([{ name: 'evidence.txt', size: bytes.length, bytes }]);
        return report;
      };
      expect(await run()).toEqual(await run());
    }),
    { numRuns: 40 },
  );
});
