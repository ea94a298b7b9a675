import type { Credentials, Identity } from './link.ts';

/** An identity that lasts until then (epoch milliseconds), or until it is refused. */
export interface Lasting {
  readonly identity: Identity;
  readonly until?: number;
}

/** Renewed a little early, so that a token does not run out on its way. */
const MARGIN = 10_000;
/** A plug-in that gives what is refused again and again is not run for every request. */
const SOONEST = 5_000;

export function fixed(identity: Identity): Credentials {
  return { present: () => Promise.resolve(identity), renew: () => false };
}

/** Asks for an identity when there is none or it ran out; requests that need it at the same time share the asking. */
export function renewable(ask: () => Promise<Lasting>): Credentials {
  let current: Lasting | undefined;
  let asking: Promise<Lasting> | undefined;
  let renewedAt = Number.NEGATIVE_INFINITY;
  return {
    async present() {
      if (current && (current.until === undefined || current.until - MARGIN > Date.now())) return current.identity;
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      current = await asking;
      return current.identity;
    },
    renew(refused) {
      if (current?.identity !== refused) return true;
      if (Date.now() - renewedAt < SOONEST) return false;
      renewedAt = Date.now();
      current = undefined;
      return true;
    },
  };
}

export function withToken(base: Identity, token: string): Identity {
  return { ...base, headers: { ...base.headers, authorization: `Bearer ${token}` } };
}
