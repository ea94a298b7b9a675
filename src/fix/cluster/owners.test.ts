import { describe, expect, it } from 'vitest';
import type { Owner } from './cluster-plan.ts';
import { belongsTo } from './owners.ts';
import * as make from './testing-objects.ts';
import { patchIn, planned, raise } from './testing-plan.ts';
import type { Stored } from './testing-plan-api.ts';

const writes = (manager: string, more: Stored = {}): Stored => ({
  managedFields: [{ manager, operation: 'Update', fieldsV1: { 'f:spec': {} }, ...more }],
});

describe('who manages an object', () => {
  it.each<readonly [string, Stored, Owner['by'], string, Owner['reverts']]>([
    [
      'Helm by annotation',
      { annotations: { 'meta.helm.sh/release-name': 'shop', 'meta.helm.sh/release-namespace': 'prod' } },
      'helm',
      'Helm release shop in namespace prod',
      'at-next-upgrade',
    ],
    [
      'Helm by label',
      { labels: { 'app.kubernetes.io/managed-by': 'Helm', 'app.kubernetes.io/instance': 'web' } },
      'helm',
      'Helm release web in namespace shop',
      'at-next-upgrade',
    ],
    [
      'Helm by its old label',
      { labels: { heritage: 'Helm', release: 'old' } },
      'helm',
      'Helm release old in namespace shop',
      'at-next-upgrade',
    ],
    [
      'Argo CD by tracking id',
      { annotations: { 'argocd.argoproj.io/tracking-id': 'shop:apps/Deployment:shop/web' } },
      'argo-cd',
      'Argo CD application shop',
      'within-minutes',
    ],
    [
      'Argo CD with its namespace',
      { annotations: { 'argocd.argoproj.io/tracking-id': 'team_shop:apps/Deployment:shop/web' } },
      'argo-cd',
      'Argo CD application shop',
      'within-minutes',
    ],
    ['Argo CD by label', { labels: { 'argocd.argoproj.io/instance': 'shop' } }, 'argo-cd', 'Argo CD application shop', 'within-minutes'],
    [
      'Argo CD by its writes',
      { labels: { 'app.kubernetes.io/instance': 'shop' }, ...writes('argocd-controller') },
      'argo-cd',
      'Argo CD application shop',
      'within-minutes',
    ],
    [
      'a chart that Argo CD renders',
      { labels: { 'app.kubernetes.io/managed-by': 'Helm', 'argocd.argoproj.io/instance': 'shop' } },
      'argo-cd',
      'Argo CD application shop',
      'within-minutes',
    ],
    [
      'Flux by kustomization',
      { labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps', 'kustomize.toolkit.fluxcd.io/namespace': 'flux' } },
      'flux',
      'Flux Kustomization flux/apps',
      'within-minutes',
    ],
    [
      'Flux by release',
      { labels: { 'helm.toolkit.fluxcd.io/name': 'web', 'app.kubernetes.io/managed-by': 'Helm' } },
      'flux',
      'Flux HelmRelease flux-system/web',
      'within-minutes',
    ],
    ['an operator by owner', make.ownedBy('Database', 'db', 'sql.corp.test/v1'), 'operator', 'Database db (sql.corp.test)', 'at-once'],
    [
      'an operator that is no controller',
      { ownerReferences: [{ apiVersion: 'sql.corp.test/v1', kind: 'Database', name: 'db', uid: 'u' }] },
      'operator',
      'Database db (sql.corp.test)',
      'at-once',
    ],
    ['an operator by its writes', writes('sql-operator'), 'operator', 'the program sql-operator', 'at-once'],
    [
      'kubectl apply',
      { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' } },
      'kubectl-apply',
      'a manifest that is applied with kubectl',
      'at-next-apply',
    ],
    [
      'server-side apply',
      { managedFields: [{ manager: 'kubectl', operation: 'Apply' }] },
      'kubectl-apply',
      'a manifest that is applied with kubectl',
      'at-next-apply',
    ],
  ])('is %s', async (_what, metadata, by, what, reverts) => {
    const plan = await planned([raise], { objects: [make.deployment({ metadata }), make.replicaSet(), make.pod()] });
    const { owner } = patchIn(plan);
    expect(owner).toMatchObject({ by, what, reverts });
    expect(owner?.belongs.length).toBeGreaterThan(0);
  });

  it('is the manifest of a static pod', () => {
    const mirror = make.pod('etcd-n1', { metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } });
    expect(belongsTo(mirror)).toMatchObject({ by: 'static-pod', what: 'a manifest file on node n1', reverts: 'always-refused' });
  });

  it.each<readonly [string, Stored]>([
    ['nobody', {}],
    ['what the cluster itself writes', writes('kube-controller-manager')],
    ['who writes the status only', writes('sql-operator', { subresource: 'status' })],
    ['a Deployment', make.ownedBy('Deployment', 'web')],
    ['somebody with kubectl edit', writes('kubectl-edit')],
  ])('is not %s', (_what, metadata) => {
    expect(belongsTo(make.deployment({ metadata }))).toBeUndefined();
  });

  it.each<Stored>([
    { annotations: { 'meta.helm.sh/release-name': 'x; rm -rf ~', 'meta.helm.sh/release-namespace': '$(id)' } },
    { annotations: { 'argocd.argoproj.io/tracking-id': '`id`:x' } },
    { labels: { 'kustomize.toolkit.fluxcd.io/name': '--help', 'kustomize.toolkit.fluxcd.io/namespace': '\u001b[31m' } },
    make.ownedBy('Data;base', '$(id)', 'sql.corp.test/v1'),
    writes('\u001b[31m$(id)-operator'),
  ])('is worded without what its names would do: %j', (metadata) => {
    const owner = belongsTo(make.deployment({ metadata }));
    const commands = owner?.belongs.filter((line) => /(?:helm|flux|argocd|kubectl) /.test(line)).join('\n') ?? '';
    expect(owner).toBeDefined();
    expect(commands).not.toMatch(/[;`$]|--help/);
    expect(JSON.stringify(owner)).not.toContain('\\u001b');
  });
});
