import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanLine, cleanText } from './clean.ts';

describe('cleanLine', () => {
  it.each([
    ['colours', '\x1b[1;31mERROR\x1b[0m pod \x1b[38;5;12mweb-0\x1b[m', 'ERROR pod web-0'],
    ['8-bit sequences', '\x9b31mERROR\x9b0m', 'ERROR'],
    ['private modes and intermediates', '\x1b[?25lok\x1b[?25h\x1b[0 q', 'ok'],
    ['a window title', '\x1b]0;root@node: ~\x07root@node:~# ls', 'root@node:~# ls'],
    ['a hyperlink', '\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['device control strings', 'a\x1bPq#0;2\x1b\\b\x90x\x9cc', 'abc'],
    ['character sets', '\x1b(Bplain\x1b=', 'plain'],
    ['an unfinished sequence', 'text\x1b[31', 'text'],
    ['an unfinished string, of which nothing may be hidden', '\x1b]0;evidence stays', '0;evidence stays'],
    ['columns laid out by cursor moves', 'NAME\x1b[4CREADY', 'NAME    READY'],
    ['a progress bar', ' 10%\r 50%\r100% done', '100% done'],
    ['a cleared line', 'pulling 3%\r\x1b[Kpulled\r', 'pulled'],
    ['a bare return at the end', 'text\r', 'text'],
    ['nothing but returns', '\r \r', ''],
    ['bold by overstriking', 'N\bNA\bAM\bME\bE', 'NAME'],
    ['underlined by overstriking', '_\bk_\bu and k\b_', 'ku and k'],
    ['a spinner', '/\b-\b\\\b done', ' done'],
    ['other control characters', 'a\0b\x01c\x7fd\x85e\tf', 'abcde\tf'],
    ['direction overrides', 'user\u202egnp.exe\u2069', 'user‹U+202E›gnp.exe‹U+2069›'],
    ['zero width', 'pass\u200bword\ufeff', 'pass‹U+200B›word‹U+FEFF›'],
    ['tag characters', 'a\u{e0041}b', 'a‹U+E0041›b'],
    ['line separators', 'a\u2028b', 'a‹U+2028›b'],
  ])('%s', (_, line, expected) => {
    expect(cleanLine(line)).toBe(expected);
  });

  it.each(['NAME   READY\tSTATUS', '容器 启动 ⚠ → “quoted”…', 'é ü ß', '😀 emoji', '한국어 עברית'])('leaves %s as it is', (line) => {
    expect(cleanLine(line)).toBe(line);
  });
});

describe('cleanText', () => {
  it('keeps line numbers', () => {
    expect(cleanText('a\r\x1b[Kb\nplain\n\x1b]0;t\nc\x07d\n')).toBe('b\nplain\n0;t\ncd\n');
  });

  it('cannot change the number of lines, leaves nothing that acts, and is stable', () => {
    const unit = fc.constantFrom(
      '\x1b',
      '[',
      ']',
      '0',
      ';',
      'm',
      'K',
      '\x07',
      '\\',
      '\b',
      '\r',
      '\n',
      '\x9b',
      '\x9c',
      '\x90',
      'a',
      '_',
      '\u202e',
      ' ',
      'é',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        const cleaned = cleanText(text);
        expect(cleaned.split('\n')).toHaveLength(text.split('\n').length);
        expect(cleaned).not.toMatch(/[^\P{Cc}\t\n]|\p{Cf}/u);
        expect(cleanText(cleaned)).toBe(cleaned);
        expect(cleaned).toBe(text.split('\n').map(cleanLine).join('\n'));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['unfinished strings', '\x1b]'],
    ['unfinished sequences', '\x1b['],
    ['returns', '\r'],
    ['blank drawings', ' \r'],
    ['backspaces', 'ab\b'],
    ['direction marks', '\u202e'],
    ['terminated strings', '\x1b]x\x07'],
  ])('takes time in proportion to its length: %s', (_, unit) => {
    const line = `x${unit.repeat(400_000)}`;
    const start = performance.now();
    cleanText(line);
    expect(performance.now() - start).toBeLessThan(4000);
  });
});
