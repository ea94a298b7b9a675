import { describe, expect, it } from 'vitest';
import { applyCluster } from './apply-cluster.ts';
import type { ClusterStep } from './cluster-plan.ts';
import { valueAt } from './json-pointer.ts';
import {
  CLAIM,
  finalizerStep,
  JOURNAL,
  LEASE,
  MEMORY,
  POD,
  planOf,
  quietly,
  RECORD,
  restartStep,
  rolloutStep,
  type Shop,
  startShop,
  testClock,
  WEB,
} from './testing-fixes.ts';

function apply(api: Shop, step: ClusterStep, more = {}) {
  return applyCluster(api.port, planOf(step), RECORD, quietly, testClock(more).options);
}

describe('restarting a pod', () => {
  it('waits for its disruption budget, and keeps the lock meanwhile', async () => {
    const budgeted = new Set(['web-2-abcde']);
    const api = await startShop({ budgeted });
    const began = Date.parse('2026-03-01T12:00:00Z');
    const clock = testClock({
      wait: async (milliseconds) => {
        clock.now += milliseconds;
        if (clock.now - began > 40_000) budgeted.clear();
      },
    });
    const outcome = await applyCluster(api.port, planOf(restartStep('eviction')), RECORD, quietly, clock.options);
    expect(outcome).toMatchObject({ state: 'done' });
    expect(api.get(POD)).toBeUndefined();
    expect(clock.now - began).toBeGreaterThanOrEqual(40_000);
    expect(api.writes().filter((write) => write === `PUT ${LEASE}`).length).toBeGreaterThan(3);
  });

  it('stops when the budget gives no way', async () => {
    const api = await startShop({ budgeted: new Set(['web-2-abcde']) });
    const outcome = await apply(api, restartStep('eviction'), { patienceMilliseconds: 20_000 });
    expect(outcome).toMatchObject({ state: 'stopped', why: expect.stringContaining('disruption budget'), steps: [{ state: 'planned' }] });
    expect(api.get(POD)).toBeDefined();
  });

  it('stops when the pod does not go', async () => {
    const api = await startShop();
    api.change(POD, { metadata: { finalizers: ['example.test/hold'] } });
    const outcome = await apply(api, restartStep('deletion'), { patienceMilliseconds: 20_000 });
    expect(outcome).toMatchObject({
      state: 'stopped',
      why: expect.stringContaining('still there after 20 s'),
      steps: [{ state: 'begun' }],
    });
  });

  it.each(['eviction', 'deletion'] as const)('leaves a successor of the same name alone (%s)', async (by) => {
    const api = await startShop();
    api.change(POD, { metadata: { uid: 'uid-successor' } });
    expect(await apply(api, restartStep(by))).toMatchObject({ state: 'done', steps: [{ state: 'skipped' }] });
    expect(api.get(POD)).toMatchObject({ metadata: { uid: 'uid-successor' } });
  });
});

describe('other steps', () => {
  it('goes back to an earlier revision', async () => {
    const api = await startShop();
    expect(await apply(api, rolloutStep())).toMatchObject({ state: 'done', steps: [{ state: 'done' }] });
    expect(valueAt(api.get(WEB), MEMORY)).toBe('32Mi');
    expect(JSON.stringify(api.get(JOURNAL))).not.toContain('32Mi');
  });

  it('removes a finalizer', async () => {
    const api = await startShop();
    expect(await apply(api, finalizerStep())).toMatchObject({ state: 'done' });
    expect(api.get(CLAIM)).toBeUndefined();
  });
});
