export interface Outcome {
  readonly scenario: string;
  readonly expected: string;
  readonly said: string;
  readonly seconds: number;
  readonly problems: readonly string[];
}

const HEAD = ['', 'scenario', 'expected', 'said', 'seconds'];

/** Aligned columns; a miss is marked and its problems follow below the table. */
export function table(outcomes: readonly Outcome[]): string {
  const rows = [HEAD, ...outcomes.map(rowOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const misses = outcomes.filter(({ problems }) => problems.length > 0);
  const details = misses.flatMap(({ scenario, problems }) => problems.map((problem) => `${scenario}: ${problem}`));
  const sum = misses.length === 0 ? `all ${outcomes.length} as expected` : `${misses.length} of ${outcomes.length} missed`;
  return [...lines, '', ...details, sum].join('\n');
}

function rowOf(outcome: Outcome): readonly string[] {
  const mark = outcome.problems.length === 0 ? 'ok' : 'MISS';
  const said = outcome.said === outcome.expected ? 'the same' : outcome.said;
  return [mark, outcome.scenario, outcome.expected, said, String(Math.round(outcome.seconds))];
}
