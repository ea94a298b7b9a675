import { describe, expect, it } from 'vitest';
import type { ClusterChange } from '../../model/change.ts';
import { valueAt } from './json-pointer.ts';
import * as make from './testing-objects.ts';
import { APP, changed, patchIn, planned, raise } from './testing-plan.ts';
import { pathOf } from './testing-plan-api.ts';

describe('changes of a workload', () => {
  it('climb from the victim to the Deployment and double what is there', async () => {
    const { api, ...plan } = await planned([raise]);
    const step = patchIn(plan);
    expect(step).toMatchObject({
      object: { kind: 'Deployment', namespace: 'shop', name: 'web' },
      says: 'Change Deployment shop/web: container app, resources.limits.memory',
      diff: ['container app, resources.limits.memory: 128Mi → 256Mi'],
      risk: 'restarts-pods',
      dryRun: { outcome: 'accepted' },
    });
    expect(step.patch).toContainEqual({ op: 'test', path: '/spec/template/spec/containers/0/resources/limits/memory', value: '128Mi' });
    const before = api.at(pathOf(make.deployment()));
    expect(valueAt(changed(step, before), [...APP, 'resources', 'limits'])).toEqual({ memory: '256Mi', cpu: '500m' });
    expect(plan.refused).toEqual([]);
    expect(plan.affected).toEqual(['Deployment shop/web: one pod, which will restart, a few at a time: web-6b7f-abcde.']);
  });

  it('of one object fold into one patch, asked of the server once', async () => {
    const { api, ...plan } = await planned([
      raise,
      { do: 'workload-set', container: 'app', field: 'resources.requests.memory', value: '64Mi' },
      { do: 'workload-set', container: 'app', field: 'resources.requests.cpu', value: '100m' },
      { do: 'workload-add', field: 'tolerations', value: { key: 'gpu', operator: 'Exists' } },
      { do: 'workload-unset', container: 'app', field: 'ports.0.hostPort' },
      { do: 'object-set', object: 'Deployment/shop/web', field: 'spec.progressDeadlineSeconds', value: 1800 },
    ]);
    const step = patchIn(plan);
    expect(api.asked.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
    const after = changed(step, api.at(pathOf(make.deployment())));
    expect(valueAt(after, [...APP, 'resources', 'requests'])).toEqual({ memory: '64Mi', cpu: '100m' });
    expect(valueAt(after, ['spec', 'template', 'spec', 'tolerations'])).toEqual([{ key: 'gpu', operator: 'Exists' }]);
    expect(valueAt(after, [...APP, 'ports'])).toEqual([{ containerPort: 8080 }]);
    expect(valueAt(after, ['spec', 'progressDeadlineSeconds'])).toBe(1800);
    expect(step.diff).toHaveLength(6);
  });

  it.each<readonly [string, ClusterChange, readonly (string | number)[], unknown]>([
    [
      'image',
      { do: 'workload-set', container: 'sidecar', field: 'image', value: 'registry.test/x:2' },
      ['containers', 1, 'image'],
      'registry.test/x:2',
    ],
    [
      'probe',
      { do: 'workload-set', container: 'app', field: 'livenessProbe.timeoutSeconds', value: 'x5' },
      ['containers', 0, 'livenessProbe', 'timeoutSeconds'],
      5,
    ],
    [
      'port of a probe',
      { do: 'workload-set', container: 'app', field: 'livenessProbe.httpGet.port', value: '9090' },
      ['containers', 0, 'livenessProbe', 'httpGet', 'port'],
      9090,
    ],
    [
      'command',
      { do: 'workload-set', container: 'app', field: 'command', value: '["/app","--serve"]' },
      ['containers', 0, 'command'],
      ['/app', '--serve'],
    ],
    ['variable', { do: 'workload-set', container: 'app', field: 'env.MODE', value: 'test' }, ['containers', 0, 'env', 0, 'value'], 'test'],
    [
      'new variable',
      { do: 'workload-set', container: 'app', field: 'env.HEAP', value: '96m' },
      ['containers', 0, 'env', 1],
      { name: 'HEAP', value: '96m' },
    ],
    ['account', { do: 'workload-set', field: 'serviceAccountName', value: 'robot' }, ['serviceAccountName'], 'robot'],
    [
      'selector',
      { do: 'workload-set', field: 'nodeSelector.kubernetes.io/arch', value: 'arm64' },
      ['nodeSelector'],
      { 'kubernetes.io/arch': 'arm64' },
    ],
    [
      'reference',
      { do: 'workload-set', field: 'volumes.settings.configMap.name', value: 'other' },
      ['volumes', 0, 'configMap', 'name'],
      'other',
    ],
    ['pull secret', { do: 'workload-set', field: 'imagePullSecrets.0.name', value: 'login' }, ['imagePullSecrets', 0, 'name'], 'login'],
    [
      'one more pull secret',
      { do: 'workload-add', field: 'imagePullSecrets', value: { name: 'login' } },
      ['imagePullSecrets', 1],
      { name: 'login' },
    ],
    ['no probe', { do: 'workload-unset', container: 'app', field: 'livenessProbe' }, ['containers', 0, 'livenessProbe'], undefined],
    ['switch', { do: 'workload-set', field: 'enableServiceLinks', value: false }, ['enableServiceLinks'], false],
    [
      'policy',
      { do: 'workload-set', field: 'securityContext.fsGroupChangePolicy', value: 'OnRootMismatch' },
      ['securityContext', 'fsGroupChangePolicy'],
      'OnRootMismatch',
    ],
  ])('reach the %s', async (_what, change, place, value) => {
    const { api, ...plan } = await planned([change]);
    const step = patchIn(plan);
    expect(step.dryRun).toEqual({ outcome: 'accepted' });
    expect(valueAt(changed(step, api.at(pathOf(make.deployment()))), ['spec', 'template', 'spec', ...place])).toEqual(value);
  });

  it.each([
    ['StatefulSet', make.statefulSet()],
    ['DaemonSet', make.daemonSet()],
    ['ReplicationController', make.replicationController()],
  ])('reach a %s, which owns its pods itself', async (kind, owner) => {
    const victim = make.pod('web-0', { metadata: make.ownedBy(kind, 'web', kind === 'ReplicationController' ? 'v1' : 'apps/v1') });
    const stranger = make.pod('other-1', { metadata: { labels: { app: 'other' } } });
    const plan = await planned([raise], { objects: [owner, victim, stranger], victim: 'Container/shop/web-0/app' });
    expect(patchIn(plan).object.kind).toBe(kind);
    expect(plan.affected.join()).toContain('web-0');
    expect(plan.affected.join()).not.toContain('other-1');
  });

  it('reach a CronJob through its Job, for the runs to come', async () => {
    const run = make.job({ metadata: make.ownedBy('CronJob', 'nightly', 'batch/v1') });
    const victim = make.pod('web-xyz', { metadata: make.ownedBy('Job', 'web', 'batch/v1') });
    const plan = await planned([raise], { objects: [make.cronJob(), run, victim], victim: 'Pod/shop/web-xyz' });
    expect(patchIn(plan).patch[0]?.path).toMatch(/^\/spec\/jobTemplate\/spec\/template\/spec\/containers\/0/);
    expect(plan.affected).toEqual(['CronJob shop/nightly: from its next run on; jobs that run now stay as they are.']);
  });

  it('stop at a ReplicaSet without a Deployment, whose pods stay', async () => {
    const plan = await planned([raise], { objects: [make.replicaSet('web-6b7f', {}), make.pod()] });
    expect(patchIn(plan).object.kind).toBe('ReplicaSet');
    expect(plan.affected.join()).toContain('stay as they are until they are deleted');
  });

  it('find the owner of a pod that was replaced since', async () => {
    const plan = await planned([raise], { objects: [make.deployment(), make.replicaSet()], victim: 'Pod/shop/web-6b7f-zzzzz' });
    expect(patchIn(plan).object.name).toBe('web');
    expect(plan.notes.join()).toContain('is gone; its owner ReplicaSet shop/web-6b7f was found by its name');
  });

  it('take the container of the incident where none is named', async () => {
    const change: ClusterChange = { do: 'workload-set', field: 'image', value: 'registry.test/x:2' };
    const meant = await planned([change], {
      victim: 'Workload/Deployment/shop/web',
      place: 'WorkloadContainer/Deployment/shop/web/sidecar',
    });
    expect(patchIn(meant).patch.at(-1)?.path).toBe('/spec/template/spec/containers/1/image');
    const open = await planned([change]);
    expect(open.refused).toEqual(['Deployment shop/web: image: it has 2 containers, and which one is meant is not said']);
  });

  it('go by the place where victims lead nowhere', async () => {
    const plan = await planned([raise], { victim: 'Pod/shop/gone-1-x', place: 'Workload/Deployment/shop/web' });
    expect(patchIn(plan).object.kind).toBe('Deployment');
  });

  it('say what the disruption budget allows', async () => {
    const plan = await planned([raise], { objects: [...make.shop(), make.budget(0)] });
    expect(plan.affected[1]).toBe(
      'PodDisruptionBudget shop/web covers one of these pods and allows no disruption now (2 healthy, 2 wanted); a rollout does not ask it.',
    );
  });

  it('are nothing to do where they are made already', async () => {
    const plan = await planned([{ ...raise, value: '0.125Gi' }]);
    expect(plan).toMatchObject({
      steps: [],
      refused: [],
      notes: ['Deployment shop/web: container app, resources.limits.memory is 128Mi already.'],
    });
    const text = await planned([{ do: 'workload-set', container: 'app', field: 'env.MODE', value: 'shop ' }]);
    expect(text.steps).toHaveLength(1);
  });
});

describe('an answer of the user', () => {
  const change: ClusterChange = { do: 'workload-set', container: 'app', field: 'image', value: { ask: 'image', says: 'the image to use' } };

  it('is asked for by its name', async () => {
    const plan = await planned([raise, change]);
    expect(plan.steps).toEqual([]);
    expect(plan.refused).toEqual(['Deployment shop/web: container app, image: the image to use: say it with --set image=VALUE']);
    expect(plan.notes).toEqual(['Deployment shop/web: nothing of it is changed, since not all can be.']);
  });

  it('is used', async () => {
    expect(patchIn(await planned([change], { answers: { image: 'registry.test/shop/web:1.4' } })).diff[0]).toMatch(
      /1\.3 → registry\.test\/shop\/web:1\.4$/,
    );
  });

  it.each(['web:1.4; rm -rf /', '$(id)', '-x', ''])('is refused where it is no image: %j', async (image) => {
    const plan = await planned([change], { answers: { image } });
    expect(plan.steps).toEqual([]);
    expect(plan.refused[0]).toContain('is no image');
  });
});
