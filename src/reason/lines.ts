import type { Cause } from '../model/cause.ts';
import type { LineSpec } from '../model/evidence.ts';

export function lineIdOf(cause: Cause, clue: string): string {
  return `${cause.id}/${clue}`;
}

/** The known lines of a catalogue, for the scanner. */
export function linesOf(causes: readonly Cause[]): LineSpec[] {
  return causes.flatMap((cause) =>
    Object.entries(cause.clues).flatMap(([name, clue]) => (clue.line ? [{ id: lineIdOf(cause, name), ...clue.line }] : [])),
  );
}
