import { describe, expect, it } from 'vitest';
import { batches, pooled } from './schedule.ts';

describe('batches', () => {
  it('keeps those that need a node for themselves apart, virtual machines last', () => {
    const scenarios = [{ on: 'vm-a' }, { on: 'worker-a' }, { on: 'cluster' }, { on: 'cluster' }] as const;
    expect(batches(scenarios)).toEqual({ beside: [{ on: 'cluster' }, { on: 'cluster' }], alone: [{ on: 'worker-a' }, { on: 'vm-a' }] });
  });
});

describe('pooled', () => {
  it('never runs more than allowed, and keeps the order', async () => {
    let running = 0;
    let most = 0;
    const results = await pooled([5, 1, 4, 2, 3], 2, async (item) => {
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
      running -= 1;
      return item * 10;
    });
    expect(results).toEqual([50, 10, 40, 20, 30]);
    expect(most).toBe(2);
  });

  it('has nothing to do for nothing', async () => {
    expect(await pooled([], 3, async () => 1)).toEqual([]);
  });
});
