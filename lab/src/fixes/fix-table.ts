import type { Outcome } from '../runner/table.ts';
import { COLUMNS, type Column } from './trial.ts';

export interface FixRow {
  readonly cause: string;
  readonly scenario: string;
  readonly notes: ReadonlyMap<Column, string>;
  readonly seconds: number;
  readonly problems: readonly string[];
  /** No time was left for it. */
  readonly skipped: boolean;
}

export function rowOf(outcome: Outcome, cause: string, notes: ReadonlyMap<Column, string>): FixRow {
  const { scenario, seconds, problems } = outcome;
  return { cause, scenario, notes, seconds, problems, skipped: outcome.skipped === true };
}

const HEAD: readonly string[] = ['', 'cause', ...COLUMNS, 'seconds'];

/** Aligned columns; what did not hold follows below. */
export function fixTable(rows: readonly FixRow[]): string {
  const cells = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(' | ')
      .trimEnd(),
  );
  const misses = rows.filter(({ problems }) => problems.length > 0);
  const details = misses.flatMap(({ scenario, problems }) => problems.map((problem) => `${scenario}: ${problem}`));
  const left = rows.filter(({ skipped }) => skipped);
  const ran = rows.length - left.length;
  const sum = misses.length === 0 ? `all ${ran} as expected` : `${misses.length} of ${ran} missed`;
  const notRun = left.length === 0 ? '' : `, not run for lack of time: ${left.map(({ scenario }) => scenario).join(', ')}`;
  return [...lines, '', ...details, `${sum}${notRun}`].join('\n');
}

function cellsOf({ cause, notes, seconds, problems, skipped }: FixRow): readonly string[] {
  const mark = skipped ? '-' : problems.length === 0 ? 'ok' : 'MISS';
  return [mark, cause, ...COLUMNS.map((column) => notes.get(column) ?? '-'), String(Math.round(seconds))];
}
