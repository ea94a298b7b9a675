import type { SlotValue } from '../model/cause.ts';
import type { Translate } from '../model/wording.ts';
import { fill } from './fill.ts';

/** Says one of our texts in the reader's language, its slots filled. */
export type Say = (english: string, slots?: Readonly<Record<string, SlotValue>>) => string;

export const inEnglish: Say = (english, slots = {}) => fill(english, slots);

/** Words that causes put into their slots are ours as well, and are translated where the language knows them. */
export function sayIn(translate: Translate): Say {
  return (english, slots = {}) => {
    const spoken: Record<string, SlotValue> = {};
    for (const [name, value] of Object.entries(slots)) spoken[name] = typeof value === 'string' ? translate(value) : value;
    return fill(translate(english), spoken);
  };
}
