import type { Fix } from './cause.ts';

/**
 * A cause may have several faces, each with a fix of its own. First come the fixes for what was seen, then those for every face;
 * a fix for what was not seen is left out, unless nothing else remains. One that may lose data stays behind all others.
 */
export function fixesFor(fixes: readonly Fix[], seen: ReadonlySet<string>): readonly Fix[] {
  const meant = fixes.filter(({ when }) => when?.some((clue) => seen.has(clue)));
  const general = fixes.filter(({ when }) => when === undefined);
  const chosen = [...meant, ...general];
  if (chosen.length === 0) return fixes;
  return [...chosen.filter(({ risk }) => risk !== 'may-lose-data'), ...chosen.filter(({ risk }) => risk === 'may-lose-data')];
}
