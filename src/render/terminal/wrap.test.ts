import { describe, expect, it } from 'vitest';
import { widthOf } from './pad.ts';
import { wrap, wrapSentences, wrapTo } from './wrap.ts';

const CHINESE = '节点的容器运行时没有使用系统控制组驱动，因此所有容器每隔几分钟就会被停止一次。';

describe('wrap', () => {
  it('breaks at spaces', () => {
    expect(wrap('one two three four', 9)).toEqual(['one two', 'three', 'four']);
  });

  it('gives one empty line for nothing', () => {
    expect(wrap('', 10)).toEqual(['']);
  });

  it('cuts a word that is wider than the line', () => {
    expect(wrap('ab cdefghijkl m', 4)).toEqual(['ab', 'cdef', 'ghij', 'kl m']);
  });

  it('breaks between wide characters and loses none', () => {
    const lines = wrap(`kubelet 说：${CHINESE}`, 20);
    expect(lines.every((line) => widthOf(line) <= 20)).toBe(true);
    expect(lines.join('').replaceAll(' ', '')).toBe(`kubelet说：${CHINESE}`);
  });

  it('starts no line with closing punctuation', () => {
    for (let width = 6; width < 40; width++) {
      for (const line of wrap(CHINESE, width)) expect(line).not.toMatch(/^[，。]/);
    }
  });

  it('keeps joined emoji whole', () => {
    expect(wrap('👩‍🔧👩‍🔧👩‍🔧', 4).join('')).toBe('👩‍🔧👩‍🔧👩‍🔧');
  });

  it('survives a width too small for a wide character', () => {
    expect(wrap('节点', 1).join('')).toBe('节点');
    expect(wrap('ab', 0)).toEqual(['a', 'b']);
  });
});

describe('wrapTo', () => {
  it('says that there was more', () => {
    expect(wrapTo('one two three four five six', 9, 2, '…')).toEqual(['one two', 'three fo…']);
    expect(wrapTo('one two', 9, 2, '…')).toEqual(['one two']);
  });
});

describe('wrapSentences', () => {
  it('keeps whole sentences that fit', () => {
    expect(wrapSentences('First one is short. The second one is much longer than that.', 20, 2, '…')).toEqual(['First one is short.']);
  });

  it('does not take a version for the end of a sentence', () => {
    expect(wrapSentences('Needs v1.30.2 at least. And then some more words follow here.', 24, 1, '…')).toEqual(['Needs v1.30.2 at least.']);
  });

  it('gives a long first sentence more lines before it cuts it', () => {
    const lines = wrapSentences(`${'word '.repeat(40)}end. More.`, 20, 2, '…');
    expect(lines).toHaveLength(4);
    expect(lines.at(-1)).toMatch(/…$/);
  });
});
