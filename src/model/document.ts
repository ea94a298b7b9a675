import type { Channel } from './channel.ts';
import type { EntityId } from './entity.ts';

/** One piece of evidence as it reached us: a file, an archive member, standard input, a pasted string. */
export interface Document {
  /** Shown in citations: a path relative to what the user named, or `stdin`. */
  readonly name: string;
  readonly size: number;
  /** Whole content, for documents small enough to be held. Absent for large ones. */
  readonly bytes?: Uint8Array;
  /** Streams the content in order; each call starts anew. Chunks may be reused buffers: copy what you keep. */
  readonly read?: () => AsyncIterable<Uint8Array>;
  /** Answers of an API server to one list, page by page, as they came. */
  readonly pages?: () => AsyncIterable<Page>;
  /** Epoch milliseconds at which it was taken, where the collector knows. */
  readonly takenAt?: number;
}

/** One page of a list: a whole response body, JSON or Kubernetes protobuf with its envelope. */
export interface Page {
  readonly encoding: 'json' | 'protobuf';
  readonly bytes: Uint8Array;
}

/** What could not be read, or only in part, and why: always shown, never thrown. */
export interface Unread {
  readonly doc: string;
  readonly why: string;
  readonly size?: number;
  /** The command that would have shown it, for somebody with the rights. */
  readonly command?: string;
  /** What was therefore not seen. */
  readonly missed?: readonly Missed[];
}

export interface Missed {
  readonly channel: Channel;
  readonly about: EntityId;
  readonly extent: 'denied' | 'failed';
}

export interface Collected {
  readonly documents: AsyncIterable<Document> | Iterable<Document>;
  readonly unread: Unread[];
}
