import { describe, expect, it } from 'vitest';
import { widthOf } from './pad.ts';
import { wrap, wrapSentences, wrapTo } from './wrap.ts';

const CHINESE = '节点的容器运行时没有使用系统控制组驱动，因此所有容器每隔几分钟就会被停止一次。';
const MIXED =
  '节点 worker-2 的 kubelet（v1.31.4）把每个 Pod 放进 systemd 切片；containerd（“SystemdCgroup = false”）却放在别处：切片是空的、会被删除，「容器」随之停止。';

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

  it('starts no line with closing punctuation, ends none with an opening one, and keeps the width', () => {
    for (let width = 6; width < 80; width++) {
      for (const line of wrap(MIXED, width)) {
        expect(line).not.toMatch(/^[，。：；、）」”]/);
        expect(line).not.toMatch(/[（「“]$/);
        expect(widthOf(line)).toBeLessThanOrEqual(width);
      }
      expect(wrap(MIXED, width).join('').replaceAll(' ', '')).toBe(MIXED.replaceAll(' ', ''));
    }
  });

  it('fills the lines of a text without spaces', () => {
    const lines = wrap(CHINESE, 20);
    expect(lines).toEqual(['节点的容器运行时没有', '使用系统控制组驱动，', '因此所有容器每隔几分', '钟就会被停止一次。']);
  });

  it('takes a letter along where closing punctuation follows a word that fills the line', () => {
    expect(wrap('abcdefgh，然后', 8)).toEqual(['abcdefg', 'h，然后']);
    expect(wrap('。'.repeat(6), 4).join('')).toBe('。'.repeat(6));
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

  it('puts no space into a text that has none', () => {
    expect(wrapTo(CHINESE, 20, 2, '…')).toEqual(['节点的容器运行时没有', '使用系统控制组驱动…']);
    expect(wrapTo(`${'甲'.repeat(12)} ${'乙'.repeat(9)}`, 20, 2, '…')).toEqual(['甲'.repeat(10), `甲甲 ${'乙'.repeat(7)}…`]);
  });
});

describe('wrapSentences', () => {
  it('keeps whole sentences that fit', () => {
    expect(wrapSentences('First one is short. The second one is much longer than that.', 20, 2, '…')).toEqual(['First one is short.']);
  });

  it('knows the end of a Chinese sentence, with the quote that closes it', () => {
    expect(wrapSentences(`日志说“没有空间了。”${CHINESE}`, 20, 2, '…')).toEqual(['日志说“没有空间了。”']);
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
