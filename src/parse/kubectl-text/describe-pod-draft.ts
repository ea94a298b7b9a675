import type { EventBlock } from './event-rows.ts';

export interface Noted<T> {
  readonly value: T;
  readonly line: number;
}

export interface StateDraft {
  readonly value: string;
  readonly line: number;
  last: number;
  readonly fields: Map<string, string>;
}

export interface ContainerDraft {
  readonly name?: string;
  readonly init: boolean;
  readonly index: number;
  readonly line: number;
  last: number;
  readonly fields: Map<string, Noted<string>>;
  readonly command: string[];
  readonly args: string[];
  memoryLimit?: Noted<string>;
  state?: StateDraft;
  lastState?: StateDraft;
}

export interface VolumeDraft {
  readonly name: string;
  readonly line: number;
  last: number;
  readonly fields: Map<string, string>;
}

interface ConditionDraft {
  readonly type: string;
  readonly status: string;
  readonly line: number;
}

/** A description of a pod, or a part of one, before anything is made of it. */
export interface PodDraft {
  readonly first: number;
  next: number;
  readonly fields: Map<string, Noted<string>>;
  readonly sections: Set<string>;
  readonly containers: ContainerDraft[];
  readonly conditions: ConditionDraft[];
  readonly volumes: VolumeDraft[];
  readonly nodeSelectors: Noted<string>[];
  readonly tolerations: Noted<string>[];
  events?: EventBlock;
  /** Line of `Events: <none>`. */
  noEvents?: number;
  elided: boolean;
}

export function newPodDraft(first: number): PodDraft {
  return {
    first,
    next: first,
    fields: new Map(),
    sections: new Set(),
    containers: [],
    conditions: [],
    volumes: [],
    nodeSelectors: [],
    tolerations: [],
    elided: false,
  };
}
