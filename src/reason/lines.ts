import type { Catalogue, Cause, LineHead } from '../model/cause.ts';
import type { LineList, LineSpec } from '../model/evidence.ts';

export function lineIdOf(cause: Cause, clue: string): string {
  return `${cause.id}/${clue}`;
}

/** The lines of a cause, without loading what is not there yet. */
export function lineHeads(cause: Cause): readonly LineHead[] {
  if (cause.lines) return cause.lines;
  return Object.entries(cause.clues).flatMap(([clue, { line, role }]) =>
    line ? [{ clue, role, literals: line.literals, channels: line.channels }] : [],
  );
}

const known = new WeakMap<Catalogue, LineList>();

/** The known lines of a catalogue, for the scanner, made once; a pattern is fetched when its literal was met. */
export function linesOf(causes: Catalogue): LineList {
  const before = known.get(causes);
  if (before) return before;
  const { packedLines } = causes;
  const lines: LineList = packedLines ? Object.assign(specsOf(causes), { packedIndex: packedLines }) : specsOf(causes);
  known.set(causes, lines);
  return lines;
}

function specsOf(causes: readonly Cause[]): LineSpec[] {
  return causes.flatMap((cause) =>
    lineHeads(cause).map(({ clue, literals, channels }) => ({
      id: lineIdOf(cause, clue),
      literals,
      channels,
      get pattern(): RegExp | undefined {
        return cause.clues[clue]?.line?.pattern;
      },
    })),
  );
}
