import type { Fix } from './cause.ts';

/**
 * A cause may have several faces, each with a fix of its own. Fixes for the face that was seen come first, then those for every face;
 * fixes for other faces are left out, or stand last where no face was seen. Looking comes before them all,
 * and what may lose data after them all, so that nobody meets it by being quick.
 */
export function fixesFor(fixes: readonly Fix[], seen: ReadonlySet<string>): readonly Fix[] {
  const isMeant = (fix: Fix) => fix.for?.some((clue) => seen.has(clue)) === true;
  const isKnown = fixes.some(isMeant);
  const rank = (fix: Fix, index: number) => {
    if (fix.risk === 'may-lose-data') return 4;
    if (index === 0 && fix.risk === 'reads-only') return 0;
    if (fix.for === undefined) return 2;
    return isMeant(fix) ? 1 : 3;
  };
  return fixes
    .map((fix, index) => ({ fix, rank: rank(fix, index) }))
    .filter(({ fix }) => !isKnown || fix.for === undefined || isMeant(fix))
    .sort((one, other) => one.rank - other.rank)
    .map(({ fix }) => fix);
}
