import { describe, expect, it } from 'vitest';
import type { ClusterChange } from '../../model/change.ts';
import { planCluster } from './plan-cluster.ts';
import { moveTo, type RolloutStep } from './rollout.ts';
import * as make from './testing-objects.ts';
import { planned } from './testing-plan.ts';
import { pathOf, type Stored, startApi } from './testing-plan-api.ts';

const undo: ClusterChange = { do: 'rollout-undo' };
const WEB = 'Workload/Deployment/shop/web';

function template(image: string, secret = 'one'): Stored {
  const env = [{ name: 'DB_PASSWORD', value: secret }];
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', image, env }] } };
}

function revision(number: number, image: string, secret?: string): Stored {
  const hashed = template(image, secret);
  const metadata = { labels: { app: 'web', 'pod-template-hash': `h${number}` } };
  return make.replicaSet(`web-${number}`, {
    metadata: { ...make.ownedBy('Deployment', 'web'), annotations: { 'deployment.kubernetes.io/revision': String(number) } },
    spec: { template: { ...hashed, metadata } },
  });
}

const current = (image = 'i:3') => make.deployment({ spec: { template: template(image) } });

describe('taking a rollout back', () => {
  it('names the revisions, shows what differs and no secret', async () => {
    const { api, ...plan } = await planned([undo], {
      objects: [current(), revision(1, 'i:1'), revision(3, 'i:3'), revision(2, 'i:2', 'hunter2')],
      victim: WEB,
    });
    expect(plan.steps).toMatchObject([
      {
        kind: 'rollout',
        from: 'web-3',
        to: 'web-2',
        says: 'Take Deployment shop/web back from revision 3 to revision 2',
        dryRun: { outcome: 'accepted' },
        risk: 'restarts-pods',
      },
    ]);
    expect(plan.steps[0]?.diff).toEqual([
      'spec.containers.[app].image: i:3 → i:2',
      'spec.containers.[app].env.[DB_PASSWORD].value: [redacted] → [redacted]',
    ]);
    expect(JSON.stringify(plan)).not.toContain('hunter2');
    expect(plan.affected).toEqual(['Deployment shop/web: has no pods now; the next ones are made from the new template.']);
  });

  it('can be done and taken back', async () => {
    const api = await startApi([current(), revision(1, 'i:1'), revision(2, 'i:3')]);
    const { steps } = await planCluster(api.port, [undo], make.incident(WEB), make.NO_ANSWERS);
    const { object, from, to } = steps[0] as RolloutStep;
    expect(await moveTo(api.port, object, from, to)).toBe('done');
    expect(api.at(pathOf(current()))['spec']).toMatchObject({ template: template('i:1') });
    expect(await moveTo(api.port, object, from, to)).toBe('already');
    expect(await moveTo(api.port, object, to, from)).toBe('done');
    expect(api.at(pathOf(current()))['spec']).toEqual(current()['spec']);
  });

  it('goes back from where it is, never forward', async () => {
    const objects = [current('i:2'), revision(1, 'i:1'), revision(2, 'i:2'), revision(3, 'i:3')];
    expect((await planned([undo], { objects, victim: WEB })).steps).toMatchObject([{ from: 'web-2', to: 'web-1' }]);
  });

  it('works by the revisions of a StatefulSet', async () => {
    const held = (number: number, image: string): Stored => ({
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: { name: `web-r${number}`, namespace: 'shop', ...make.ownedBy('StatefulSet', 'web') },
      revision: number,
      data: { spec: { template: { ...template(image), $patch: 'replace' } } },
    });
    const objects = [make.statefulSet({ spec: { template: template('i:2') } }), held(1, 'i:1'), held(2, 'i:2')];
    const plan = await planned([undo], { objects, victim: 'Workload/StatefulSet/shop/web' });
    expect(plan.steps).toMatchObject([{ kind: 'rollout', from: 'web-r2', to: 'web-r1', dryRun: { outcome: 'accepted' } }]);
  });

  it('is told from a text that only looks like the same amount', async () => {
    const objects = [current('i:1'), revision(1, 'i:1', '1'), revision(2, 'i:1', '1.0')];
    (objects[0]?.['spec'] as Stored)['template'] = template('i:1', '1.0');
    const plan = await planned([undo], { objects, victim: WEB });
    expect(plan.steps).toMatchObject([{ from: 'web-2', to: 'web-1' }]);
  });

  it.each<readonly [string, readonly Stored[], string, string]>([
    ['there is no earlier one', [current(), revision(3, 'i:3')], WEB, 'has no earlier revision'],
    ['a change is under way', [current('i:9'), revision(3, 'i:3')], WEB, 'in the middle of a change'],
    ['it is paused', [make.deployment({ spec: { paused: true } })], WEB, 'is paused'],
    ['it keeps none', [make.replicaSet('web-1', {})], 'Workload/ReplicaSet/shop/web-1', 'keeps no earlier revisions'],
    ['it is gone', [], WEB, 'is not there any more'],
  ])('is refused where %s', async (_what, objects, victim, why) => {
    const plan = await planned([undo], { objects, victim });
    expect(plan.steps).toEqual([]);
    expect(plan.refused.join()).toContain(why);
  });

  it('is refused in words where revisions may not be read, and shown where only the change is forbidden', async () => {
    const objects = [current(), revision(1, 'i:1'), revision(2, 'i:3')];
    const unread = await planned([undo], { objects, victim: WEB, forbids: ({ path }) => path.endsWith('/replicasets') });
    expect(unread).toMatchObject({ steps: [], refused: [expect.stringContaining('is forbidden') as string] });
    const shown = await planned([undo], { objects, victim: WEB, forbids: ({ method }) => method === 'PATCH' });
    expect(shown.steps).toMatchObject([{ dryRun: { outcome: 'forbidden' } }]);
  });
});
