import { describe, expect, it } from 'vitest';
import { applyCluster } from './apply-cluster.ts';
import { valueAt } from './json-pointer.ts';
import { LEASE, NODE, QUOTA, quietly, RECORD, type Shop, specsOf, startShop, testClock, threePatches } from './testing-fixes.ts';

const OTHER = { ...RECORD, id: 'other' };
const SECOND = 'theo@attic:7';

function heldLease(shop: Shop, holder: string, secondsAgo: number): void {
  const at = new Date(Date.now() - secondsAgo * 1000).toISOString().replace('Z', '000Z');
  shop.change(LEASE, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    spec: { holderIdentity: holder, acquireTime: at, renewTime: at },
  });
}

describe('the lock', () => {
  it('refuses a second run while one is under way, and says whose that is', async () => {
    const shop = await startShop();
    const plan = threePatches(shop);
    let second: Awaited<ReturnType<typeof applyCluster>> | undefined;
    const first = await applyCluster(
      shop.port,
      plan,
      RECORD,
      async ({ state }) => {
        if (state === 'begun') second ??= await applyCluster(shop.connect(), plan, OTHER, quietly, testClock({ holder: SECOND }).options);
      },
      testClock().options,
    );
    expect(first.state).toBe('done');
    expect(second).toMatchObject({ state: 'refused', why: expect.stringContaining('another run is under way: marla@desk:41, since') });
    expect(shop.paths().some((path) => path.endsWith('podcause-fix-other'))).toBe(false);
  });

  it('lets one of two that begin at the same moment through', async () => {
    const shop = await startShop();
    const plan = threePatches(shop);
    const outcomes = await Promise.all([
      applyCluster(shop.port, plan, RECORD, quietly, testClock().options),
      applyCluster(shop.connect(), plan, OTHER, quietly, testClock({ holder: SECOND }).options),
    ]);
    const states = outcomes.map(({ state }) => state).sort();
    // The later one may begin when the earlier is through; then it finds everything done.
    expect([
      ['done', 'refused'],
      ['done', 'done'],
    ]).toContainEqual(states);
    expect(shop.writes().filter((write) => write === `PATCH ${QUOTA}`)).toHaveLength(1);
  });

  it.each([
    ['is held', 100, undefined, 'refused'],
    ['is stale', 121, undefined, 'done'],
    ['is of a time to come', -200, undefined, 'done'],
    ['is held by one that is known to be dead', 1, (holder: string) => holder === SECOND, 'done'],
    ['is held by one that is known to live', 1, () => false, 'refused'],
  ] as const)('when it %s', async (_when, secondsAgo, gone, state) => {
    const shop = await startShop();
    heldLease(shop, SECOND, secondsAgo);
    const before = specsOf(shop);
    const outcome = await applyCluster(shop.port, threePatches(shop), RECORD, quietly, testClock(gone ? { gone } : {}).options);
    expect(outcome.state).toBe(state);
    if (state === 'refused') expect(specsOf(shop)).toEqual(before);
  });

  it('is taken for held by the clock of the server, however wrong our own is', async () => {
    const shop = await startShop();
    heldLease(shop, SECOND, 10);
    for (const now of [0, Date.parse('2040-01-01T00:00:00Z')]) {
      const outcome = await applyCluster(shop.port, threePatches(shop), RECORD, quietly, testClock({ now: () => now }).options);
      expect(outcome.state).toBe('refused');
    }
  });

  it('stops a run that lost it, without another write to its journal or to an object', async () => {
    const shop = await startShop();
    let writes = 0;
    const outcome = await applyCluster(
      shop.port,
      threePatches(shop),
      RECORD,
      ({ index, state }) => {
        if (index !== 0 || state !== 'done') return;
        heldLease(shop, SECOND, 0);
        writes = shop.writes().length;
      },
      testClock().options,
    );
    expect(outcome).toMatchObject({ state: 'stopped', why: 'another run has taken the lock; this one lost it' });
    expect(new Set(shop.writes().slice(writes))).toEqual(new Set([`PUT ${LEASE}`]));
    expect(valueAt(shop.get(LEASE), ['spec', 'holderIdentity'])).toBe(SECOND);
    expect(valueAt(shop.get(NODE), ['spec', 'unschedulable'])).toBe(true);
  });

  it('shows no escape codes of a holder', async () => {
    const shop = await startShop();
    heldLease(shop, 'theo\u001b[31m\u202e@attic', 1);
    const { why } = await applyCluster(shop.port, threePatches(shop), RECORD, quietly, testClock().options);
    expect(why).toMatch(/^another run is under way: theo \[31m @attic,/);
  });
});
