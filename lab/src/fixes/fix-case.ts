import type { Lab } from '../lab.ts';
import type { Condition, Scenario } from '../scenario.ts';

/** A scenario whose first incident podcause fixes, proves fixed, and breaks again by undoing it. */
export interface FixCase {
  readonly scenario: Scenario;
  readonly manifest?: (text: string) => string;
  /** The node whose host is changed; none where only the cluster is. */
  readonly node?: string;
  /** Nodes with the same fault, which come after it once it has proved itself. */
  readonly others?: readonly string[];
  /** How its root shell is reached: by a command from outside unless given. */
  readonly way?: 'via' | 'deep';
  /** Values only the user knows: `NAME=VALUE`. */
  readonly set?: readonly string[];
  /** Typed at the terminal, where podcause insists on asking a person. */
  readonly typed?: string;
  /** What a reader of the plan must be told. */
  readonly planShows?: readonly RegExp[];
  prepare?(lab: Lab): Promise<void>;
  /** Runs always, before the scenario itself is put back. */
  tidy?(lab: Lab): Promise<void>;
  /** Everything the fix changes, as one text: the fix alters it, and undo brings it back letter by letter. */
  state(lab: Lab, namespace: string): Promise<string>;
  /** `nothing`: a restart leaves nothing to take back. `kept`: what was removed stays removed, and undo says so. */
  readonly undo?: 'nothing' | 'kept';
  /** What people would look at. */
  readonly proofs: readonly Condition[];
}

/** The hosts that are changed, the first one first. */
export function nodesOf({ node, others = [] }: Pick<FixCase, 'node' | 'others'>): readonly string[] {
  return node === undefined ? [] : [node, ...others];
}
