/** Where the API server is and how it is reached. */
export interface Link {
  /** With the path below which a gateway may serve the API. */
  readonly server: URL;
  readonly tls: {
    readonly ca?: string | Buffer | readonly (string | Buffer)[];
    readonly servername?: string;
    readonly rejectUnauthorized: boolean;
  };
  readonly proxy?: URL;
  /** Whether answers may come compressed: bytes saved on the wire are paid for with time on both ends. */
  readonly compressed: boolean;
}

/** What is shown to the server to be let in. Holds secrets: never printed. */
export interface Identity {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
}

export interface Credentials {
  /** What to present now; reads a file or asks a plug-in where that is due. */
  present(): Promise<Identity>;
  /** After a refusal: forgets that identity. False where asking again can only bring the same. */
  renew(refused: Identity): boolean;
}

export interface Timing {
  /** Of a whole request with its retries. */
  readonly request: number;
  /** Until a connection stands, with its proxy and its encryption. */
  readonly connect: number;
  /** Without a single byte of an answer. */
  readonly idle: number;
  /** Before the first retry; later ones wait longer. */
  readonly pause: number;
}

export const TIMING: Timing = { request: 60_000, connect: 10_000, idle: 30_000, pause: 200 };

/** An address without user name, password or query. */
export function shownAddress(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`;
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** The host as the network wants it: IPv6 addresses without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}
