import type { Lab, Ran } from '../lab.ts';
import type { Scenario } from '../scenario.ts';

export const COLUMNS = ['plan', 'applied', 'verified', 'undone'] as const;
export type Column = (typeof COLUMNS)[number];

/** What a trial works with: the lab with the fault made in it. */
export interface Bench {
  readonly lab: Lab;
  readonly namespace: string;
  /** File with what podcause said of the fault, as `-o json` writes it. */
  readonly report: string;
  /** The command that leads to a root shell of these nodes, as `--via` takes it. */
  via(...nodes: readonly string[]): string;
  /** The command line at a terminal, with these lines typed at it. */
  atTerminal(args: readonly string[], typed: string): Promise<Ran>;
  /** What the table shows. */
  note(column: Column, says: string): void;
}

/** Something tried while the fault of a scenario is there; what does not hold is thrown. */
export interface Trial {
  readonly scenario: Scenario;
  /** The scenario's manifest, changed to a fault that the fix really ends. */
  readonly manifest?: (text: string) => string;
  act(bench: Bench): Promise<void>;
}
