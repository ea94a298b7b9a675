import { describe, expect, it } from 'vitest';
import { readPairs } from './key-values.ts';

describe('readPairs', () => {
  it('reads plain, quoted and bracketed values', () => {
    const text = 'a=1 b="two words" c=["x y" "z"] d={"k":"} v"} e=map[a:1] word f=';
    expect(readPairs(text, 0)).toEqual({
      fields: { a: '1', b: 'two words', c: '["x y" "z"]', d: '{"k":"} v"}', e: 'map[a:1]', f: '' },
      count: 6,
      stray: 1,
    });
  });

  it('reads a value of several lines and goes on behind it', () => {
    expect(readPairs('err=<\n\tfirst line\n\tsecond\n > pod="a/b"', 0).fields).toEqual({ err: 'first line\nsecond', pod: 'a/b' });
  });

  it('marks what is left open', () => {
    expect(readPairs('err="half of', 0)).toMatchObject({ fields: { err: 'half of' }, open: 'quote' });
    expect(readPairs('err=<', 0)).toMatchObject({ open: 'block' });
  });
});
