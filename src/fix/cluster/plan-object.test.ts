import { describe, expect, it } from 'vitest';
import type { ClusterChange } from '../../model/change.ts';
import { valueAt } from './json-pointer.ts';
import type { ObjectChange } from './plan-object.ts';
import * as make from './testing-objects.ts';
import { changed, patchIn, planned } from './testing-plan.ts';
import { pathOf, type Stored } from './testing-plan-api.ts';

function set(object: string, field: string, value: string | number | boolean): ObjectChange {
  return { do: 'object-set', object, field, value };
}

describe('changes of other objects', () => {
  it.each<readonly [string, Stored, ClusterChange, readonly (string | number)[], unknown]>([
    [
      'quota',
      make.quota(),
      set('ResourceQuota/shop/team', 'spec.hard.requests.memory', 'x1.5'),
      ['spec', 'hard', 'requests.memory'],
      '6Gi',
    ],
    ['count of a quota', make.quota(), set('ResourceQuota/shop/team', 'spec.hard.pods', '25'), ['spec', 'hard', 'pods'], '25'],
    [
      'port of a service',
      make.service(),
      set('Service/shop/web', 'spec.ports.0.targetPort', 8080),
      ['spec', 'ports', 0, 'targetPort'],
      8080,
    ],
    ['selector of a service', make.service(), set('Service/shop/web', 'spec.selector.app', 'web'), ['spec', 'selector', 'app'], 'web'],
    ['replicas', make.deployment({ spec: { replicas: 0 } }), set('Deployment/shop/web', 'spec.replicas', '1'), ['spec', 'replicas'], 1],
    ['pause', make.deployment({ spec: { paused: true } }), set('Deployment/shop/web', 'spec.paused', 'false'), ['spec', 'paused'], false],
    ['suspension', make.job({ spec: { suspend: true } }), set('Job/shop/web', 'spec.suspend', 'false'), ['spec', 'suspend'], false],
    [
      'key of a ConfigMap',
      make.configMap({ 'log.level': 'debug' }),
      set('ConfigMap/shop/web-settings', 'data.log.level', 'info'),
      ['data', 'log.level'],
      'info',
    ],
    ['new key of a ConfigMap', make.configMap({}), set('ConfigMap/shop/web-settings', 'data.mode', 'x'), ['data', 'mode'], 'x'],
  ])('reach the %s', async (_what, object, change, place, value) => {
    const { api, ...plan } = await planned([change], { objects: [object] });
    const step = patchIn(plan);
    expect(step).toMatchObject({ risk: 'moves-pods', dryRun: { outcome: 'accepted' } });
    expect(valueAt(changed(step, api.at(pathOf(object))), place)).toEqual(value);
  });

  it('make a claim larger, for good', async () => {
    const change: ClusterChange = {
      ...set('PersistentVolumeClaim/shop/data', 'spec.resources.requests.storage', ''),
      value: { ask: 'size', says: 'new size' },
    };
    const plan = await planned([change], { objects: [make.claim()], answers: { size: '20Gi' } });
    expect(patchIn(plan)).toMatchObject({ undo: 'Cannot be undone: a claim cannot be made smaller again.', risk: 'restarts-pods' });
    const smaller = await planned([change], { objects: [make.claim()], answers: { size: '9Gi' } });
    expect(smaller.refused).toEqual([
      'PersistentVolumeClaim shop/data: spec.resources.requests.storage: a claim cannot be made smaller than it is (10Gi)',
    ]);
    const unsaid = await planned([change], { objects: [make.claim()] });
    expect(unsaid.refused[0]).toMatch(/new size: say it with --set size=VALUE$/);
  });

  it('keep off secrets, also in a ConfigMap', async () => {
    const objects = [make.configMap({ password: 'hunter2-of-the-shop', plain: 'postgres://u:hunter2-of-the-shop@db/x' })];
    const plan = await planned(
      [set('ConfigMap/shop/web-settings', 'data.password', 'x'), set('ConfigMap/shop/web-settings', 'data.plain', 'x')],
      { objects },
    );
    expect(plan.steps).toEqual([]);
    expect(plan.refused).toHaveLength(2);
    expect(JSON.stringify(plan.refused)).not.toContain('hunter2');
  });

  it.each([
    ['Secret/shop/login', 'data.password'],
    ['ClusterRoleBinding/all', 'roleRef.name'],
    ['ResourceQuota/shop/team', 'metadata.labels.x'],
    ['Deployment/shop/web', 'spec.template.spec.hostNetwork'],
    ['Service/shop/web', 'spec.ports.3.targetPort'],
  ])('do not touch %s %s', async (object, field) => {
    const plan = await planned([set(object, field, '1')], { objects: [make.quota(), make.deployment(), make.service()] });
    expect(plan.steps).toEqual([]);
    expect(plan.refused).toHaveLength(1);
  });

  it('say what is gone and what may not be read', async () => {
    const change = set('ResourceQuota/shop/team', 'spec.hard.pods', '25');
    expect((await planned([change], { objects: [] })).refused).toEqual(['ResourceQuota shop/team is not there any more']);
    const forbidden = await planned([change], { objects: [make.quota()], forbids: ({ method }) => method === 'GET' });
    expect(forbidden.refused[0]).toContain('is forbidden');
  });
});

describe('uncordoning', () => {
  const change: ClusterChange = { do: 'uncordon', node: 'n1' };

  it('takes the mark away and can put it back', async () => {
    const { api, ...plan } = await planned([change], { objects: [make.node()] });
    const step = patchIn(plan);
    expect(step).toMatchObject({
      says: 'Let Node n1 take pods again (uncordon)',
      risk: 'moves-pods',
      dryRun: { outcome: 'accepted' },
      notes: [],
    });
    expect(valueAt(changed(step, api.at('/api/v1/nodes/n1')), ['spec'])).toEqual({});
  });

  it('says what else keeps pods away', async () => {
    const taints = [
      { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' },
      { key: 'disk', effect: 'NoExecute' },
    ];
    const plan = await planned([change], {
      objects: [make.node({ spec: { taints }, status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } })],
    });
    expect(patchIn(plan).notes).toEqual(['The node is not Ready, so it will get no pods yet.', 'It also has taints: disk:NoExecute.']);
  });

  it('has nothing to do where the node takes pods', async () => {
    const plan = await planned([change], { objects: [make.node({ spec: { unschedulable: false } })] });
    expect(plan).toMatchObject({ steps: [], refused: [], notes: ['Node n1: it takes pods already.'] });
  });
});
