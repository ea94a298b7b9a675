const MONTHS: Readonly<Record<string, number>> = {
  Jan: 0,
  Feb: 1,
  Mar: 2,
  Apr: 3,
  May: 4,
  Jun: 5,
  Jul: 6,
  Aug: 7,
  Sep: 8,
  Oct: 9,
  Nov: 10,
  Dec: 11,
};

/** Source of a pattern for the time stamps of describe, e.g. `Thu, 12 Jan 2023 13:55:26 +0800`. */
export const STAMP = String.raw`[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (?:[+-]\d{4}|[A-Z]{1,5})`;

const STAMP_PARTS =
  /^[A-Z][a-z]{2}, (?<day>\d{1,2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d) (?:(?<sign>[+-])(?<zoneHours>\d\d)(?<zoneMinutes>\d\d)|UTC|GMT)$/;

/** Epoch milliseconds of an RFC 1123 time with a numeric zone; the zero times of Go and Unix count as none. */
export function parseStamp(text: string): number | undefined {
  const groups = STAMP_PARTS.exec(text.trim())?.groups;
  const month = MONTHS[groups?.['month'] ?? ''];
  if (!groups || month === undefined) return undefined;
  const part = (name: string) => Number(groups[name] ?? 0);
  if (part('year') < 1971) return undefined;
  const zone = (part('zoneHours') * 60 + part('zoneMinutes')) * (groups['sign'] === '-' ? -1 : 1);
  const utc = Date.UTC(part('year'), month, part('day'), part('hour'), part('minute'), part('second'));
  return utc - zone * 60_000;
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  m: 1e-3,
  k: 1e3,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

const QUANTITY = /^(?<amount>\d{1,20}(?:\.\d{1,20})?)(?:e(?<exponent>\d{1,2}))?(?<unit>m|k|[KMGTPE]i?)?$/;

/** Bytes in a quantity such as `500Mi`, `1G` or `134217728`. */
export function parseBytes(text: string): number | undefined {
  const groups = QUANTITY.exec(text.trim())?.groups;
  if (!groups) return undefined;
  const unit = UNITS[groups['unit'] ?? ''];
  if (unit === undefined) return undefined;
  return Number(groups['amount']) * 10 ** Number(groups['exponent'] ?? 0) * unit;
}

/** A value that kubectl leaves empty or writes as `<none>`, `<nil>`, `<unset>`, `<unknown>`. */
export function isNone(value: string | undefined): boolean {
  return value === undefined || value === '' || /^<(?:none|nil|unset|unknown|invalid)>$/.test(value);
}

export function someText(value: string | undefined): string | undefined {
  return isNone(value) ? undefined : value;
}

export function wholeNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,12}$/.test(value) ? Number(value) : undefined;
}
