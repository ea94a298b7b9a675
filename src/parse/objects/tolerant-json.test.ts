import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonBlock } from './json-reader.ts';

describe('parseJsonBlock', () => {
  it('reads any JSON to its end', () => {
    void fc.assert(
      fc.property(fc.oneof(fc.object(), fc.array(fc.jsonValue())), fc.constantFrom(0, 2, 4), (value, indent) => {
        const clean: unknown = JSON.parse(JSON.stringify(value));
        const lines = `${JSON.stringify(clean, null, indent)}\nnext`.split('\n');
        const block = parseJsonBlock(lines, 0);
        expect(block?.value).toEqual(clean);
        expect(block?.truncated).toBeUndefined();
        expect(block?.end).toBe(lines.length - 1);
      }),
    );
  });

  it('says when something is missing', () => {
    expect(parseJsonBlock(['{ "a": [1, 2'], 0)).toMatchObject({ value: { a: [1, 2] }, end: 1, truncated: true });
    expect(parseJsonBlock(['{ "a": "cut of'], 0)).toMatchObject({ value: { a: 'cut of' }, truncated: true });
    expect(parseJsonBlock(['text'], 0)).toBeUndefined();
  });

  it('keeps a key named like the prototype as data', () => {
    const block = parseJsonBlock(['{ "__proto__": { "x": 1 } }'], 0);
    expect(Object.keys(block?.value as object)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('survives deep nesting and large blocks', () => {
    expect(parseJsonBlock(['['.repeat(200_000)], 0)?.truncated).toBe(true);
    const large = JSON.stringify({ rows: Array.from({ length: 20_000 }, (_, index) => ({ index, text: 'a } b { "c' })) });
    expect(parseJsonBlock([large, 'next'], 0)).toMatchObject({ value: { rows: { length: 20_000 } }, end: 1 });
  });
});
