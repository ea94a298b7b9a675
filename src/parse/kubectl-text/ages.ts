const SECONDS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  y: 31_536_000,
};

const LONGEST = 60;

/** Source of a pattern for `7m28s`, `2d1h`, `1.5s`. */
export const DURATION = String.raw`(?:\d{1,9}(?:\.\d{1,9})?(?:ms|us|µs|ns|[ywdhms])){1,7}`;
/** A duration, or what kubectl prints where it knows none. */
export const AGE = `(?:${DURATION}|<unknown>|<invalid>)`;
/** The Age of an event: `83s (x4 over 5m57s)`. */
export const EVENT_AGE = String.raw`${AGE}(?:\s{1,4}\(x\d{1,9} over ${AGE}\))?`;

const AGE_ONLY = new RegExp(`^${AGE}$`);
const EVENT_AGE_PARTS = new RegExp(String.raw`^(?<last>${AGE})(?:\s{1,4}\(x(?<count>\d{1,9}) over (?<first>${AGE})\))?$`);

/** Seconds in a duration as kubectl and Go print it (`57d`, `5h30m`, `3y45d`); undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > LONGEST) return undefined;
  const part = /(?<amount>\d+(?:\.\d+)?)(?<unit>ms|us|µs|ns|[ywdhms])/y;
  let seconds = 0;
  while (part.lastIndex < trimmed.length) {
    const groups = part.exec(trimmed)?.groups;
    if (!groups) return undefined;
    seconds += Number(groups['amount']) * (SECONDS[groups['unit'] ?? ''] ?? 0);
  }
  return seconds;
}

export function isAge(text: string): boolean {
  return AGE_ONLY.test(text);
}

export interface EventAge {
  readonly count: number;
  readonly lastAgo?: number;
  readonly firstAgo?: number;
}

/** Reads `83s (x4 over 5m57s)`; a single age is both the first and the last occurrence. */
export function parseEventAge(text: string): EventAge {
  const groups = EVENT_AGE_PARTS.exec(text.trim())?.groups;
  if (!groups) return { count: 1 };
  const lastAgo = parseDuration(groups['last'] ?? '');
  const firstAgo = groups['first'] === undefined ? lastAgo : parseDuration(groups['first']);
  return {
    count: Number(groups['count'] ?? 1),
    ...(lastAgo !== undefined ? { lastAgo } : {}),
    ...(firstAgo !== undefined ? { firstAgo } : {}),
  };
}
