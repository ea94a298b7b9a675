import type { Scenario } from '../scenario.ts';

export interface Lanes<T> {
  /** One after the other, before everything else: they change every node. */
  readonly everyNode: readonly T[];
  /** Several at a time, while the cluster has no other nodes. */
  readonly scheduling: readonly T[];
  /** Several at a time. */
  readonly beside: readonly T[];
  /** One after the other, when nobody else has pods on that node any more. */
  readonly onNode: readonly T[];
  /** One after the other, beside the last two: nobody else has pods on the virtual machine. */
  readonly onVm: readonly T[];
}

export function lanes<T extends Pick<Scenario, 'on' | 'scheduling'>>(scenarios: readonly T[]): Lanes<T> {
  const of = (on: Scenario['on'], scheduling: boolean): readonly T[] =>
    scenarios.filter((one) => one.on === on && (one.scheduling === true) === scheduling);
  return {
    everyNode: of('worker-a', true),
    scheduling: of('cluster', true),
    beside: of('cluster', false),
    onNode: of('worker-a', false),
    onVm: scenarios.filter(({ on }) => on === 'vm-a'),
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
