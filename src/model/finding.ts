import type { AnyClue, Cause } from './cause.ts';
import type { EntityId } from './entity.ts';
import type { Fact } from './facts.ts';
import type { Confidence } from './report.ts';

export type ClueState = 'seen' | 'absent' | 'unseen';

/** What one clue came to at one place. */
export interface Reading {
  readonly name: string;
  readonly clue: AnyClue;
  readonly state: ClueState;
  readonly facts: readonly Fact[];
  /** Where was looked, for an absent one. */
  readonly looked: readonly string[];
  /** Whom a look would have to be about, for an unseen one. */
  readonly about: EntityId;
}

export type Verdict =
  | { readonly kind: 'found'; readonly confidence: Confidence; readonly readings: readonly Reading[] }
  | { readonly kind: 'ruled-out'; readonly readings: readonly Reading[]; readonly by: Reading | undefined }
  | { readonly kind: 'undecided'; readonly readings: readonly Reading[] }
  | { readonly kind: 'failed'; readonly readings: readonly Reading[]; readonly message: string };

export interface Examined {
  readonly cause: Cause;
  readonly place: EntityId;
  /** The best verdict over its victims. */
  readonly verdict: Verdict;
  /** Symptoms it explains, of victims it was not ruled out for. */
  readonly symptoms: readonly Fact<'pod.symptom' | 'node.symptom' | 'object.symptom'>[];
  /** The entity whose fact woke it; stands for the victims when no symptom was seen. */
  readonly wokenBy: readonly EntityId[];
}
