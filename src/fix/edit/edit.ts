import { inertWords } from './inert.ts';

/** A change of some bytes of a text, everything else left as it is: offsets are of UTF-8 bytes. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Without splices it says so already. `notes` are what a reader of the plan must know besides. */
export type Edited =
  | { readonly ok: true; readonly after: string; readonly splices: readonly Splice[]; readonly notes?: readonly string[] }
  | { readonly ok: false; readonly why: string };

/** A replacement counted in characters of the text, as parsers give their ranges. */
export interface Cut {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export function refuse(why: string): Edited {
  return { ok: false, why: inertWords(why) };
}

export function unchanged(text: string): Edited {
  return { ok: true, after: text, splices: [] };
}

/** Its own notes come after these. */
export function withNotes(edited: Extract<Edited, { ok: true }>, more: readonly string[]): Edited {
  const notes = [...more.map(inertWords), ...(edited.notes ?? [])];
  return { ok: true, after: edited.after, splices: edited.splices, ...(notes.length > 0 ? { notes } : {}) };
}
