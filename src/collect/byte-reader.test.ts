import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader } from './byte-reader.ts';

async function* chunked(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const size of sizes) {
    yield bytes.subarray(at, at + size);
    at += size;
  }
  yield bytes.subarray(at);
}

describe('ByteReader', () => {
  it('hands out the same bytes however they were cut and asked for', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.array(fc.nat(40), { maxLength: 12 }),
        fc.array(fc.tuple(fc.constantFrom('peek', 'take', 'skip', 'stream'), fc.nat(60)), { maxLength: 12 }),
        async (bytes, sizes, steps) => {
          const reader = new ByteReader(chunked(bytes, sizes));
          for (const [step, count] of steps) {
            const at = reader.position;
            const expected = Buffer.from(bytes.subarray(at, at + count));
            if (step === 'peek') expect((await reader.peek(count)).equals(expected)).toBe(true);
            if (step === 'take') expect((await reader.take(count)).equals(expected)).toBe(true);
            if (step === 'skip') await reader.skip(count);
            if (step === 'stream') {
              const chunks: Uint8Array[] = [];
              for await (const chunk of reader.stream(count)) chunks.push(chunk);
              expect(Buffer.concat(chunks).equals(expected)).toBe(true);
            }
          }
        },
      ),
    );
  });

  it('gives what came before a failure and keeps the failure', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('abc');
      throw new Error('gone');
    }
    const reader = new ByteReader(broken());
    expect((await reader.take(10)).toString()).toBe('abc');
    expect(reader.failure).toEqual(new Error('gone'));
    expect((await reader.take(10)).length).toBe(0);
  });
});
