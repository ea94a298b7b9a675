import type { Scenario } from '../scenario.ts';

export interface Batches<T> {
  /** Several of these at a time. */
  readonly beside: readonly T[];
  /** One after the other, and nothing else meanwhile. */
  readonly alone: readonly T[];
}

/** Those that break a node come last, because pods of the others run on it. */
export function batches<T extends Pick<Scenario, 'on'>>(scenarios: readonly T[]): Batches<T> {
  return {
    beside: scenarios.filter(({ on }) => on === 'cluster'),
    alone: [...scenarios.filter(({ on }) => on === 'worker-a'), ...scenarios.filter(({ on }) => on === 'vm-a')],
  };
}

/** Results in the order of the items, whatever finishes first. */
export async function pooled<T, R>(items: readonly T[], limit: number, work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (;;) {
      const index = next;
      next += 1;
      const item = items[index];
      if (index >= items.length || item === undefined) return;
      results[index] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
