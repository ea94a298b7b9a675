/** Where a fact stands in the evidence. Lines count from 1 in the document as it was given. */
export type At =
  | { readonly lines: readonly [first: number, last: number] }
  | {
      readonly pointer: string;
      readonly lines?: readonly [first: number, last: number];
      /** Of an item in a list: which object that is, or an event's. */
      readonly object?: string;
    };

export interface Citation {
  readonly doc: string;
  readonly at: At;
  /** The evidence itself, redacted and capped; never our words. */
  readonly quote: string;
}
