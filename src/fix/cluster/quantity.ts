/** Amounts are held in billionths, so that no unit of the API is lost to rounding. */
const BILLION = 1_000_000_000n;

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['n', 1n],
  ['u', 1_000n],
  ['m', 1_000_000n],
  ['', BILLION],
  ['k', BILLION * 10n ** 3n],
  ['M', BILLION * 10n ** 6n],
  ['G', BILLION * 10n ** 9n],
  ['T', BILLION * 10n ** 12n],
  ['P', BILLION * 10n ** 15n],
  ['E', BILLION * 10n ** 18n],
  ['Ki', BILLION * 2n ** 10n],
  ['Mi', BILLION * 2n ** 20n],
  ['Gi', BILLION * 2n ** 30n],
  ['Ti', BILLION * 2n ** 40n],
  ['Pi', BILLION * 2n ** 50n],
  ['Ei', BILLION * 2n ** 60n],
]);

const BINARY = ['Ei', 'Pi', 'Ti', 'Gi', 'Mi', 'Ki', ''];
const DECIMAL = ['E', 'P', 'T', 'G', 'M', 'k', '', 'm', 'u', 'n'];

const QUANTITY = /^(?<whole>\d{1,18})(?:\.(?<part>\d{0,9}))?(?:(?<unit>[numkMGTPE]|[KMGTPE]i)|[eE](?<exponent>[+-]?\d{1,2}))?$/;
const FACTOR = /^x(?<whole>\d{1,3})(?:\.(?<part>\d{1,3}))?$/;

interface Amount {
  readonly billionths: bigint;
  readonly unit: string;
}

function amountOf(text: string): Amount | undefined {
  const groups = QUANTITY.exec(text)?.groups;
  if (!groups) return undefined;
  const unit = groups['unit'] ?? '';
  const size = UNITS.get(unit) ?? BILLION;
  const part = groups['part'] ?? '';
  const exponent = Number(groups['exponent'] ?? 0);
  const scaled = BigInt(`${groups['whole']}${part}`) * size * 10n ** BigInt(Math.max(exponent, 0));
  return { billionths: dividedUp(scaled, 10n ** BigInt(part.length + Math.max(-exponent, 0))), unit };
}

export function isQuantity(text: string): boolean {
  return amountOf(text) !== undefined;
}

/** Whether both say the same amount: the server writes `1.5Gi` as `1536Mi`. */
export function sameQuantity(one: string, other: string): boolean {
  const first = amountOf(one);
  const second = amountOf(other);
  return first !== undefined && second !== undefined && first.billionths === second.billionths;
}

/** False also for what is no quantity. */
export function isLess(one: string, other: string): boolean {
  const first = amountOf(one);
  const second = amountOf(other);
  return first !== undefined && second !== undefined && first.billionths < second.billionths;
}

export function isFactor(value: unknown): value is string {
  return typeof value === 'string' && FACTOR.test(value);
}

/** In thousandths. */
function thousandths(factor: string): bigint {
  const groups = FACTOR.exec(factor)?.groups;
  return groups ? BigInt(`${groups['whole']}${(groups['part'] ?? '').padEnd(3, '0')}`) : 0n;
}

/** A multiple of a quantity in its own unit, or the next smaller one it is whole in; undefined for what is none. */
export function multiplied(quantity: string, factor: string): string | undefined {
  const amount = amountOf(quantity);
  const times = thousandths(factor);
  if (!amount || times === 0n) return undefined;
  const wanted = dividedUp(amount.billionths * times, 1000n);
  const family = BINARY.includes(amount.unit) && amount.unit !== '' ? BINARY : DECIMAL;
  const units = family.slice(family.indexOf(amount.unit));
  // A thousandth of a byte or a millionth of a core helps nobody: what is still broken there is rounded up.
  const last = family === BINARY ? '' : 'm';
  for (const unit of units) {
    const size = UNITS.get(unit) ?? BILLION;
    if (wanted % size === 0n) return `${wanted / size}${unit}`;
    if (unit === last) return `${dividedUp(wanted, size)}${unit}`;
  }
  return undefined;
}

/** A multiple of a count or of seconds, rounded up. */
export function multipliedInteger(value: number, factor: string): number | undefined {
  const times = thousandths(factor);
  if (!Number.isSafeInteger(value) || value < 0 || times === 0n) return undefined;
  return Number(dividedUp(BigInt(value) * times, 1000n));
}

function dividedUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}
