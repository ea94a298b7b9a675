import type { RawAnswer } from './exchange.ts';
import { type Identity, type Link, shownAddress } from './link.ts';
import { ClusterError, type RefusalKind } from './port.ts';
import { isWebPage, statusOf } from './status.ts';
import { expiredOn } from './words.ts';

const KINDS: ReadonlyMap<number, RefusalKind> = new Map([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [405, 'not-found'],
  [406, 'invalid'],
  [429, 'throttled'],
]);

/** A list whose continue token is too old. The server keeps one that leads on through the rest as it is now. */
export class ExpiredList extends ClusterError {
  readonly next: string;

  constructor(message: string, next: string) {
    super('interrupted', message, { status: 410 });
    this.next = next;
  }
}

/** The error for an answer that is none of the good ones, with the server's own words. */
export function refusal(raw: RawAnswer, what: string, link: Link, identity: Identity): ClusterError {
  const { status } = raw;
  const at = shownAddress(link.server);
  if (status >= 300 && status < 400)
    return new ClusterError('invalid', `${at} sends us elsewhere (${status}${target(raw)}). Is this the API server's address?`, { status });
  const contentType = raw.headers['content-type'] ?? '';
  const { message, next } = statusOf(raw.body, contentType);
  if (status === 410) return new ExpiredList(`${what}: ${message || 'the list expired while it was being read'} (410)`, next);
  const kind = KINDS.get(status) ?? (status >= 500 ? 'server-error' : 'invalid');
  if (status === 401) return new ClusterError(kind, `${at} does not accept these credentials (401).${expiry(identity)}`, { status });
  const said = message || pageWords(contentType, raw.body) || fallback(kind);
  if (kind === 'forbidden') return new ClusterError(kind, said === fallback(kind) ? `${what}: ${said}` : said, { status });
  return new ClusterError(kind, `${what}: ${said} (${status})`, { status, ...(message ? { said: message } : {}) });
}

function fallback(kind: RefusalKind): string {
  switch (kind) {
    case 'forbidden':
      return 'forbidden';
    case 'not-found':
      return 'not found';
    case 'throttled':
      return 'the server is asked too much and lets us wait';
    case 'server-error':
      return 'the server failed';
    default:
      return 'the server refused';
  }
}

function pageWords(contentType: string, body: Uint8Array): string {
  return isWebPage(contentType, Buffer.from(body.subarray(0, 200)).toString())
    ? 'a web page came instead of an answer; a proxy may stand in between'
    : '';
}

function target(raw: RawAnswer): string {
  try {
    const url = new URL(raw.headers.location ?? '');
    return ` to ${shownAddress(url)}`;
  } catch {
    return '';
  }
}

/** Credentials that ran out are the usual reason; both carry their end in the open. */
function expiry(identity: Identity): string {
  const end = identity.cert === undefined ? undefined : expiredOn(identity.cert);
  if (end) return ` The client certificate expired on ${end}.`;
  const bearer = identity.headers['authorization'];
  const claims = typeof bearer === 'string' ? jwtExpiry(bearer) : undefined;
  return claims !== undefined && claims < Date.now() ? ` The token expired on ${new Date(claims).toISOString()}.` : '';
}

/** Epoch milliseconds of a JSON web token's end, where it is one and says so. */
export function jwtExpiry(token: string): number | undefined {
  const payload = token.split('.')[1];
  if (payload === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const end = typeof claims === 'object' && claims !== null && 'exp' in claims ? Number(claims.exp) * 1000 : Number.NaN;
    return Number.isFinite(end) && Math.abs(end) < 8.6e15 ? end : undefined;
  } catch {
    return undefined;
  }
}

/** A good status with a web page behind it: a login page or a captive portal, never an API server. */
export function strayPage(raw: RawAnswer, what: string, link: Link): ClusterError | undefined {
  if (!isWebPage(raw.headers['content-type'] ?? '', '')) return undefined;
  return new ClusterError(
    'invalid',
    `${what}: ${shownAddress(link.server)} answers with a web page. A proxy or a login page stands between us and the API server.`,
    {
      status: raw.status,
    },
  );
}
