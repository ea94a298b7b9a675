import { describe, expect, it } from 'vitest';
import { en } from '../../text/locales/en.ts';
import { textIn } from '../../text/messages.ts';
import { html } from './escape.ts';
import { listed, phrase, say, spokenIn } from './voice.ts';

const turned = textIn('zh-CN', {
  ...en,
  'html.head.ask': '{where}：{tells}',
  'html.list': '{first}、{next}',
  'html.lookedMore': { other: '{places} +{count}' },
});

describe('the voice of a page', () => {
  it('speaks the language that was given, and only while the page is drawn', () => {
    expect(spokenIn(turned, () => [say.language, listed(['a', 'b', 'c'])])).toEqual(['zh-CN', 'a、b、c']);
    expect([say.language, listed(['a', 'b', 'c']), listed(['a']), listed([])]).toEqual(['en', 'a, b, c', 'a', '']);
  });

  it('is English again after a page that failed', () => {
    expect(() =>
      spokenIn(turned, () => {
        throw new Error('broken');
      }),
    ).toThrow('broken');
    expect(say.language).toBe('en');
  });

  it('puts markup where the language has its slots, and escapes the rest', () => {
    const draw = () => html`${phrase('html.head.ask', { tells: html`<b>x</b>`, where: '<i>' })}`.toString();
    expect(draw()).toBe('<b>x</b>, &lt;i&gt;');
    expect(spokenIn(turned, draw)).toBe('&lt;i&gt;：<b>x</b>');
  });

  it('takes no slot from what is put in', () => {
    const hostile = '{count} \u0000places\u0000';
    expect(html`${phrase('html.lookedMore', { places: hostile, count: 1234 })}`.toString()).toBe(
      'looked in {count} ␀places␀ and 1,234 other places',
    );
  });
});
