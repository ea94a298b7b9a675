import type { Translate } from '../model/wording.ts';
import type { Plural } from './catalogue.ts';
import { en } from './locales/en.ts';
import { type Catalogue, type Text, text, textIn } from './messages.ts';

/** A language as it stands in its one file: frame texts by key, every other text by its English. */
export interface LanguageFile {
  /** BCP 47, e.g. `zh-CN`. */
  readonly language: string;
  /** In the language itself. */
  readonly name: string;
  readonly frames: Readonly<Record<string, string | Plural>>;
  readonly texts: Readonly<Record<string, string>>;
  /** Words that causes put into their slots; `{1}`, `{2}` stand where a value was put in. */
  readonly slots: Readonly<Record<string, string>>;
  /** What plans and outcomes of fixes say, in the same form. */
  readonly plans: Readonly<Record<string, string>>;
}

export interface Language {
  readonly say: Text;
  readonly translate: Translate;
}

export const ENGLISH: Language = { say: text, translate: (english) => english };

/** What the file lacks is said in English: half a sentence would be worse. */
export function languageOf({ language, frames, texts, slots, plans }: LanguageFile): Language {
  const words = { ...plans, ...slots };
  const known = new Map([...Object.entries(words), ...Object.entries(texts)]);
  const bySlots = slotReader(words);
  const translate: Translate = (english) => known.get(english) ?? bySlots(english, translate) ?? english;
  return { say: textIn(language, { ...en, ...frames } as Catalogue), translate };
}

interface Form {
  readonly pattern: RegExp;
  readonly order: readonly number[];
  readonly text: string;
}

const HOLE = /\{(\d)\}/g;
const LONGEST = 2000;
const FEW_LETTERS = 12;

/** Recognises a finished phrase by the words around its values, the longest words first; values are translated in turn. */
function slotReader(slots: LanguageFile['slots']): (english: string, translate: Translate) => string | undefined {
  let forms: readonly Form[] | undefined;
  return (english, translate) => {
    if (english.length > LONGEST || !/[a-z] |[ (,][a-z]/i.test(english)) return undefined;
    forms ??= Object.entries(slots)
      .filter(([key]) => key.includes('{1}'))
      .sort(([a], [b]) => b.replaceAll(HOLE, '').length - a.replaceAll(HOLE, '').length)
      .map(([key, words]) => formOf(key, words));
    for (const { pattern, order, text: words } of forms) {
      const match = pattern.exec(english);
      if (!match) continue;
      return words.replaceAll(HOLE, (_, hole: string) => translate(match[order.indexOf(Number(hole)) + 1] ?? ''));
    }
    return undefined;
  };
}

function formOf(key: string, words: string): Form {
  const order = [...key.matchAll(HOLE)].map(([, hole]) => Number(hole));
  // Few words around a value could stand in any evidence: then the value is one word only.
  const around = key.replaceAll(HOLE, '');
  const loose = around.replaceAll(/\W/g, '').length < FEW_LETTERS && !/[:,"(]|^ /.test(around);
  const hole = loose ? '(\\S{0,200})' : '(.{0,300}?)';
  const source = key
    .split(HOLE)
    .filter((_, index) => index % 2 === 0)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join(hole);
  return { pattern: new RegExp(`^${source}$`, 's'), order, text: words };
}
