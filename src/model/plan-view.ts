import type { Risk } from './cause.ts';

/** What a fix would do, for readers: the same data for the terminal and for JSON. */
export interface PlanView {
  readonly version: 1;
  readonly id: string;
  readonly title: string;
  readonly cause: string;
  readonly place: string;
  readonly risk: Risk;
  readonly steps: readonly PlannedStep[];
  /** Steps of people, where podcause cannot do it by itself. */
  readonly byHand: readonly { readonly say: string; readonly command?: string }[];
  readonly affected: readonly string[];
  /** Where a change really belongs, and why a direct one would not last. */
  readonly belongs: readonly string[];
  readonly warnings: readonly string[];
  /** What stands in the way. */
  readonly refused: readonly string[];
  readonly verified: string;
  /** The command that reads what the plan lacks. */
  readonly exact?: string;
  /** The command that does it. */
  readonly next?: string;
}

export interface PlannedStep {
  /** A node's name, or the object. */
  readonly where: string;
  readonly on: 'host' | 'cluster';
  readonly says: string;
  readonly risk: Risk;
  readonly diff: readonly string[];
  readonly undo: string;
  readonly notes: readonly string[];
}

/** How it went. */
export interface FixOutcome {
  readonly version: 1;
  readonly id: string;
  readonly outcome: 'fixed' | 'not-fixed' | 'unknown' | 'rolled-back' | 'refused' | 'stopped' | 'undone';
  readonly says: string;
  readonly steps: readonly { readonly where: string; readonly says: string; readonly state: string }[];
  /** Before and after, a line each. */
  readonly changed: readonly { readonly what: string; readonly before: string; readonly after: string }[];
  readonly next?: string;
}
