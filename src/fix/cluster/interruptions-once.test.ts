import { describe, expect, it } from 'vitest';
import { valueAt } from './json-pointer.ts';
import { resumeCluster } from './resume-cluster.ts';
import { afterwards, applied, cuttableLine, WAYS } from './testing-cuts.ts';
import {
  CLAIM,
  finalizerStep,
  ID,
  JOURNAL,
  MEMORY,
  POD,
  planOf,
  quietly,
  restartStep,
  rolloutStep,
  type Shop,
  WEB,
} from './testing-fixes.ts';
import { undoCluster } from './undo-cluster.ts';

function seen(shop: Shop) {
  return { hasPod: shop.get(POD) !== undefined, hasClaim: shop.get(CLAIM) !== undefined, memory: valueAt(shop.get(WEB), MEMORY) };
}

const BEFORE = { hasPod: true, hasClaim: true, memory: '64Mi' };
const AFTER = { hasPod: false, hasClaim: false, memory: '32Mi' };

describe.each(WAYS)('steps that have no way back, with a fault (%s a write, for good: %s)', (cut, forGood) => {
  it('are done once, and kept only where they were done', { timeout: 60_000 }, async () => {
    const { shop, cutting, counting } = await cuttableLine();
    const plan = planOf(restartStep('eviction'), finalizerStep(), rolloutStep());
    const restart = shop.save();
    const count = await counting(() => applied(shop, plan));
    for (let at = 0; at < count; at++) {
      restart();
      await cutting(at, cut, forGood, () => applied(shop, plan));
      const hasJournal = shop.get(JOURNAL) !== undefined;
      const cutAt = seen(shop);
      const restore = shop.save();

      const resumed = await resumeCluster(shop.port, ID, quietly, afterwards);
      expect([at, resumed.state, seen(shop)]).toEqual([at, hasJournal ? 'done' : 'refused', hasJournal ? AFTER : BEFORE]);

      restore();
      const { steps } = await undoCluster(shop.port, ID, quietly, afterwards);
      expect([at, seen(shop)]).toEqual([at, { ...cutAt, memory: '64Mi' }]);
      expect([at, steps[0]?.state === 'kept', steps[1]?.state === 'kept']).toEqual([at, !cutAt.hasPod, !cutAt.hasClaim]);
    }
  });
});
