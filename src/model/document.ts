/** One piece of evidence as it reached us: a file, an archive member, standard input, a pasted string. */
export interface Document {
  /** Shown in citations: a path relative to what the user named, or `stdin`. */
  readonly name: string;
  readonly size: number;
  /** Whole content, for documents small enough to be held. Absent for large ones. */
  readonly bytes?: Uint8Array;
  /** Streams the content in order; each call starts anew. Chunks may be reused buffers: copy what you keep. */
  readonly read?: () => AsyncIterable<Uint8Array>;
}

/** What could not be read, or only in part, and why: always shown, never thrown. */
export interface Unread {
  readonly doc: string;
  readonly why: string;
  readonly size?: number;
}

export interface Collected {
  readonly documents: AsyncIterable<Document> | Iterable<Document>;
  readonly unread: Unread[];
}
