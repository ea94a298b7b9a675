import type { Skimmer } from './item-skim.ts';

/** Takes what a splitter cuts out. */
export interface SplitterTarget {
  readonly skimmer?: Skimmer;
  /** One element of a list's `items`, or of an array at the root; false when it is not valid JSON. */
  item(text: string, pointer: string, listKind: string | undefined): boolean;
  /** An element that stays invalid however it is cut. */
  broken(): void;
  /** An object at the root that is no list. */
  object(text: string): void;
  /** Something too large to be held was passed over. */
  skipped(bytes: number): void;
}
