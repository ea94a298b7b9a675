import { describe, expect, it } from 'vitest';
import type { ClusterChange } from '../../model/change.ts';
import { planCluster } from './plan-cluster.ts';
import * as make from './testing-objects.ts';
import { planned, raise } from './testing-plan.ts';
import { startApi } from './testing-plan-api.ts';

const restart: ClusterChange = { do: 'restart-pods' };

describe('restarting pods', () => {
  it('evicts what is Ready, by its uid', async () => {
    const plan = await planned([restart], { objects: [...make.shop(), make.budget(1)] });
    expect(plan.steps).toMatchObject([
      {
        kind: 'restart-pod',
        by: 'eviction',
        uid: 'uid-Pod-web-6b7f-abcde',
        controller: 'ReplicaSet web-6b7f',
        says: 'Evict Pod shop/web-6b7f-abcde (Ready); ReplicaSet web-6b7f makes a new one',
        dryRun: { outcome: 'accepted' },
      },
    ]);
    expect(plan.affected).toEqual([
      'PodDisruptionBudget shop/web covers one of these pods and allows one disruption now (2 healthy, 2 wanted).',
    ]);
    expect(plan.api.asked.at(-1)).toMatchObject({ method: 'GET' });
    expect(plan.api.asked.filter(({ path }) => path.endsWith('/eviction'))).toMatchObject([
      { dryRun: true, body: { deleteOptions: { preconditions: { uid: 'uid-Pod-web-6b7f-abcde' } } } },
    ]);
  });

  it('says that a budget lets evictions wait', async () => {
    const plan = await planned([restart], { objects: [...make.shop(), make.budget(0)], budgeted: new Set(['web-6b7f-abcde']) });
    expect(plan.steps[0]?.dryRun).toMatchObject({ outcome: 'refused', why: expect.stringContaining('disruption budget') as string });
    expect(plan.affected[0]).toContain('allows no disruption now (2 healthy, 2 wanted); evictions wait.');
  });

  it('deletes what is not Ready, and says what is stuck', async () => {
    const broken = make.pod('web-6b7f-abcde', { metadata: make.ownedBy('ReplicaSet', 'web-6b7f'), ready: false });
    const ending = make.pod('web-6b7f-fghij', {
      metadata: { ...make.ownedBy('ReplicaSet', 'web-6b7f'), deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['x.test/y'] },
    });
    const api = await startApi([make.deployment(), make.replicaSet(), broken, ending]);
    const victims = ['Pod/shop/web-6b7f-abcde', 'Pod/shop/web-6b7f-fghij', 'Container/shop/web-6b7f-abcde/app'];
    const plan = await planCluster(api.port, [restart], { cause: 'c', placeId: 'Node/n1', victims }, make.NO_ANSWERS);
    expect(plan.steps).toMatchObject([
      { by: 'deletion', says: expect.stringContaining('(not Ready)') as string, notes: [] },
      { by: 'deletion', notes: [expect.stringContaining('it is not forced') as string, 'It also waits for a finalizer.'] },
    ]);
    expect(api.writes()).toEqual([]);
  });

  it('leaves what nothing would make anew', async () => {
    const lone = await planned([restart], { objects: [make.pod('lone', {})], victim: 'Pod/shop/lone' });
    expect(lone).toMatchObject({ steps: [], refused: ['Pod shop/lone has no controller that would make it anew, so it is not deleted.'] });
    const mirror = make.pod('etcd-n1', {
      metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' }, ...make.ownedBy('Node', 'n1', 'v1') },
    });
    const fixed = await planned([restart], { objects: [mirror], victim: 'Pod/shop/etcd-n1' });
    expect(fixed).toMatchObject({ steps: [], refused: ['Pod shop/etcd-n1 is the image of a static pod: deleting it restarts nothing.'] });
  });

  it('leaves to a rollout what it replaces anyway, but not with a StatefulSet, which waits for the broken one', async () => {
    const rolled = await planned([raise, restart]);
    expect(rolled.steps.map(({ kind }) => kind)).toEqual(['patch']);
    expect(rolled.notes).toEqual(['Pod shop/web-6b7f-abcde is replaced by the change of its workload.']);
    const victim = make.pod('web-0', { metadata: make.ownedBy('StatefulSet', 'web'), ready: false });
    const ordered = await planned([raise, restart], { objects: [make.statefulSet(), victim], victim: 'Pod/shop/web-0' });
    expect(ordered.steps.map(({ kind }) => kind)).toEqual(['patch', 'restart-pod']);
  });

  it('does not go on where what should come before cannot be done', async () => {
    const plan = await planned([{ ...raise, field: 'hostNetwork' }, restart]);
    expect(plan.steps).toEqual([]);
    expect(plan.notes).toEqual(['Pods are not restarted, since what should come before cannot be done.']);
  });

  it('finds the pods of a workload, and those that took the place of others', async () => {
    const whole = await planned([restart], { victim: 'Workload/Deployment/shop/web' });
    expect(whole.steps).toMatchObject([{ kind: 'restart-pod', object: { name: 'web-6b7f-abcde' } }]);
    const later = await planned([restart], { victim: 'Pod/shop/web-6b7f-zzzzz' });
    expect(later.steps).toMatchObject([{ kind: 'restart-pod', object: { name: 'web-6b7f-abcde' } }]);
    const gone = await planned([restart], { victim: 'Pod/shop/else-1-x' });
    expect(gone).toMatchObject({
      steps: [],
      notes: ['Pod shop/else-1-x is not there any more.', 'No pod of the incident is there to be restarted.'],
    });
  });

  it('is shown also to those who may not do it', async () => {
    const plan = await planned([restart], { forbids: ({ path, method }) => method === 'POST' || path.endsWith('poddisruptionbudgets') });
    expect(plan.steps[0]?.dryRun.outcome).toBe('forbidden');
    expect(plan.notes.join()).toContain('poddisruptionbudgets of namespace shop could not be read');
  });
});
