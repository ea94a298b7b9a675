import type { SlotValue } from '../../model/cause.ts';
import { type MessageKey, type MessageSlots, type Text, text } from '../../text/messages.ts';
import type { Child } from './escape.ts';

type AnyText = (key: MessageKey, slots?: Readonly<Record<string, SlotValue>>) => string;

/** Keeps the places of slots in a text; no text of a catalogue holds it. */
const SLOT_MARK = '\u0000';

let spoken: Text = text;

function speak(key: MessageKey, slots?: Readonly<Record<string, SlotValue>>): string {
  return (spoken as AnyText)(key, slots);
}

/** Says a text in the language of the page that is being drawn. */
export const say: Text = Object.defineProperty(speak, 'language', { get: () => spoken.language }) as unknown as Text;

/** Drawing a page is synchronous, so there is only ever one language at a time. */
export function spokenIn<T>(language: Text, draw: () => T): T {
  const before = spoken;
  spoken = language;
  try {
    return draw();
  } finally {
    spoken = before;
  }
}

/** A text with markup in its slots, wherever its language puts them. Numbers are written as the language does. */
export function phrase<K extends MessageKey>(
  key: K,
  slots: { readonly [S in MessageSlots<K>]: S extends 'count' ? number : Child },
): readonly Child[] {
  const children = slots as Readonly<Record<string, Child>>;
  const given = Object.entries(children).map(([name, child]) => [name, typeof child === 'number' ? child : SLOT_MARK + name + SLOT_MARK]);
  const parts = speak(key, Object.fromEntries(given)).split(SLOT_MARK);
  return parts.map((part, index) => (index % 2 === 1 ? children[part] : part));
}

/** `a, b, c` as the language sets names apart. */
export function listed(items: readonly string[]): string {
  return items.join(say('html.list', { first: '', next: '' }));
}
