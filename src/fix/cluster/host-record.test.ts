import { describe, expect, it } from 'vitest';
import { applyCluster } from './apply-cluster.ts';
import { recordHosts } from './host-record.ts';
import { listFixes } from './list-fixes.ts';
import { resumeCluster } from './resume-cluster.ts';
import { ID, quietly, RECORD, startShop, testClock, threePatches } from './testing-fixes.ts';
import { undoCluster } from './undo-cluster.ts';

const { options } = testClock();

describe('hosts that were changed from afar', () => {
  it('are in the journal, each with how far it is', async () => {
    const shop = await startShop();
    await recordHosts(shop.port, RECORD, [{ node: 'n1', state: 'begun' }]);
    expect(await listFixes(shop.port)).toMatchObject([{ ...RECORD, state: 'begun', steps: [], hosts: [{ node: 'n1', state: 'begun' }] }]);
    await recordHosts(shop.port, RECORD, [
      { node: 'n1', state: 'done' },
      { node: 'n2', state: 'done' },
    ]);
    expect(await listFixes(shop.port)).toMatchObject([
      {
        state: 'done',
        hosts: [
          { node: 'n1', state: 'done' },
          { node: 'n2', state: 'done' },
        ],
      },
    ]);
    await recordHosts(shop.port, RECORD, [
      { node: 'n1', state: 'undone' },
      { node: 'n2', state: 'rolled-back' },
    ]);
    expect(await listFixes(shop.port)).toMatchObject([{ state: 'undone' }]);
  });

  it('may come at the same time', async () => {
    const shop = await startShop();
    const nodes = ['n1', 'n2', 'n3', 'n4', 'n5'];
    await Promise.all(nodes.map((node) => recordHosts(shop.port, RECORD, [{ node, state: 'done' }])));
    const [fix] = await listFixes(shop.port);
    expect(fix?.hosts.map(({ node }) => node).sort()).toEqual(nodes);
  });

  it('stay when steps in the cluster follow, and when those are undone', async () => {
    const shop = await startShop();
    await recordHosts(shop.port, RECORD, [{ node: 'n1', state: 'done' }]);
    expect(await applyCluster(shop.port, threePatches(shop), RECORD, quietly, options)).toMatchObject({ state: 'done' });
    const hosts = [{ node: 'n1', state: 'done' }];
    expect(await listFixes(shop.port)).toMatchObject([{ state: 'done', hosts, steps: [{}, {}, {}] }]);
    expect(await undoCluster(shop.port, ID, quietly, options)).toMatchObject({ state: 'undone' });
    expect(await listFixes(shop.port)).toMatchObject([{ state: 'undone', hosts }]);
  });

  it('without steps in the cluster leave nothing to resume or undo there', async () => {
    const shop = await startShop();
    await recordHosts(shop.port, RECORD, [{ node: 'n1', state: 'done' }]);
    expect(await resumeCluster(shop.port, ID, quietly, options)).toMatchObject({ state: 'done', steps: [] });
    expect(await undoCluster(shop.port, ID, quietly, options)).toMatchObject({ state: 'undone', steps: [] });
    expect(await listFixes(shop.port)).toMatchObject([{ state: 'done', hosts: [{ node: 'n1', state: 'done' }] }]);
  });

  it('are refused by names that are none', async () => {
    const shop = await startShop();
    await expect(recordHosts(shop.port, RECORD, [{ node: 'n1\u001b[0m', state: 'done' }])).rejects.toThrow('no name of a node');
    await expect(recordHosts(shop.port, { ...RECORD, id: '../x' }, [{ node: 'n1', state: 'done' }])).rejects.toThrow('no id');
    expect(shop.writes()).toEqual([]);
  });
});
