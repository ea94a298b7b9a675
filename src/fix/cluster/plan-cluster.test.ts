import { describe, expect, it } from 'vitest';
import { serve } from '../../collect/cluster/testing-api.ts';
import { open } from '../../collect/cluster/testing-ports.ts';
import type { ClusterChange } from '../../model/change.ts';
import { planCluster } from './plan-cluster.ts';
import * as make from './testing-objects.ts';
import { patchIn, planned, raise } from './testing-plan.ts';
import { type Stored, startApi } from './testing-plan-api.ts';

const everything: readonly ClusterChange[] = [
  raise,
  { do: 'workload-add', field: 'tolerations', value: { key: 'a', operator: 'Exists' } },
  { do: 'workload-unset', container: 'app', field: 'livenessProbe' },
  { do: 'object-set', object: 'ResourceQuota/shop/team', field: 'spec.hard.pods', value: 20 },
  { do: 'uncordon', node: 'n1' },
  { do: 'remove-finalizer', object: 'PersistentVolumeClaim/shop/data' },
  { do: 'rollout-undo' },
  { do: 'restart-pods' },
];

/** As a report from anywhere may have it, past all types. */
function given(change: unknown): ClusterChange {
  return change as ClusterChange;
}

describe('a plan', () => {
  it('puts objects first and pods last', async () => {
    const victim = make.pod('web-0', { metadata: make.ownedBy('StatefulSet', 'web'), ready: false });
    const ending = make.claim({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a.test/x'] } });
    const changes = everything.filter(({ do: what }) => what !== 'rollout-undo').toReversed();
    const plan = await planned(changes, {
      objects: [make.statefulSet(), victim, make.quota(), make.node(), ending],
      victim: 'Pod/shop/web-0',
    });
    expect(plan.steps.map(({ kind, object }) => `${kind} ${object.kind}`)).toEqual([
      'patch Node',
      'patch ResourceQuota',
      'patch StatefulSet',
      'remove-finalizer PersistentVolumeClaim',
      'restart-pod Pod',
    ]);
    expect(plan).toMatchObject({ cause: 'some-cause', refused: [] });
  });

  it('is words only where everything is forbidden', async () => {
    const plan = await planned(everything, { forbids: () => true });
    expect(plan.steps).toEqual([]);
    expect(plan.refused.length).toBeGreaterThan(2);
  });

  it('is not made where nobody answers', async () => {
    const { url } = await serve((request) => request.socket.destroy());
    const planning = planCluster(open(url), [raise], make.incident('Pod/shop/web-0'), make.NO_ANSWERS);
    await expect(planning).rejects.toThrow();
  });
});

describe('a hostile report', () => {
  it.each([
    null,
    'restart-pods',
    {},
    { do: 'constructor' },
    { do: 'exec', command: 'id' },
    { do: 'workload-set', field: 7, value: 1 },
    { do: 'workload-set', container: '\u001b[31m', field: 'image', value: 'x' },
    { do: 'workload-add', field: 'tolerations', value: 'x' },
    { do: 'object-set', object: 'Deployment/../../secrets', field: 'spec.replicas', value: 1 },
    { do: 'object-set', object: 'Deployment/shop/web/../x', field: 'spec.replicas', value: 1 },
    { do: 'remove-finalizer', object: 'Namespace/a b' },
    { do: 'remove-finalizer', object: 'Namespace/old', finalizer: 'x\ny' },
    { do: 'uncordon', node: '../../../api/v1/secrets' },
    { do: 'uncordon', node: '' },
  ])('asks the server for nothing: %j', async (change) => {
    const plan = await planned([given(change)]);
    expect(plan.steps).toEqual([]);
    expect(plan.refused).toHaveLength(1);
    expect(plan.refused[0]).not.toMatch(/\p{Cc}/u);
    expect(plan.api.asked).toEqual([]);
  });

  it.each([{ ask: 'x y', says: 'z' }, { ask: 'image' }, { ask: '--set', says: 'x' }, null, [], Number.NaN])(
    'has no value that can be used: %j',
    async (value) => {
      const plan = await planned([given({ do: 'workload-set', container: 'app', field: 'image', value })]);
      expect(plan.steps).toEqual([]);
      expect(plan.refused).toHaveLength(1);
    },
  );

  it.each(['Pod/shop/\u001b[2Jx', 'Pod/shop/../../x', 'uid:123', 'Cluster/-', '', 'Pod/?/web-0', 'Workload/Secret/shop/x'])(
    'names a victim that is none: %j',
    async (victim) => {
      const plan = await planned([raise], { victim });
      expect(plan.steps).toEqual([]);
      expect(plan.refused.join()).not.toMatch(/\p{Cc}/u);
      expect(plan.api.asked).toEqual([]);
    },
  );

  it('with very many victims is looked at in part', async () => {
    const api = await startApi(make.shop());
    const victims = Array.from({ length: 500 }, (_, index) => `Pod/shop/p${index}`);
    const plan = await planCluster(api.port, [raise], { cause: 'c', placeId: 'Node/n1', victims }, make.NO_ANSWERS);
    expect(plan.refused).toHaveLength(1);
    expect(new Set(api.asked.map(({ path }) => path)).size).toBeLessThanOrEqual(200);
  });
});

describe('a hostile object', () => {
  it.each<readonly [string, Stored]>([
    ['no spec', { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'shop', uid: 'uid-Deployment-web' } }],
    [
      'a spec that is none',
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'shop', uid: 'uid-Deployment-web' }, spec: 'x' },
    ],
    ['no containers', make.deployment({ spec: { template: { spec: { containers: null } } } })],
    ['containers that are none', make.deployment({ spec: { template: { spec: { containers: [7, null, { name: 5 }] } } } })],
    [
      'metadata that is none',
      make.deployment({ metadata: { labels: 7, annotations: [], ownerReferences: 'x', managedFields: {} }, spec: { template: 7 } }),
    ],
  ])('with %s is refused in words', async (_what, deployment) => {
    const plan = await planned([raise], { objects: [deployment, make.replicaSet(), make.pod()] });
    expect(plan.steps).toEqual([]);
    expect(plan.refused).toEqual(['Deployment shop/web: container app, resources.limits.memory: it has no container app']);
  });

  it('with escape codes in its names shows none', async () => {
    const pods = make.pod('web-6b7f-abcde', { metadata: { ...make.ownedBy('ReplicaSet', 'web-6b7f'), labels: { app: 'web' } } });
    const evil = { ...make.pod('evil'), metadata: { name: '\u001b[31mevil', namespace: 'shop', labels: { app: 'web' }, uid: 'u' } };
    const metadata = { managedFields: [{ manager: '\u001b[31mx-operator', operation: 'Update', fieldsV1: { 'f:spec': {} } }] };
    const api = await startApi([make.deployment({ metadata }), make.replicaSet(), pods]);
    api.objects.set('/api/v1/namespaces/shop/pods/evil', evil);
    const plan = await planCluster(api.port, [raise], make.incident('Pod/shop/web-6b7f-abcde'), make.NO_ANSWERS);
    expect(patchIn(plan).owner?.what).toContain('x-operator');
    expect(plan.affected.join()).toContain('evil');
    expect(JSON.stringify(plan)).not.toContain('\\u001b');
  });

  it('that is large is not repeated in the plan', async () => {
    const big = make.deployment({ metadata: { annotations: { filler: 'x'.repeat(1_000_000) } } });
    const plan = await planned([raise], { objects: [big, make.replicaSet(), make.pod()] });
    expect(JSON.stringify(patchIn(plan)).length).toBeLessThan(10_000);
  });

  it('that is larger than any is refused', async () => {
    const filler = Buffer.alloc(17 * 1024 * 1024, 'x');
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"a":"');
      response.write(filler);
      response.end('"}');
    });
    const plan = await planCluster(open(url), [raise], make.incident('Pod/shop/web-0'), make.NO_ANSWERS);
    expect(plan.steps).toEqual([]);
    expect(plan.refused[0]).toContain('no object');
  });

  it('that is nested without end is refused', async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`);
    });
    const plan = await planCluster(open(url), [raise], make.incident('Pod/shop/web-0'), make.NO_ANSWERS);
    expect(plan.steps).toEqual([]);
    expect(plan.refused[0]).toContain('no object');
  });

  it('that owns itself in a ring ends', async () => {
    const one = make.replicaSet('one', { metadata: make.ownedBy('ReplicaSet', 'two') });
    const two = make.replicaSet('two', { metadata: make.ownedBy('ReplicaSet', 'one') });
    const plan = await planned([raise], { objects: [one, two], victim: 'Workload/ReplicaSet/shop/one' });
    expect(plan.steps).toHaveLength(1);
  });
});
