import type { Slots, SlotValue } from '../model/cause.ts';
import type { Plural } from './catalogue.ts';
import { en } from './locales/en.ts';

export type MessageKey = keyof typeof en;

type Forms<M> = M extends string ? M : M extends Plural ? M[keyof M] & string : never;

/** The slots a text takes; a plural text always takes `count`. */
export type MessageSlots<K extends MessageKey> = Slots<Forms<(typeof en)[K]>> | ((typeof en)[K] extends string ? never : 'count');

type Given<K extends MessageKey> = [MessageSlots<K>] extends [never]
  ? []
  : [slots: { readonly [S in MessageSlots<K>]: S extends 'count' ? number | string : SlotValue }];

export interface Text {
  <K extends MessageKey>(key: K, ...slots: Given<K>): string;
  /** BCP 47, for numbers, lists and plural forms. */
  readonly language: string;
}

/** What another language has to bring: every key, plural where English is plural, and no slot English does not fill. */
export type Translation<T> = {
  readonly [K in MessageKey]: K extends keyof T
    ? (typeof en)[K] extends string
      ? T[K] extends string
        ? Slots<T[K]> extends MessageSlots<K>
          ? T[K]
          : never
        : never
      : T[K] extends Plural
        ? Slots<Forms<T[K]>> extends MessageSlots<K>
          ? T[K]
          : never
        : never
    : never;
};

export type Catalogue = { readonly [K in MessageKey]: (typeof en)[K] extends string ? string : Plural };

/** Compile-checks a catalogue of another language against the English one. */
export function translation<const T>(catalogue: T & Translation<T>): Catalogue {
  return catalogue as unknown as Catalogue;
}

const SLOT = /\{([A-Za-z]+)\}/g;

export function textIn(language: string, catalogue: Catalogue): Text {
  // Each costs milliseconds to make, so only when a text needs it.
  let rules: Intl.PluralRules | undefined;
  let numbers: Intl.NumberFormat | undefined;
  const isEnglish = language === 'en';
  function formFor(count: number): Intl.LDMLPluralRule {
    if (isEnglish) return count === 1 ? 'one' : 'other';
    rules ??= new Intl.PluralRules(language);
    return rules.select(count);
  }
  function written(value: number): string {
    if (Number.isInteger(value) && Math.abs(value) < 1000) return String(value);
    numbers ??= new Intl.NumberFormat(language);
    return numbers.format(value);
  }
  function say(key: MessageKey, slots: Readonly<Record<string, SlotValue>> = {}): string {
    const message = catalogue[key];
    const template = typeof message === 'string' ? message : pluralForm(message, slots['count'], formFor);
    return template.replace(SLOT, (whole, name: string) => {
      const value = slots[name];
      if (value === undefined) return whole;
      return typeof value === 'number' ? written(value) : value;
    });
  }
  return Object.assign(say, { language }) as Text;
}

function pluralForm(message: Plural, count: SlotValue | undefined, formFor: (count: number) => Intl.LDMLPluralRule): string {
  return message[formFor(Number(count ?? 0))] ?? message.other;
}

export const text: Text = textIn('en', en);
