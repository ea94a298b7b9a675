import type { Fix } from '../model/cause.ts';

/**
 * The fixes of a cause, those first that are for what was seen. Looking comes before them all, and what may lose data after them all,
 * so that nobody meets it by being quick.
 */
export function orderFixes(fixes: readonly Fix[], seen: ReadonlySet<string>): readonly Fix[] {
  const rank = (fix: Fix, index: number) => {
    if (fix.risk === 'may-lose-data') return 4;
    if (index === 0 && fix.risk === 'reads-only') return 0;
    if (fix.for === undefined) return 2;
    return fix.for.some((clue) => seen.has(clue)) ? 1 : 3;
  };
  return fixes
    .map((fix, index) => ({ fix, rank: rank(fix, index) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ fix }) => fix);
}
