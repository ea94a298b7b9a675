import { describe, expect, it } from 'vitest';
import { lanes, pooled } from './schedule.ts';

describe('lanes', () => {
  it('keeps apart what would disturb each other', () => {
    const everyNode = { on: 'worker-a', scheduling: true } as const;
    const scheduling = { on: 'cluster', scheduling: true } as const;
    const beside = { on: 'cluster' } as const;
    const onNode = { on: 'worker-a' } as const;
    const onVm = { on: 'vm-a' } as const;
    expect(lanes([onVm, beside, onNode, everyNode, scheduling, beside])).toEqual({
      everyNode: [everyNode],
      scheduling: [scheduling],
      beside: [beside, beside],
      onNode: [onNode],
      onVm: [onVm],
    });
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
