import { NAMELESS } from './phrases.ts';

const SAFE_WORD = /^[\w.:/@%+=,-]+$/;

/** A value from the evidence as one harmless shell word; what is not known becomes a placeholder in capitals. */
export function shellWord(value: string | number): string {
  const text = String(value);
  const nameless = Object.values(NAMELESS).find((name) => name === text);
  if (nameless) return (nameless.split(' ')[1] ?? 'NAME').toUpperCase();
  // No object may be called so, and quoting would not keep a command from taking it for an option (`delete pod --all`).
  if (typeof value === 'string' && text.startsWith('-')) return 'NAME';
  return SAFE_WORD.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
