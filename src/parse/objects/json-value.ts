export type JsonRecord = Readonly<Record<string, unknown>>;

const NOTHING: JsonRecord = Object.freeze({});
const EMPTY: readonly unknown[] = Object.freeze([]);

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty one where it is anything else. */
export function recordOf(value: unknown): JsonRecord {
  return isRecord(value) ? value : NOTHING;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : EMPTY;
}

/** Non-empty text only; YAML turns unquoted names such as `123` into numbers, so those count too. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' ? String(value) : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function flagOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

const RFC3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:?\d\d)$/;

/** Epoch milliseconds of a Kubernetes time stamp; Go's zero time is no time. */
export function timeOf(value: unknown): number | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.getTime();
  if (typeof value !== 'string' || value.length > 40 || !RFC3339.test(value) || value.startsWith('0001-')) return undefined;
  const time = Date.parse(value.replace(' ', 'T'));
  return Number.isNaN(time) ? undefined : time;
}

const QUANTITY = /^(?<number>[+-]?\d{1,20}(?:\.\d{1,20})?)(?<unit>[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,2})?$/;
const UNITS: ReadonlyMap<string, number> = new Map([
  ['n', 1e-9],
  ['u', 1e-6],
  ['m', 1e-3],
  ['k', 1e3],
  ['M', 1e6],
  ['G', 1e9],
  ['T', 1e12],
  ['P', 1e15],
  ['E', 1e18],
  ['Ki', 2 ** 10],
  ['Mi', 2 ** 20],
  ['Gi', 2 ** 30],
  ['Ti', 2 ** 40],
  ['Pi', 2 ** 50],
  ['Ei', 2 ** 60],
]);

/** A Kubernetes quantity (`512Mi`, `1e9`, `128974848000m`) in whole base units. */
export function quantityOf(value: unknown): number | undefined {
  if (typeof value === 'number') return numberOf(value);
  const amount = exactQuantityOf(value);
  return amount === undefined ? undefined : Math.round(amount);
}

/** The same with its fraction: half a CPU is `500m`. */
export function exactQuantityOf(value: unknown): number | undefined {
  if (typeof value === 'number') return numberOf(value);
  const groups = typeof value === 'string' ? QUANTITY.exec(value.trim())?.groups : undefined;
  if (!groups) return undefined;
  const unit = groups['unit'] ?? '';
  const scale = unit === '' ? 1 : UNITS.get(unit);
  const amount = Number(groups['number']);
  return scale === undefined ? Number(`${groups['number']}${unit}`) : amount * scale;
}

/** Fills only what is known, as `exactOptionalPropertyTypes` wants it. */
export function known<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const result: Partial<T> = {};
  for (const key in fields) if (fields[key] !== undefined) result[key] = fields[key];
  return result as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** Escapes a key for a JSON pointer. */
export function pointerKey(key: string): string {
  return key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;
}
