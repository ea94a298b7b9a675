import type { SlotValue } from '../model/cause.ts';
import { shellWord } from './names.ts';

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
