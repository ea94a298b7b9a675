import type { SlotValue } from '../model/cause.ts';
import type { Change } from '../model/change.ts';
import { shellWord } from './shell-word.ts';

/** Puts slot values into `{name}` of a text; an unknown slot stays visible rather than vanish. */
export function fill(template: string, slots: Readonly<Record<string, SlotValue>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => (slots[name] === undefined ? whole : String(slots[name])));
}

/**
 * Commands mark slots as `{{name}}`, since shells use single braces themselves. Values come from evidence and are
 * quoted: a pod called `x;reboot` must not become a second command on somebody's terminal.
 */
export function fillCommand(template: string, slots: Readonly<Record<string, SlotValue>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = slots[name];
    return value === undefined ? whole : shellWord(value);
  });
}

/** Changes with their slots filled; none at all where one is not known, since half a fix is none. */
export function fillChanges(
  changes: readonly Change[] | undefined,
  slots: Readonly<Record<string, SlotValue>>,
  translate: (english: string) => string = (english) => english,
): readonly Change[] | undefined {
  if (changes === undefined) return undefined;
  let unknown = false;
  const text = JSON.stringify(changes, (key, value: unknown) => {
    if (typeof value !== 'string') return value;
    // Only what is asked of people is words; everything else is for machines.
    return (key === 'says' ? translate(value) : value).replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => {
      if (slots[name] === undefined || slots[name] === '') unknown = true;
      return String(slots[name]);
    });
  });
  return unknown ? undefined : (JSON.parse(text) as readonly Change[]);
}
