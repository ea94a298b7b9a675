export interface Outcome {
  readonly scenario: string;
  readonly expected: string;
  readonly said: string;
  readonly seconds: number;
  readonly problems: readonly string[];
  /** The fault was made once more. */
  readonly triedAgain?: true;
  /** No time was left for it. */
  readonly skipped?: true;
}

export function skipped(scenario: string): Outcome {
  return { scenario, expected: '', said: 'left out for time', seconds: 0, problems: [], skipped: true };
}

function isMiss({ problems }: Outcome): boolean {
  return problems.length > 0;
}

/** Every answer is right. What a slow machine had no time for is no wrong answer; a run that ran nothing proves nothing. */
export function isGood(outcomes: readonly Outcome[]): boolean {
  return !outcomes.some(isMiss) && outcomes.some((one) => one.skipped === undefined);
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
  return [...lines, '', ...belowTable(outcomes)].join('\n');
}

function belowTable(outcomes: readonly Outcome[]): readonly string[] {
  const misses = outcomes.filter(isMiss);
  const details = misses.flatMap(({ scenario, problems }) => problems.map((problem) => `${scenario}: ${problem}`));
  const again = outcomes.filter((one) => one.triedAgain).map(({ scenario }) => scenario);
  const left = outcomes.filter((one) => one.skipped).map(({ scenario }) => scenario);
  const ran = outcomes.length - left.length;
  return [
    ...details,
    ...(again.length > 0 ? [`tried twice: ${again.join(', ')}`] : []),
    ...(left.length > 0 ? [`this machine is too slow for all of them; left out for time: ${left.join(', ')}`] : []),
    misses.length === 0 ? `all ${ran} as expected` : `${misses.length} of ${ran} missed`,
  ];
}

function rowOf(outcome: Outcome): readonly string[] {
  const mark = outcome.skipped ? '-' : isMiss(outcome) ? 'MISS' : outcome.triedAgain ? 'ok, 2nd' : 'ok';
  const said = outcome.said === outcome.expected ? 'the same' : outcome.said;
  return [mark, outcome.scenario, outcome.expected, said, String(Math.round(outcome.seconds))];
}
