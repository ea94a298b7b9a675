import type { Reading, Verdict } from '../model/finding.ts';

/** The verdict table, and nothing else: the first row that applies. */
export function weigh(readings: readonly Reading[]): Verdict {
  const of = (role: string) => readings.filter(({ clue }) => clue.role === role);
  const seen = (role: string) => of(role).filter(({ state }) => state === 'seen');
  const excluding = seen('excludes')[0];
  if (excluding) return { kind: 'ruled-out', readings, by: excluding };
  const missing = of('needs').find(({ state }) => state === 'absent');
  if (missing) return { kind: 'ruled-out', readings, by: missing };

  const open = readings.some(({ clue, state }) => state === 'unseen' && (clue.role === 'needs' || clue.role === 'excludes'));
  const proofs = seen('proves').filter(isFirstHand);
  const hearsayNeeds = seen('needs').some((reading) => !isFirstHand(reading));
  if (proofs.length > 0) return found(open || hearsayNeeds ? 'probable' : 'certain', readings);

  // A proof by hearsay counts as support, and hearsay alone never makes more than a possibility.
  const support = [...seen('supports'), ...seen('proves')];
  if (support.length > 0) {
    const independent = new Set(support.flatMap(sourcesOf)).size >= 2 && support.length >= 2;
    return found(independent && !open && support.some(isFirstHand) ? 'probable' : 'possible', readings);
  }
  const unseen = readings.some(({ state }) => state === 'unseen');
  return unseen ? { kind: 'undecided', readings } : { kind: 'ruled-out', readings, by: undefined };
}

function found(confidence: 'certain' | 'probable' | 'possible', readings: readonly Reading[]): Verdict {
  return { kind: 'found', confidence, readings };
}

function isFirstHand({ facts }: Reading): boolean {
  return facts.some(({ hearsay }) => !hearsay);
}

/** Two statements count as independent when they stand in different documents or are of different kinds. */
function sourcesOf({ facts }: Reading): string[] {
  return facts.flatMap(({ kind, cited }) => cited.map(({ doc }) => `${doc}|${kind}`));
}
