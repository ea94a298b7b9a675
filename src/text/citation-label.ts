import type { At, Citation } from '../model/citation.ts';

const POINTER_LIMIT = 28;
const RANGES_SHOWN = 3;

/** Where a citation stands: `config.toml:12`, `describe.txt:9-11`, `pods.json#web-0`, `pod.json#/status/…/lastState`. */
export function citationLabel(citation: Citation): string {
  return `${citation.doc}${position(citation.at)}`;
}

/** The same with nothing left out. */
export function wholeLabel(citation: Citation): string {
  return 'pointer' in citation.at ? `${citation.doc}#${citation.at.pointer}` : citationLabel(citation);
}

function position(at: At): string {
  if ('pointer' in at) return `#${at.object ?? shortPointer(at.pointer)}`;
  return `:${lineRange(at.lines)}`;
}

export function lineRange([first, last]: readonly [number, number]): string {
  return first === last ? `${first}` : `${first}-${last}`;
}

export function placeLabel(doc: string, lines: readonly [number, number]): string {
  return `${doc}:${lineRange(lines)}`;
}

/** Keeps the head that finds the item and the tail that names the field. */
export function shortPointer(pointer: string): string {
  if (pointer.length <= POINTER_LIMIT) return pointer;
  const parts = pointer.split('/').slice(1);
  const head = `/${parts.slice(0, 2).join('/')}`;
  const tail = parts.at(-1) ?? '';
  if (parts.length < 4) return pointer;
  return `${head}/…/${tail}`;
}

interface LabelGroup {
  readonly label: string;
  /** How many of the citations the label names. */
  readonly named: number;
}

/** Citations put together by document: `kubelet.log:2,4,6`. Of objects one place is named, since pointers are long. */
export function labelGroups(citations: readonly Citation[]): LabelGroup[] {
  const byDocument = new Map<string, string[]>();
  for (const citation of citations) {
    const where = position(citation.at);
    const key = `${citation.doc}${where[0]}`;
    const known = byDocument.get(key) ?? [];
    const rest = where.slice(1);
    if (!known.includes(rest)) known.push(rest);
    byDocument.set(key, known);
  }
  return [...byDocument].map(([key, places]) => {
    const named = key.endsWith('#') ? places.slice(0, 1) : places.slice(0, RANGES_SHOWN);
    return { label: `${key}${named.join(',')}`, named: named.length };
  });
}
