import type { Channel, Coverage } from './channel.ts';
import type { Citation } from './citation.ts';
import type { Unread } from './document.ts';
import type { EntityId } from './entity.ts';
import type { Fact, FactKind, FactKinds } from './facts.ts';

/** A known line, declared by a cause, matched once over all raw text. */
export interface LineSpec {
  /** Unique, `<cause id>/<clue name>`. */
  readonly id: string;
  /** Any of these must stand in the line; each at least 8 bytes, compared without regard to case. */
  readonly literals: readonly string[];
  /** Run on candidate lines only; named groups become `fields`. */
  readonly pattern?: RegExp | undefined;
  /** Channels that print it; the first is where it shows for certain when it happened. */
  readonly channels: readonly Channel[];
}

/** Lines that are looked for together; for those of the built-in catalogue the scanner's index may be at hand. */
export interface LineList extends ReadonlyArray<LineSpec> {
  packedIndex?(): Uint8Array;
}

/** Who stands in which relation to whom; declared by parsers, resolved by key. */
export type Edge =
  | { readonly type: 'runs-on'; readonly pod: EntityId; readonly node: EntityId }
  | { readonly type: 'owned-by'; readonly pod: EntityId; readonly workload: EntityId }
  /** An id (`uid:…`, `cid:…`, `sandbox:…`) belongs to an entity. */
  | { readonly type: 'alias'; readonly alias: EntityId; readonly entity: EntityId };

/** A piece of a document that was recognised. */
export interface Piece {
  readonly doc: string;
  readonly lines: readonly [first: number, last: number];
  /** What it is, in a user's words: `kubectl get pods`, `kubelet journal`, `containerd config.toml`. */
  readonly what: string;
}

export interface Unrecognised {
  readonly doc: string;
  readonly lines: readonly [first: number, last: number];
  readonly bytes: number;
  readonly firstLine: string;
}

/** Everything parsers found out, before identities are resolved. */
export interface Evidence {
  readonly facts: Fact[];
  readonly edges: Edge[];
  readonly coverage: Coverage[];
  readonly pieces: Piece[];
  readonly unrecognised: Unrecognised[];
  readonly unread: Unread[];
}

/** Where parsers put what they find. */
export interface Sink {
  fact<K extends FactKind>(
    kind: K,
    about: EntityId,
    payload: FactKinds[K],
    cited: Citation,
    more?: { when?: number; hearsay?: boolean },
  ): void;
  edge(edge: Edge): void;
  cover(coverage: Coverage): void;
  piece(piece: Piece): void;
}
