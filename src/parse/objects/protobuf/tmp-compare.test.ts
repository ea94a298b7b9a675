import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readPages } from '../read-pages.ts';
import { TestSink } from '../test-sink.ts';

const dir = '/tmp/rec/out';
async function read(file: string, encoding: 'json' | 'protobuf', named: number) {
  const sink = new TestSink();
  const bytes = readFileSync(`${dir}/${file}`);
  const result = await readPages(
    {
      name: 'x.json',
      size: 0,
      takenAt: Date.UTC(2026, 10, 15, 23, 59),
      pages: async function* () {
        yield { encoding, bytes };
      },
    },
    sink,
    { namedPods: named },
  );
  return { result: { ...result, bytes: 0 }, sink };
}
describe('recorded', () => {
  for (const name of readdirSync(dir)
    .filter((f) => f.endsWith('.pb'))
    .map((f) => f.slice(0, -3))) {
    it.each([0, 2000])(`${name} %d`, async (named) => {
      const a = await read(`${name}.json`, 'json', named);
      const b = await read(`${name}.pb`, 'protobuf', named);
      expect(b.result).toEqual(a.result);
      for (const k of ['facts', 'edges', 'coverage', 'sayings'] as const) expect(b.sink[k]).toEqual(a.sink[k]);
      if (named)
        console.log(name, a.result, a.sink.facts.length, a.sink.sayings.length, JSON.stringify(a.sink.facts.at(-1))?.slice(0, 200));
    });
  }
});
