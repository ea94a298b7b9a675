/** How much a collection may take; every field has a default that suits a laptop. */
export interface Limits {
  /** Documents up to this size carry their bytes; larger ones are streamed. */
  readonly heldBytes?: number;
  /** Standard input is kept in memory up to this size, and on disk beyond it. */
  readonly stdinHeldBytes?: number;
  /** Most bytes that archives and pipes may yield together. */
  readonly unpackedBytes?: number;
  /** Most archive entries read in one collection. */
  readonly entries?: number;
  /** An archive may grow this many times its size once it passed `freeUnpackedBytes`. */
  readonly expansion?: number;
  readonly freeUnpackedBytes?: number;
  /** How many archives may lie inside one another. */
  readonly depth?: number;
  /** Where large members are kept while they are read; the system's temporary folder unless given. */
  readonly temporaryFolder?: string;
}

const MEGABYTE = 1024 * 1024;

const DEFAULTS = {
  heldBytes: 8 * MEGABYTE,
  stdinHeldBytes: 32 * MEGABYTE,
  unpackedBytes: 8 * 1024 * MEGABYTE,
  entries: 200_000,
  expansion: 200,
  freeUnpackedBytes: 64 * MEGABYTE,
  depth: 3,
} as const;

export type ResolvedLimits = Readonly<Record<keyof typeof DEFAULTS, number>> & { readonly temporaryFolder?: string };

export function resolveLimits(limits: Limits = {}): ResolvedLimits {
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...Object.fromEntries(given) };
}

/** Reading ended before the data did, for the reason in the message, which is worded for users. */
export class CutShort extends Error {
  override readonly name = 'CutShort';
}

/** Counts what archives and pipes yield over a whole collection. */
export class Budget {
  readonly limits: ResolvedLimits;
  #unpacked = 0;
  #entries = 0;

  constructor(limits: ResolvedLimits) {
    this.limits = limits;
  }

  spend(bytes: number): void {
    this.#unpacked += bytes;
    if (this.#unpacked > this.limits.unpackedBytes) {
      throw new CutShort(`not read to the end: archives and pipes gave more than ${formatBytes(this.limits.unpackedBytes)}`);
    }
  }

  /** False once there were too many. */
  countEntry(): boolean {
    this.#entries += 1;
    return this.#entries <= this.limits.entries;
  }
}

/** Stops an archive that grows out of proportion. */
export class ExpansionGuard {
  readonly #budget: Budget;
  #packed: number;
  #unpacked = 0;

  constructor(budget: Budget, packed = 0) {
    this.#budget = budget;
    this.#packed = packed;
  }

  took(bytes: number): void {
    this.#packed += bytes;
  }

  gave(bytes: number): void {
    this.#unpacked += bytes;
    this.#budget.spend(bytes);
    const { expansion, freeUnpackedBytes } = this.#budget.limits;
    if (this.#unpacked > freeUnpackedBytes && this.#unpacked > this.#packed * expansion) {
      throw new CutShort(
        `not read to the end: it grows more than ${expansion}-fold when unpacked (stopped after ${formatBytes(this.#unpacked)})`,
      );
    }
  }
}

export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let amount = bytes;
  let unit = 0;
  while (amount >= 1024 && unit < units.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  return `${Number.isInteger(amount) ? amount : amount.toFixed(1)} ${units[unit]}`;
}
