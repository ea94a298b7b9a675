import { describe, expect, it } from 'vitest';
import { applyCluster } from './apply-cluster.ts';
import { recordHosts } from './host-record.ts';
import { valueAt } from './json-pointer.ts';
import { listFixes } from './list-fixes.ts';
import { noteAhead, withdrawNote } from './note-ahead.ts';
import { resumeCluster } from './resume-cluster.ts';
import { ID, MEMORY, patchStep, planOf, quietly, RECORD, type Shop, startShop, testClock, threePatches, WEB } from './testing-fixes.ts';
import { undoCluster } from './undo-cluster.ts';

const { options } = testClock();

async function noted(state: 'begun' | 'done' | 'rolled-back'): Promise<Shop> {
  const shop = await startShop();
  await noteAhead(shop.port, threePatches(shop), RECORD, options);
  await recordHosts(shop.port, RECORD, [{ node: 'n1', state }]);
  return shop;
}

const memoryOf = (shop: Shop) => valueAt(shop.get(WEB), MEMORY);

describe('steps noted before the hosts are changed', () => {
  it('change nothing by themselves', async () => {
    const shop = await noted('begun');
    expect(memoryOf(shop)).toBe('64Mi');
    expect(await listFixes(shop.port)).toMatchObject([{ id: ID, state: 'begun', hosts: [{ node: 'n1' }], steps: [{}, {}, {}] }]);
  });

  it('are done by the same run when the hosts are', async () => {
    const shop = await noted('done');
    expect(await applyCluster(shop.port, threePatches(shop), RECORD, quietly, options)).toMatchObject({ state: 'done' });
    expect(memoryOf(shop)).toBe('128Mi');
    expect(await applyCluster(shop.port, threePatches(shop), RECORD, quietly, options)).toMatchObject({ state: 'refused' });
  });

  it('are done by a resume when the run was cut off after the hosts', async () => {
    const shop = await noted('done');
    expect(await resumeCluster(shop.port, ID, quietly, options)).toMatchObject({ state: 'done' });
    expect(memoryOf(shop)).toBe('128Mi');
    expect(await undoCluster(shop.port, ID, quietly, options)).toMatchObject({ state: 'undone' });
    expect(memoryOf(shop)).toBe('64Mi');
  });

  it.each(['begun', 'rolled-back'] as const)('are left alone by a resume while a host is %s, and closed by an undo', async (state) => {
    const shop = await noted(state);
    expect(await resumeCluster(shop.port, ID, quietly, options)).toMatchObject({ state: 'refused', why: expect.stringContaining('n1') });
    expect(await undoCluster(shop.port, ID, quietly, options)).toMatchObject({ state: 'undone' });
    expect(memoryOf(shop)).toBe('64Mi');
  });

  it('are withdrawn when the hosts were put back, but not once they were begun', async () => {
    const back = await noted('rolled-back');
    await withdrawNote(back.port, ID);
    expect(await listFixes(back.port)).toMatchObject([{ state: 'undone', steps: [] }]);
    const done = await noted('done');
    await resumeCluster(done.port, ID, quietly, options);
    await withdrawNote(done.port, ID);
    expect(await listFixes(done.port)).toMatchObject([{ state: 'done', steps: [{}, {}, {}] }]);
  });

  it('are not noted where they will be refused', async () => {
    const shop = await startShop();
    const step = { ...patchStep(shop, WEB, MEMORY, '128Mi'), dryRun: { outcome: 'refused', why: 'no' } } as const;
    await noteAhead(shop.port, planOf(step), RECORD, options);
    expect(await listFixes(shop.port)).toEqual([]);
  });
});
