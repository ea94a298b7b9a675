import { describe, expect, it } from 'vitest';
import { html } from './escape.ts';
import { age, clip, clock, isTime, paragraphs, prose, sentence, shorten, widthOf } from './words.ts';

describe('words', () => {
  it('tells ages in two units at most', () => {
    expect([0, 45, 372, 3600, 15_120, 273_600].map(age)).toEqual(['0s', '45s', '6m12s', '1h', '4h12m', '3d4h']);
    expect(age(Number.NaN)).toBe('unknown');
  });

  it('begins a sentence with a capital, but changes no name', () => {
    expect(sentence('it seems over')).toBe('It seems over');
    expect(sentence('billing/invoice-0 does not start')).toBe('billing/invoice-0 does not start');
    expect(sentence('web-0 is not ready')).toBe('web-0 is not ready');
    expect(sentence('kubelet 没有运行')).toBe('kubelet 没有运行');
    expect(sentence('')).toBe('');
  });

  it('cuts names in the middle, and wide characters to the same width', () => {
    expect(shorten('nfs-provisioner-6f7d9c-jm4wt', 15)).toBe('nfs-pro…c-jm4wt');
    expect(shorten('short', 15)).toBe('short');
    expect(shorten('节点节点节点节点', 9)).toBe('节点…节点');
    expect([widthOf('节点 a'), widthOf('a…b')]).toEqual([6, 3]);
    expect(clip('crash loop, out of memory', 12)).toBe('crash loop,…');
  });

  it('writes times in UTC and refuses impossible ones', () => {
    expect(clock(Date.UTC(2025, 4, 4, 9, 3, 40), false)).toBe('09:03:40');
    expect(clock(Date.UTC(2025, 4, 4, 9, 3, 40), true)).toBe('2025-05-04 09:03:40');
    expect([isTime(8.65e15), isTime(Number.NaN), isTime(undefined), isTime(0)]).toEqual([false, false, false, true]);
  });

  it('takes ticks for code only in pairs', () => {
    expect(html`${prose('set `a` <b>')}`.toString()).toBe('set <code>a</code> &lt;b&gt;');
    expect(html`${prose('a ` b')}`.toString()).toBe('a &#96; b');
    expect(html`${prose('```` ~~~')}`.toString()).not.toContain('<code>');
    expect(paragraphs('one\n\ntwo')).toHaveLength(2);
  });
});
