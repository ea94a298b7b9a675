/** Beyond this there is no date. */
const LAST_SECOND = 253_402_300_799;
const FIRST_SECOND = -62_135_596_800;

/** Seconds since 1970 as Kubernetes writes them in JSON; undefined for what is no time. */
export function timeText(seconds: number): string | undefined {
  if (!(seconds >= FIRST_SECOND && seconds <= LAST_SECOND)) return undefined;
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

export function microTimeText(seconds: number, nanos: number): string | undefined {
  const text = timeText(seconds);
  if (text === undefined) return undefined;
  const micros = Math.floor(Math.min(Math.max(nanos, 0), 999_999_999) / 1000);
  return `${text.slice(0, 19)}.${String(micros).padStart(6, '0')}Z`;
}
