import { describe, expect, it } from 'vitest';
import { parse, parseDocument } from 'yaml';
import type { ClusterChange } from '../../model/change.ts';
import { kustomizeFiles, patchFiles } from './patch-files.ts';
import * as make from './testing-objects.ts';
import { planned, raise } from './testing-plan.ts';

const changes: readonly ClusterChange[] = [
  raise,
  { do: 'workload-set', container: 'app', field: 'env.MODE', value: 'yes' },
  { do: 'workload-set', container: 'app', field: 'env.NEW', value: '1_000' },
  { do: 'workload-unset', container: 'app', field: 'livenessProbe' },
  { do: 'workload-unset', container: 'app', field: 'ports.0.hostPort' },
  { do: 'workload-add', field: 'tolerations', value: { key: 'gpu', operator: 'Exists' } },
  { do: 'workload-add', field: 'imagePullSecrets', value: { name: 'login' } },
  { do: 'workload-set', field: 'nodeSelector.kubernetes.io/arch', value: 'arm64' },
  { do: 'object-set', object: 'Service/shop/web', field: 'spec.ports.0.targetPort', value: 8080 },
  { do: 'uncordon', node: 'n1' },
];

function plan() {
  const metadata = { annotations: { 'meta.helm.sh/release-name': 'shop' } };
  return planned(changes, { objects: [make.deployment({ metadata }), make.replicaSet(), make.pod(), make.service(), make.node()] });
}

describe('patch files', () => {
  it('hold the least that a strategic merge needs, and say how to apply them', async () => {
    const [file, service, node] = patchFiles(await plan());
    expect(file?.name).toBe('deployment-shop-web.patch.yaml');
    expect(file?.text).toContain('kubectl patch deployment web -n shop --type strategic --patch-file deployment-shop-web.patch.yaml\n');
    expect(file?.text).toContain('# Managed by Helm release shop in namespace shop.\n');
    expect(parse(file?.text ?? '')).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        template: {
          spec: {
            containers: [
              {
                name: 'app',
                resources: { limits: { memory: '256Mi' } },
                env: [
                  { name: 'MODE', value: 'yes' },
                  { name: 'NEW', value: '1_000' },
                ],
                livenessProbe: null,
                ports: [{ containerPort: 8080, hostPort: null }],
              },
            ],
            tolerations: [{ key: 'gpu', operator: 'Exists' }],
            imagePullSecrets: [{ name: 'old-login' }, { name: 'login' }],
            nodeSelector: { 'kubernetes.io/arch': 'arm64' },
          },
        },
      },
    });
    expect(parse(service?.text ?? '')).toMatchObject({ spec: { ports: [{ port: 80, targetPort: 8080 }] } });
    expect(node?.text).toContain('kubectl patch node n1 --type strategic --patch-file node-n1.patch.yaml\n');
    expect(parse(node?.text ?? '')).toMatchObject({ metadata: { name: 'n1' }, spec: { unschedulable: null } });
  });

  it('take a member away where it gets another name', async () => {
    const [file] = patchFiles(await planned([{ do: 'workload-set', field: 'imagePullSecrets.0.name', value: 'login' }]));
    expect(parse(file?.text ?? '')).toMatchObject({
      spec: { template: { spec: { imagePullSecrets: [{ name: 'login' }, { name: 'old-login', $patch: 'delete' }] } } },
    });
  });

  it('mean the same to readers of older YAML, and hold no secret', async () => {
    for (const { text } of [...patchFiles(await plan()), ...kustomizeFiles(await plan())]) {
      const document = parseDocument(text, { version: '1.1' });
      expect([...document.errors, ...document.warnings]).toEqual([]);
      expect(document.toJS()).toEqual(parse(text));
      expect(text).not.toContain('hunter2');
      expect(text.endsWith('\n')).toBe(true);
    }
  });

  it('for kustomize come with what takes them up, without nodes', async () => {
    const [kustomization, ...patches] = kustomizeFiles(await plan());
    expect(kustomization?.name).toBe('kustomization.yaml');
    expect(parse(kustomization?.text ?? '')).toEqual({
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      patches: [
        { path: 'deployment-shop-web.patch.yaml', target: { group: 'apps', version: 'v1', kind: 'Deployment', name: 'web' } },
        { path: 'service-shop-web.patch.yaml', target: { version: 'v1', kind: 'Service', name: 'web' } },
      ],
    });
    expect(patches.map(({ name }) => name)).toEqual(['deployment-shop-web.patch.yaml', 'service-shop-web.patch.yaml']);
    expect(patches[0]?.text).not.toContain('kubectl patch');
  });

  it('are none where no object is changed', async () => {
    const restarts = await planned([{ do: 'restart-pods' }]);
    expect([patchFiles(restarts), kustomizeFiles(restarts)]).toEqual([[], []]);
  });
});
