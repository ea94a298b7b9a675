import { expect } from 'vitest';
import type { Edited, Splice } from './edit.ts';
import { applySplices } from './splices.ts';

interface Sound {
  readonly after: string;
  /** What stood where something else stands now; nothing of what was only added. */
  readonly removed: readonly string[];
}

/** What gives the old bytes back. */
export function inverse(before: string, splices: readonly Splice[]): readonly Splice[] {
  const bytes = Buffer.from(before, 'utf8');
  let shift = 0;
  return splices.map(({ from, to, text }) => {
    const size = Buffer.byteLength(text, 'utf8');
    const back = { from: from + shift, to: from + shift + size, text: bytes.subarray(from, to).toString('utf8') };
    shift += size - (to - from);
    return back;
  });
}

/** Holds for every edit whatever it is of. The label says in a failure which one it was. */
export function expectSound(before: string, edit: (text: string) => Edited, label: string): Sound {
  const edited = edit(before);
  if (!edited.ok) throw new Error(`refused: ${edited.why}\n${label}`);
  const { after, splices } = edited;
  const back = inverse(before, splices);
  expect(applySplices(before, splices), label).toBe(after);
  expect(applySplices(after, back), label).toBe(before);
  expect(outside(before, splices), label).toBe(outside(after, back));
  if (before.includes('\n') && endingsOf(before).size === 1) expect(endingsOf(after), label).toEqual(endingsOf(before));
  expect(edit(after), label).toMatchObject({ ok: true, after, splices: [] });
  return { after, removed: back.map((splice) => splice.text).filter((text) => text !== '') };
}

function endingsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/\r?\n/g));
}

function outside(text: string, splices: readonly Splice[]): string {
  return applySplices(
    text,
    splices.map((splice) => ({ ...splice, text: '' })),
  );
}

/** How many lines of one text the other has no longer, however often they stand there. */
export function linesGone(before: string, after: string): number {
  const counts = new Map<string, number>();
  for (const line of after.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  let gone = 0;
  for (const line of before.split('\n')) {
    const left = counts.get(line) ?? 0;
    if (left === 0) gone++;
    else counts.set(line, left - 1);
  }
  return gone;
}
