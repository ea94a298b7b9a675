import { describe, expect, it } from 'vitest';
import { resumeCluster } from './resume-cluster.ts';
import { afterwards, applied, cuttableLine, eventsOf, WAYS } from './testing-cuts.ts';
import { ID, JOURNAL, quietly, type Shop, specsOf, twoPatches } from './testing-fixes.ts';
import { undoCluster } from './undo-cluster.ts';

/** Everything podcause changes as it is before and after a whole run. */
async function beforeAndAfter(shop: Shop) {
  const restore = shop.save();
  const before = specsOf(shop);
  expect(await applied(shop, twoPatches(shop))).toMatchObject({ state: 'done' });
  const after = specsOf(shop);
  restore();
  expect(after).not.toEqual(before);
  return { before, after };
}

describe.each(WAYS)('a run with a fault (%s a write, for good: %s)', (cut, forGood) => {
  it('leaves, at every write, what can be finished and what can be taken back', { timeout: 60_000 }, async () => {
    const { shop, cutting, counting } = await cuttableLine();
    const { before, after } = await beforeAndAfter(shop);
    const plan = twoPatches(shop);
    const restart = shop.save();
    const count = await counting(() => applied(shop, plan));
    expect(count).toBeGreaterThan(15);
    for (let at = 0; at < count; at++) {
      restart();
      const outcome = await cutting(at, cut, forGood, () => applied(shop, plan));
      const hasJournal = shop.get(JOURNAL) !== undefined;
      if (outcome.state === 'refused') expect([at, specsOf(shop)]).toEqual([at, before]);
      const restore = shop.save();

      const resumed = await resumeCluster(shop.port, ID, quietly, afterwards);
      expect([at, resumed.state, specsOf(shop)]).toEqual([at, hasJournal ? 'done' : 'refused', hasJournal ? after : before]);
      // An event that is refused is not written later.
      if (cut !== 'refused') expect(eventsOf(shop, 'PodcauseFix')).toHaveLength(hasJournal ? 2 : 0);

      restore();
      const undone = await undoCluster(shop.port, ID, quietly, afterwards);
      expect([at, undone.state, specsOf(shop)]).toEqual([at, hasJournal ? 'undone' : 'refused', before]);
    }
  });
});

describe.each(WAYS)('an undo with a fault (%s a write, for good: %s)', (cut, forGood) => {
  it('is finished by the next one, at every write', { timeout: 60_000 }, async () => {
    const { shop, cutting, counting } = await cuttableLine();
    const before = specsOf(shop);
    await applied(shop, twoPatches(shop));
    const restart = shop.save();
    const undo = () => undoCluster(shop.port, ID, quietly, afterwards);
    const count = await counting(undo);
    for (let at = 0; at < count; at++) {
      restart();
      await cutting(at, cut, forGood, undo);
      expect([at, (await undo()).state, specsOf(shop)]).toEqual([at, 'undone', before]);
      if (cut !== 'refused') expect(eventsOf(shop, 'PodcauseUndo')).toHaveLength(2);
    }
  });
});
