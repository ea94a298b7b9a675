import type { Citation } from '../../model/citation.ts';
import type { Fact } from '../../model/facts.ts';

export function citedOf(facts: readonly Fact[], limit = 4): Citation[] {
  return facts.flatMap(({ cited }) => cited).slice(0, limit);
}
