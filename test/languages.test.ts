import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../src/causes/catalogue.ts';
import { phraseTexts, textsOf } from '../src/reason/texts.ts';
import type { LanguageFile } from '../src/text/language.ts';
import { en } from '../src/text/locales/en.ts';

const folder = new URL('../languages/', import.meta.url);
const languages = readdirSync(folder).filter((name) => name.endsWith('.json'));
const wanted = new Set([...phraseTexts(), ...catalogue.flatMap(textsOf)]);

const slotsOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '').sort();
const forms = (message: unknown): string[] => (typeof message === 'string' ? [message] : Object.values(message as Record<string, string>));

describe.each(languages)('%s', (name) => {
  const { language, frames, texts, slots, plans } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as LanguageFile;

  it('names its language', () => {
    expect(new Intl.Locale(language).language).toBe(name.replace('.json', ''));
  });

  it('has every frame, plural where English is plural, and no slot that English does not fill', () => {
    expect(Object.keys(en).filter((key) => !(key in frames))).toEqual([]);
    expect(Object.keys(frames).filter((key) => !(key in en))).toEqual([]);
    for (const [key, message] of Object.entries(en)) {
      const own = frames[key];
      expect(typeof own, key).toBe(typeof message);
      const filled = new Set(['count', ...forms(message).flatMap(slotsOf)]);
      for (const text of forms(own))
        expect(
          slotsOf(text).filter((slot) => !filled.has(slot)),
          key,
        ).toEqual([]);
    }
  });

  it('has every text of the causes and the reasoning, with the same slots', () => {
    expect([...wanted].filter((text) => !(text in texts))).toEqual([]);
    expect(Object.keys(texts).filter((text) => !wanted.has(text))).toEqual([]);
    const differing = Object.entries(texts).filter(([english, own]) => {
      const [here, there] = [new Set(slotsOf(english)), new Set(slotsOf(own))];
      return own.trim() === '' || here.size !== there.size || [...here].some((slot) => !there.has(slot));
    });
    expect(differing).toEqual([]);
  });

  it('keeps the values in the words of slots', () => {
    const words = [...Object.entries(slots), ...Object.entries(plans)];
    expect(words.filter(([english, own]) => own.trim() === '' || slotsOf(english).join() !== slotsOf(own).join())).toEqual([]);
  });
});
