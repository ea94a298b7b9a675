import type { ClusterError } from './port.ts';
import { mayPass } from './words.ts';

const MOST_WAITS = 5;
const MOST_REPEATS = 2;

export interface Failure {
  readonly error: ClusterError;
  /** The server's `Retry-After`, as it came. */
  readonly retryAfter?: string;
}

export interface Tried {
  readonly method: string;
  readonly path: string;
  /** How often it was tried already. */
  readonly tries: number;
  /** Milliseconds left for the request. */
  readonly left: number;
  /** Milliseconds of the first pause. */
  readonly pause: number;
}

/** Milliseconds to wait before another try, or undefined where none would help or none is left. */
export function pauseBefore(failure: Failure, tried: Tried): number | undefined {
  const { tries, left, pause } = tried;
  if (tries > allowed(failure, tried)) return undefined;
  const asked = retryAfter(failure.retryAfter);
  const own = pause * 2 ** (tries - 1);
  // Spread out, so that many clients that were sent away together do not come back together.
  const wait = Math.max(asked ?? 0, own) * (1 + Math.random() / 4);
  return wait < left ? wait : undefined;
}

function allowed({ error, retryAfter: asked }: Failure, { method, path }: Tried): number {
  // Nothing was done yet when the server says 429, so even a creation may be sent again.
  if (error.kind === 'throttled') return MOST_WAITS;
  if (method !== 'GET') return 0;
  if (error.kind === 'server-error') return asked === undefined && isPassedOn(path) ? 0 : MOST_REPEATS;
  return error.status === undefined && mayPass(error) ? MOST_REPEATS : 0;
}

/** Requests the API server hands to a kubelet: it waited for that one already, and a dead node stays dead. */
export function isPassedOn(path: string): boolean {
  return /\/proxy(?:\/|\?|$)|\/log(?:\?|$)/.test(path);
}

function retryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value);
  return Number.isNaN(until) ? undefined : Math.max(0, until - Date.now());
}
