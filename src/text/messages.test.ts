import { describe, expect, it } from 'vitest';
import type { Plural } from './catalogue.ts';
import { en } from './locales/en.ts';
import { type Catalogue, type MessageKey, text, textIn, translation } from './messages.ts';

describe('text', () => {
  it('fills slots', () => {
    expect(text('ask.certainOn', { node: 'worker-2' })).toBe('to be certain, on worker-2:');
  });

  it('chooses the plural form by count', () => {
    expect(text('summary.causes', { count: 1 })).toBe('1 cause');
    expect(text('summary.causes', { count: 0 })).toBe('0 causes');
    expect(text('effect.node-not-ready', { count: 2 })).toBe('2 nodes are not ready');
  });

  it('writes numbers as the language does, and leaves words alone', () => {
    expect(text('summary.lines', { count: 48_211 })).toBe('48,211 lines');
    expect(text('place.node', { name: '48211' })).toBe('node 48211');
  });

  it('puts slots in once: a value with braces is not filled again', () => {
    expect(text('chain.link', { title: '{confidence}', confidence: 'certain' })).toBe('{confidence} (certain)');
  });

  it('refuses unknown keys and wrong or missing slots while compiling', () => {
    // @ts-expect-error no such key
    expect(() => text('no.such.key')).toThrow();
    // @ts-expect-error the slot is called node
    text('ask.certainOn', { nodes: 'x' });
    // @ts-expect-error a slot is missing
    text('ask.certainOn');
    // @ts-expect-error a plural text needs its count
    text('summary.causes', {});
    // @ts-expect-error no slots here
    text('head.fix', { node: 'x' });
  });
});

describe('another language', () => {
  it('takes its own plural rules and numbers', () => {
    const polish = textIn('pl', {
      ...en,
      'summary.pods': { one: '{count} pod', few: '{count} pody', many: '{count} podów', other: '{count} poda' },
    });
    expect(polish('summary.pods', { count: 1 })).toBe('1 pod');
    expect(polish('summary.pods', { count: 3 })).toBe('3 pody');
    expect(polish('summary.pods', { count: 5 })).toBe('5 podów');
  });

  it('is checked against the English slots while compiling', () => {
    expect(translation(en)['head.fix']).toBe('fix');
    // @ts-expect-error an unknown slot
    translation({ ...en, 'place.node': 'Knoten {nome}' } as const);
    // @ts-expect-error a plural where English has none
    translation({ ...en, 'place.node': { other: 'Knoten {name}' } } as const);
    const { 'head.fix': _, ...partial } = en;
    // @ts-expect-error a key is missing
    translation(partial);
  });
});

describe('the English catalogue', () => {
  const messages = Object.entries(en as Catalogue) as [MessageKey, string | Plural][];

  it('uses the same slots in every form of a text', () => {
    for (const [key, message] of messages) {
      if (typeof message === 'string') continue;
      const slots = Object.entries(message).map(([, form]) =>
        (form.match(/\{\w+\}/g) ?? [])
          .filter((slot) => slot !== '{count}')
          .sort()
          .join(),
      );
      expect(new Set(slots).size, key).toBe(1);
    }
  });

  it('has no empty text and none with spaces at its ends', () => {
    for (const [key, message] of messages) {
      for (const form of typeof message === 'string' ? [message] : Object.values(message)) expect(form, key).toMatch(/^\S(?:.*\S)?$/);
    }
  });
});
