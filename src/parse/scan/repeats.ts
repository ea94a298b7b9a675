import { mixNumber, mixText, type Shape } from './line-shape.ts';
import type { LineHit } from './scanner.ts';

const SLOTS = 1 << 14;
/** After this many reports of the same line only the fact that it came again is told. */
export const FULL_REPORTS = 64;

export interface KnownLine<Kept> {
  readonly tag: number;
  reports: number;
  specs: readonly number[];
  kept: Kept;
  /** Its fields hold digits that the shape leaves out: the pattern must be run to know which line it is. */
  readonly volatile: boolean;
}

/**
 * Lines by shape, in a table of fixed size where a new line takes the place of an old one. Forgetting a line costs some more full
 * reports, never a lost one.
 */
export interface Repeats<Kept> {
  find(shape: Shape): KnownLine<Kept> | undefined;
  count(shape: Shape, hits: readonly LineHit[], kept: Kept, volatile: boolean): void;
}

export function createRepeats<Kept>(): Repeats<Kept> {
  const slots: (KnownLine<Kept> | undefined)[] = new Array(SLOTS).fill(undefined);

  function find(shape: Shape): KnownLine<Kept> | undefined {
    const known = slots[slotOf(shape)];
    return known?.tag === shape.high ? known : undefined;
  }

  function count(shape: Shape, hits: readonly LineHit[], kept: Kept, volatile: boolean): void {
    const known = find(shape);
    if (!known || known.volatile !== volatile) {
      slots[slotOf(shape)] = { tag: shape.high, reports: 1, specs: hits.map((hit) => hit.index), kept, volatile };
      return;
    }
    known.reports++;
    known.specs = hits.map((hit) => hit.index);
    known.kept = kept;
  }

  return { find, count };
}

function slotOf(shape: Shape): number {
  return (shape.low ^ (shape.low >>> 15)) & (SLOTS - 1);
}

/** True when a field holds digits that the shape may leave out. */
export function hasPassingDigits(hits: readonly LineHit[]): boolean {
  return hits.some((hit) => Object.values(hit.fields).some((value) => /\d{4}|\d[.:]\d/.test(value)));
}

export function mixFields(shape: Shape, hits: readonly LineHit[]): void {
  for (const hit of hits) {
    mixNumber(shape, hit.index);
    for (const name in hit.fields) mixText(shape, hit.fields[name] as string);
  }
}
