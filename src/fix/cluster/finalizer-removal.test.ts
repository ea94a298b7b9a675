import { describe, expect, it } from 'vitest';
import type { ClusterChange } from '../../model/change.ts';
import * as make from './testing-objects.ts';
import { planned, type Setup } from './testing-plan.ts';
import type { Stored } from './testing-plan-api.ts';

const ENDING = '2026-01-01T00:00:00Z';

function remove(object: string, finalizer?: string, setup: Setup = {}) {
  const change: ClusterChange = { do: 'remove-finalizer', object, ...(finalizer !== undefined ? { finalizer } : {}) };
  return planned([change], setup);
}

function claim(...finalizers: readonly string[]): Stored {
  return make.claim({ metadata: { deletionTimestamp: ENDING, finalizers } });
}

const CLAIM = 'PersistentVolumeClaim/shop/data';

describe('removing a finalizer', () => {
  it('shows what it protects and whose it is, and cannot be undone', async () => {
    const operator = make.pod('vault-operator-1', { metadata: { labels: {} } });
    const { steps, api } = await remove(CLAIM, 'vault.corp.test/hold', {
      objects: [claim('vault.corp.test/hold', 'other.test/x'), operator],
    });
    expect(steps).toMatchObject([
      {
        kind: 'remove-finalizer',
        finalizer: 'vault.corp.test/hold',
        at: 'metadata',
        uid: 'uid-PersistentVolumeClaim-data',
        risk: 'may-lose-data',
        says: `Remove finalizer vault.corp.test/hold from PersistentVolumeClaim shop/data, which has been in deletion since ${ENDING}`,
        diff: ['metadata.finalizers: - vault.corp.test/hold'],
        undo: expect.stringMatching(/^Cannot be undone/) as string,
        dryRun: { outcome: 'accepted' },
        notes: [
          'vault.corp.test/hold belongs to a program of vault.corp.test, which does something before the object goes; that will then not be done.',
          'These pods may be the controller that should take it away; see first what stops it: shop/vault-operator-1',
          'It stays for other.test/x.',
        ],
      },
    ]);
    expect(api.asked.find(({ method }) => method === 'PATCH')).toMatchObject({
      dryRun: true,
      body: [
        { op: 'test', path: '/metadata/uid' },
        { op: 'test', path: '/metadata/finalizers' },
        { op: 'replace', path: '/metadata/finalizers', value: ['other.test/x'] },
      ],
    });
  });

  it('takes the only one where none is named, but not one of several', async () => {
    expect((await remove(CLAIM, undefined, { objects: [claim('a.test/x')] })).steps).toHaveLength(1);
    const several = await remove(CLAIM, undefined, { objects: [claim('a.test/x', 'b.test/y')] });
    expect(several).toMatchObject({
      steps: [],
      refused: [expect.stringContaining('has several finalizers (a.test/x, b.test/y)') as string],
    });
  });

  it('is refused of what is not being deleted', async () => {
    const plan = await remove(CLAIM, 'a.test/x', { objects: [make.claim({ metadata: { finalizers: ['a.test/x'] } })] });
    expect(plan).toMatchObject({
      steps: [],
      refused: ['PersistentVolumeClaim shop/data is not being deleted, so its finalizers hold nothing up'],
    });
  });

  it('is refused as long as a pod uses the claim, or where that may not be read', async () => {
    const user = make.pod('web-0', { spec: { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }] } });
    const protection = 'kubernetes.io/pvc-protection';
    const used = await remove(CLAIM, protection, { objects: [claim(protection), user] });
    expect(used).toMatchObject({ steps: [], refused: [expect.stringContaining('is still used by pod web-0') as string] });
    const unread = await remove(CLAIM, protection, { objects: [claim(protection)], forbids: ({ path }) => path.endsWith('/pods') });
    expect(unread).toMatchObject({ steps: [], refused: [expect.stringContaining('its protection stays') as string] });
    expect((await remove(CLAIM, protection, { objects: [claim(protection)] })).steps).toHaveLength(1);
  });

  it('is refused as long as a volume is bound', async () => {
    const volume = {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv1', deletionTimestamp: ENDING, finalizers: ['kubernetes.io/pv-protection'] },
      spec: { claimRef: { namespace: 'shop', name: 'data' } },
      status: { phase: 'Bound' },
    };
    const plan = await remove('PersistentVolume/pv1', 'kubernetes.io/pv-protection', { objects: [volume] });
    expect(plan).toMatchObject({ steps: [], refused: [expect.stringContaining('still bound to claim shop/data') as string] });
  });

  it('goes through the door of a namespace, and says what is left in it', async () => {
    const namespace = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'old', deletionTimestamp: ENDING },
      spec: { finalizers: ['kubernetes'] },
      status: {
        conditions: [{ type: 'NamespaceContentRemaining', status: 'True', message: 'Some resources are remaining: things.test has 3' }],
      },
    };
    const { steps, api } = await remove('Namespace/old', 'kubernetes', { objects: [namespace] });
    expect(steps[0]).toMatchObject({ at: 'spec', dryRun: { outcome: 'accepted' } });
    expect(steps[0]?.notes).toContain('Left in it: Some resources are remaining: things.test has 3');
    expect(api.asked.filter(({ method }) => method === 'PUT')).toMatchObject([{ path: '/api/v1/namespaces/old/finalize', dryRun: true }]);
  });

  it('has nothing to do where the object or its finalizer is gone', async () => {
    expect(await remove(CLAIM, 'a.test/x', { objects: [] })).toMatchObject({
      steps: [],
      refused: [],
      notes: ['PersistentVolumeClaim shop/data is gone already.'],
    });
    expect((await remove(CLAIM, 'a.test/x', { objects: [claim('b.test/y')] })).notes[0]).toContain('has no finalizer a.test/x any more');
  });

  it('is refused of kinds that are for people, and shown to those who may not do it', async () => {
    expect((await remove('Secret/shop/login', 'a.test/x')).refused[0]).toContain('does not take away');
    const plan = await remove(CLAIM, 'a.test/x', { objects: [claim('a.test/x')], forbids: ({ method }) => method === 'PATCH' });
    expect(plan.steps[0]?.dryRun.outcome).toBe('forbidden');
  });
});
