import { describe, expect, it } from 'vitest';
import { plainQuotes, readQuoted, unescapeGo } from './go-quote.ts';

describe('readQuoted', () => {
  it('decodes what %q writes', () => {
    expect(readQuoted('"a \\"b\\" \\\\ \\n\\t\\x41\\u00e9" rest', 0)).toEqual({ text: 'a "b" \\ \n\tAé', end: 27, closed: true });
  });

  it('says when the quote never closes, also at a lone backslash', () => {
    expect(readQuoted('x="half', 2)).toEqual({ text: 'half', end: 7, closed: false });
    expect(readQuoted('"half\\', 0).closed).toBe(false);
  });
});

it('keeps what is no escape', () => {
  expect(unescapeGo('C:\\Windows \\xZZ \\U99999999')).toBe('C:\\Windows \\xZZ \\U99999999');
});

it('levels quotes that were quoted again and again', () => {
  expect(plainQuotes('a \\"b \\\\\\"c\\\\\\" d\\"')).toBe('a "b \\"c\\" d"'.replaceAll('\\"', '"'));
});
