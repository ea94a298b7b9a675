const LONGEST = 80;

/** The words a mistyped one was probably meant to be, best first. */
export function nearest(typed: string, words: readonly string[]): string[] {
  if (typed.length > LONGEST) return [];
  return words
    .map((word) => ({ word, edits: editsBetween(typed.toLowerCase(), word.slice(0, LONGEST).toLowerCase()) }))
    .filter(({ word, edits }) => edits <= Math.max(1, Math.floor(Math.min(typed.length, word.length) / 3)))
    .sort((a, b) => a.edits - b.edits)
    .map(({ word }) => word);
}

/** Letters to add, drop, change or swap with their neighbour. */
function editsBetween(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let at = 1; at <= from.length; at++) {
    const next = [at];
    for (let other = 1; other <= to.length; other++) {
      const changed = (row[other - 1] ?? 0) + (from[at - 1] === to[other - 1] ? 0 : 1);
      const swaps = at > 1 && other > 1 && from[at - 1] === to[other - 2] && from[at - 2] === to[other - 1];
      const swapped = swaps ? (before[other - 2] ?? 0) + 1 : changed;
      next.push(Math.min(changed, swapped, (row[other] ?? 0) + 1, (next[other - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[to.length] ?? 0;
}
