import { describe, expect, it } from 'vitest';
import type { ClusterChange } from '../../model/change.ts';
import * as make from './testing-objects.ts';
import { patchIn, planned, raise } from './testing-plan.ts';

describe('what is not changed', () => {
  it('is the template of a Job', async () => {
    const victim = make.pod('web-xyz', { metadata: make.ownedBy('Job', 'web', 'batch/v1') });
    const plan = await planned([raise], { objects: [make.job(), victim], victim: 'Pod/shop/web-xyz' });
    expect(plan.steps).toEqual([]);
    expect(plan.refused[0]).toMatch(/^Job shop\/web: the template of a Job cannot be changed/);
  });

  it('is most of a bare pod, but its image can be', async () => {
    const setup = { objects: [make.pod('lone', {})], victim: 'Pod/shop/lone' };
    const plan = await planned([raise], setup);
    expect(plan.steps).toEqual([]);
    expect(plan.refused[0]).toContain(
      'Pod shop/lone: resources.limits.memory of a pod cannot be changed while it lives, and it has no controller',
    );
    const image = await planned([{ do: 'workload-set', container: 'app', field: 'image', value: 'registry.test/x:2' }], setup);
    expect(patchIn(image).patch.at(-1)?.path).toBe('/spec/containers/0/image');
    expect(image.affected).toEqual(['Pod shop/lone restarts its container in place.']);
  });

  it('is a static pod, whose manifest is on its node', async () => {
    const mirror = make.pod('etcd-n1', { metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } });
    const plan = await planned([raise], { objects: [mirror], victim: 'Pod/shop/etcd-n1' });
    expect(plan.steps).toEqual([]);
    expect(plan.refused[0]).toContain('change its manifest on node n1');
  });

  it('is a ReplicaSet whose Deployment may not be read', async () => {
    const plan = await planned([raise], { forbids: ({ path }) => path.includes('/deployments/') });
    expect(plan.steps).toEqual([]);
    expect(plan.refused[0]).toMatch(/^ReplicaSet shop\/web-6b7f: it is not the place for a change: Deployment shop\/web may not be read/);
  });

  it('is a ReplicaSet whose Deployment is gone, even where another has its name', async () => {
    const orphan = await planned([raise], { objects: [make.replicaSet(), make.pod()] });
    expect(orphan.refused).toEqual([
      'ReplicaSet shop/web-6b7f: it is not the place for a change: its owner Deployment shop/web is not there any more',
    ]);
    const other = await planned([raise], { objects: [make.deployment({ metadata: { uid: 'another' } }), make.replicaSet(), make.pod()] });
    expect(other.steps).toEqual([]);
    expect(other.refused[0]).toContain('its owner is gone, and another Deployment shop/web is in its place');
  });

  it('is what is gone, being deleted, or may not be read', async () => {
    expect((await planned([raise], { objects: [] })).refused).toEqual([
      'No workload was found to change: Pod shop/web-6b7f-abcde is not there any more',
    ]);
    const ending = [
      make.deployment({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['x'] } }),
      make.replicaSet(),
      make.pod(),
    ];
    expect((await planned([raise], { objects: ending })).refused[0]).toContain('is being deleted');
    expect((await planned([raise], { forbids: () => true })).refused[0]).toContain('Pod shop/web-6b7f-abcde may not be read');
  });

  it.each(['securityContext.privileged', 'hostNetwork', 'volumes.settings.hostPath.path', 'livenessProbe.httpGet.host', '__proto__.x'])(
    'is the field %s',
    async (field) => {
      const plan = await planned([{ do: 'workload-set', container: 'app', field, value: 'true' }]);
      expect(plan.steps).toEqual([]);
      expect(plan.refused[0]).toContain('is no field that podcause changes');
    },
  );

  it('is whatever looks like a secret, which is in nothing that is said', async () => {
    const plan = await planned([
      { do: 'workload-set', container: 'app', field: 'env.DB_PASSWORD', value: 'another-secret-word' },
      { do: 'workload-set', container: 'app', field: 'args', value: '["--token", "abcdef0123456789"]' },
    ]);
    expect(plan.steps).toEqual([]);
    expect(plan.refused).toHaveLength(2);
    expect(JSON.stringify({ ...plan, api: undefined })).not.toMatch(/hunter2|another-secret-word|abcdef0123456789/);
  });

  it('shows no neighbour of a changed variable', async () => {
    const { api: _api, ...plan } = await planned([{ do: 'workload-set', container: 'app', field: 'env.NEW', value: 'x' }]);
    expect(JSON.stringify(plan)).not.toContain('hunter2');
  });

  it.each<ClusterChange>([
    { do: 'workload-add', field: 'tolerations', value: { operator: 'Exists' } },
    { do: 'workload-add', field: 'containers', value: { name: 'evil', image: 'x' } },
    { do: 'workload-add', field: 'tolerations', value: { key: 'a', $patch: 'replace' } },
  ])('is a list by $value', async (change) => {
    const plan = await planned([change]);
    expect(plan.steps).toEqual([]);
    expect(plan.refused).toHaveLength(1);
  });
});
