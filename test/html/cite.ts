import type { Citation } from '../../src/model/citation.ts';
import type { Reason } from '../../src/model/report.ts';

export function cite(doc: string, first: number, quote: string, last = first): Citation {
  return { doc, at: { lines: [first, last] }, quote };
}

export function pointer(doc: string, path: string, quote: string): Citation {
  return { doc, at: { pointer: path }, quote };
}

export function reason(clue: string, role: Reason['role'], says: string, ...cited: Citation[]): Reason {
  return { clue, role, says, cited, count: cited.length };
}
