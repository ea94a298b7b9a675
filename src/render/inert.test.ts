import { describe, expect, it } from 'vitest';
import { inert, inertDeep, inertLines } from './inert.ts';

const ESC = '\u001b';

describe('inert', () => {
  it.each([
    ['colours', `${ESC}[31mred${ESC}[0m`, 'red'],
    ['cursor and screen', `a${ESC}[2J${ESC}[1;1Hb`, 'ab'],
    ['eight-bit sequences', 'a\u009b2Jb\u0090q', 'abq'],
    ['titles and links', `${ESC}]0;owned\u0007${ESC}]8;;http://evil.example${ESC}\\click${ESC}]8;;${ESC}\\`, 'click'],
    ['device strings', `${ESC}Pq#0${ESC}\\x`, 'x'],
    ['short escapes', `${ESC}c${ESC}7${ESC}(Bx`, 'x'],
    ['a lone escape', `a${ESC}`, 'a'],
    ['bells and backspaces', 'safe\u0007\u0008\u0008\u0008\u0008evil', 'safeevil'],
    ['text direction', 'user\u202etxt.exe\u2066\u2069\u200e\u061c', 'usertxt.exe'],
    ['invisible characters', 'a\u200bb\ufeffc\u2060d\u00ade\u{e0041}', 'abcde'],
    ['lone surrogates', 'a\ud800b', 'a\ufffdb'],
    ['line breaks', 'a\r\nb\rc\n\nd\u2028e', 'a b c d e'],
    ['tabs', 'a\tb', 'a b'],
  ])('takes away %s', (_, given, left) => {
    expect(inert(given)).toBe(left);
  });

  it('keeps the text of a sequence that never ends', () => {
    expect(inert(`${ESC}]0;title goes on`)).toBe(']0;title goes on');
    expect(inert(`${ESC}[12;34`)).toBe('[12;34');
  });

  it('keeps words of every language and emoji', () => {
    const words = '节点 узел عقدة 노드 👩‍🔧 é ✓';
    expect(inert(words)).toBe(words);
  });

  it('stays linear on endless unfinished sequences', () => {
    const started = performance.now();
    inert(`${ESC}]`.repeat(200_000));
    inert(`${ESC}[1;`.repeat(200_000));
    inert(`${ESC}[${'1;'.repeat(400_000)}`);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('keeps line breaks where lines count', () => {
    expect(inertLines(`a\r\n${ESC}[2Jb\u0000`)).toBe('a\nb');
  });

  it('reaches every string of a value', () => {
    expect(inertDeep({ a: [`${ESC}[2Jx`, 1, null, true], [`k${ESC}[2J`]: { b: '\u202e' } })).toEqual({
      a: ['x', 1, null, true],
      k: { b: '' },
    });
  });
});
