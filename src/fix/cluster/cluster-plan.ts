import type { Risk } from '../../model/cause.ts';
import type { EntityId } from '../../model/entity.ts';

/** An object of the API, by everything its path needs. */
export interface ObjectRef {
  /** `apps/v1`, `v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespace?: string;
  readonly name: string;
}

/** As the API server hands it out; nothing of it is trusted. */
export type LiveObject = Readonly<Record<string, unknown>>;

export interface PatchOperation {
  readonly op: 'test' | 'add' | 'replace' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}

export type JsonPatch = readonly PatchOperation[];

/** Who manages an object, and where a change of it belongs. */
export interface Owner {
  readonly by: 'helm' | 'argo-cd' | 'flux' | 'operator' | 'kubectl-apply' | 'static-pod';
  /** `release shop in namespace shop`, `application shop`. */
  readonly what: string;
  /** Where the change belongs, in words and commands. */
  readonly belongs: readonly string[];
  /** When a direct change would be taken back. */
  readonly reverts: 'at-once' | 'within-minutes' | 'at-next-upgrade' | 'at-next-apply' | 'always-refused';
}

/** What the server answered when asked without doing it. */
export type DryRun =
  | { readonly outcome: 'accepted' }
  /** The server would refuse it; `why` in its own words. */
  | { readonly outcome: 'refused'; readonly why: string }
  /** We may not even ask; somebody with the rights may still do it. */
  | { readonly outcome: 'forbidden'; readonly why: string }
  | { readonly outcome: 'not-tried'; readonly why: string };

interface StepBase {
  readonly object: ObjectRef;
  /** One line: what is done. */
  readonly says: string;
  /** `field: before → after`, redacted. */
  readonly diff: readonly string[];
  readonly risk: Risk;
  /** How it would be undone, in one line. */
  readonly undo: string;
  readonly dryRun: DryRun;
  readonly notes: readonly string[];
  readonly owner?: Owner;
}

export type ClusterStep =
  | (StepBase & { readonly kind: 'patch'; readonly patch: JsonPatch; readonly reverse: JsonPatch; readonly fragment?: LiveObject })
  /** Evicted, or deleted where it is stuck; the uid keeps its successor safe. */
  | (StepBase & { readonly kind: 'restart-pod'; readonly uid: string; readonly by: 'eviction' | 'deletion'; readonly controller: string })
  | (StepBase & { readonly kind: 'remove-finalizer'; readonly uid: string; readonly finalizer: string; readonly at: 'metadata' | 'spec' })
  /** Names of the revisions only: a template may hold secrets, so it is read when it is needed. */
  | (StepBase & { readonly kind: 'rollout'; readonly from: string; readonly to: string });

export interface ClusterPlan {
  readonly cause: string;
  readonly steps: readonly ClusterStep[];
  /** Why something cannot be done at all. */
  readonly refused: readonly string[];
  /** Which pods restart, and what disruption budgets allow. */
  readonly affected: readonly string[];
  readonly notes: readonly string[];
}

/** What a plan is made for. */
export interface ClusterIncident {
  readonly cause: string;
  readonly placeId: EntityId;
  readonly victims: readonly EntityId[];
}

export interface FixRecord {
  /** Lower-case letters, digits and dashes. */
  readonly id: string;
  readonly title: string;
  /** Id of the report. */
  readonly report: string;
  readonly who: string;
}

export type FixState = 'begun' | 'done' | 'stopped' | 'undone';

export type StepState = 'planned' | 'begun' | 'done' | 'skipped' | 'undone' | 'kept';

export interface StepProgress {
  readonly index: number;
  readonly of: number;
  readonly state: StepState;
  readonly says: string;
  /** Why it was skipped, kept, or stopped at. */
  readonly why?: string;
}

export type OnStep = (progress: StepProgress) => void | Promise<void>;

export interface ClusterOutcome {
  readonly id: string;
  readonly state: FixState | 'refused';
  readonly steps: readonly StepProgress[];
  readonly why?: string;
}

export interface RunOptions {
  /** Who holds the lock: `user@host:pid`. */
  readonly holder: string;
  /** Whether a holder is known to be dead, so that its lock may be taken before it is stale. */
  readonly gone?: (holder: string) => boolean;
  readonly now?: () => number;
  readonly wait?: (milliseconds: number) => Promise<void>;
  /** How long an eviction waits for its disruption budget. */
  readonly patienceMilliseconds?: number;
  /** Also where a controller would take it back within minutes. */
  readonly despiteOwner?: boolean;
}

/** How far a fix is on one host; its steps are in the journal of that host. */
export interface HostMark {
  readonly node: string;
  readonly state: 'begun' | 'done' | 'rolled-back' | 'undone';
}

export interface FixListed extends FixRecord {
  readonly state: FixState;
  readonly at: string;
  readonly steps: readonly { readonly says: string; readonly object: string; readonly state: StepState }[];
  /** Hosts that were changed from afar for the same fix. */
  readonly hosts: readonly HostMark[];
}
