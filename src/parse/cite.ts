import type { Citation } from '../model/citation.ts';

export const QUOTE_LIMIT = 400;

export function clip(text: string, limit = QUOTE_LIMIT): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}

/** Cites lines by index (from 0, last included); the quote is the first of them unless given. */
export function citeLines(doc: string, lines: readonly string[], first: number, last = first, quote?: string): Citation {
  return { doc, at: { lines: [first + 1, last + 1] }, quote: clip((quote ?? lines[first] ?? '').trim()) };
}

export function citePointer(doc: string, pointer: string, quote: string, lines?: readonly [number, number]): Citation {
  return { doc, at: lines ? { pointer, lines } : { pointer }, quote: clip(quote.trim()) };
}
