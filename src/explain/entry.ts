import type { Symptom } from '../model/facts.ts';

/** A word that Kubernetes shows people, explained once. */
export interface Entry {
  /** As it is printed; `…` stands for what changes (`Init:…/…`). */
  readonly terms: readonly [string, ...string[]];
  readonly kind: 'status' | 'reason' | 'event' | 'condition' | 'taint' | 'message';
  /** What it means, and who says it. */
  readonly says: string;
  /** What stands behind it, where it is only an effect. */
  readonly behind?: string;
  /** Symptoms it goes with: they lead to the causes. */
  readonly symptoms?: readonly Symptom[];
  readonly ask?: string;
}
