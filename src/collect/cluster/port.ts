import type { Page } from '../../model/document.ts';

export type PatchType = 'application/json-patch+json' | 'application/merge-patch+json' | 'application/strategic-merge-patch+json';

export interface ClusterRequest {
  /** Begins with a slash; the query is part of it. */
  readonly path: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: unknown;
  /** What the body is; a PATCH says by it how it is to be merged. */
  readonly contentType?: PatchType | 'application/json';
  readonly accept?: string;
  /** Of the whole request with its retries; the port's own default unless given. */
  readonly timeoutMilliseconds?: number;
  /** The body is cut here and the answer says so. */
  readonly limitBytes?: number;
  /** A `Range` header, e.g. `bytes=-65536`. */
  readonly range?: string;
}

export interface ClusterAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
  readonly cut: boolean;
  /** The server's clock, epoch milliseconds, from its Date header. */
  readonly date?: number;
}

export interface ListRequest {
  /** e.g. `/api/v1/pods`; selectors are part of it. */
  readonly path: string;
  /** Protobuf is asked for unless this is set; servers without it answer in JSON anyway. */
  readonly json?: boolean;
  readonly pageSize?: number;
  readonly timeoutMilliseconds?: number;
}

export type RefusalKind =
  | 'unauthorized' // no or wrong credentials
  | 'forbidden' // known, but not allowed
  | 'not-found' // no such object, or the server lacks this API
  | 'throttled' // 429 to the end
  | 'slow' // no answer in time
  | 'unreachable' // no connection, name, or trust
  | 'interrupted' // the connection went away in the middle
  | 'server-error' // 5xx to the end
  | 'invalid'; // an answer that is none

/** An answer that was not to be had, after retries. The message is worded for users and holds no secret. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';
  readonly kind: RefusalKind;
  readonly status: number | undefined;
  /** The server's own words, where it had any. */
  readonly said: string | undefined;

  constructor(
    kind: RefusalKind,
    message: string,
    options: { readonly status?: number; readonly said?: string; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.status = options.status;
    this.said = options.said;
  }
}

/** The only way to a cluster: few verbs, every failure a ClusterError, everything counted. */
export interface ClusterPort {
  /** Address of the API server as the kubeconfig gives it. */
  readonly server: string;
  readonly context: string | undefined;
  /** The context's namespace; `default` where none is set. */
  readonly namespace: string;
  readonly counted: { readonly requests: number; readonly retries: number; readonly bytes: number };
  request(request: ClusterRequest): Promise<ClusterAnswer>;
  /**
   * Pages of a list in order. A continue token that expired (410) is exchanged for the one the server offers with its
   * refusal; pages already handed over are not repeated. Where the rest is not to be had it throws after what it has.
   */
  pages(request: ListRequest): AsyncIterable<Page>;
  close(): void;
}
