import type { Splice } from '../edit/index.ts';
import type { Manager } from './host-state.ts';

/** A shell command that is run on a new file before it takes its place; `$new` is its path, and its failure refuses the fix. */
export type Check = string;

export interface EditStep {
  readonly kind: 'edit';
  readonly path: string;
  readonly shaBefore: string;
  readonly shaAfter: string;
  readonly splices: readonly Splice[];
  /** Length of the old file: a step says by itself what it leaves alone. */
  readonly bytesBefore: number;
  /** Redacted unified diff for people. */
  readonly diff: readonly string[];
  readonly check?: Check;
}

export interface CreateStep {
  readonly kind: 'create';
  readonly path: string;
  readonly mode: string;
  readonly text: string;
  readonly shaAfter: string;
  readonly diff: readonly string[];
  readonly check?: Check;
}

/** One thing done on a host, worked out from what the host said of itself: exact, checkable, and with a way back. */
export type HostStep =
  | EditStep
  | CreateStep
  | { readonly kind: 'remove'; readonly path: string; readonly shaBefore: string }
  | { readonly kind: 'package'; readonly name: string; readonly manager: Manager; readonly command?: string }
  | { readonly kind: 'module'; readonly name: string; readonly wasLoaded: boolean }
  | { readonly kind: 'sysctl'; readonly key: string; readonly value: string; readonly before: string; readonly atLeast?: true }
  | { readonly kind: 'units'; readonly action: UnitAction; readonly units: readonly string[] }
  | { readonly kind: 'apparmor-unload'; readonly profile: string; readonly source?: string }
  | { readonly kind: 'kubeadm-renew'; readonly names: readonly string[] };

export type UnitAction = 'start' | 'restart' | 'enable';

export interface HostPlan {
  readonly node: string;
  readonly steps: readonly HostStep[];
  /** Why nothing, or not all, can be done there. */
  readonly refused: readonly string[];
  /** What a reader must know first, e.g. containers that docker calls Up although they are gone. */
  readonly warnings: readonly string[];
  /** Where the script asks daemons whether they are well. */
  readonly health: { readonly containerdSocket: string; readonly kubeletConfig: string };
}
