import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { widthOf } from './width.ts';

describe('the width of a text', () => {
  it.each([
    'kubelet',
    'é',
    '节点',
    '한국어',
    'ｆｕｌｌ',
    'ポッド',
    'a\u0301',
    '●',
    '…',
    '→',
    '·',
    '✓',
    '🙂',
    '👨‍👩‍👧',
    '\u200bx',
    'пода',
    'ü·节',
  ])('of %s is what a terminal takes', (text) => {
    expect(widthOf(text)).toBe(stringWidth(text));
  });
});
