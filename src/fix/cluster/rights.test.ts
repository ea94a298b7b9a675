import { describe, expect, it } from 'vitest';
import { FIX_RIGHTS, FIXER } from '../../collect/cluster/rights.ts';
import { mayDo, rightUsed, type Used, wordsOf } from '../../collect/cluster/testing-rbac.ts';
import { applyCluster } from './apply-cluster.ts';
import type { ClusterStep } from './cluster-plan.ts';
import { recordHosts } from './host-record.ts';
import { setValue } from './json-pointer.ts';
import { listFixes } from './list-fixes.ts';
import { refOf } from './refs.ts';
import { resumeCluster } from './resume-cluster.ts';
import { planRollout } from './rollout.ts';
import { ID, planOf, quietly, RECORD, testClock } from './testing-fixes.ts';
import { type Stored, startApi, type TestApi } from './testing-plan-api.ts';
import { undoCluster } from './undo-cluster.ts';

const CLUSTER_WIDE: ReadonlySet<string> = new Set(['Node', 'PersistentVolume', 'Namespace', 'VolumeAttachment']);
const KINDS = [
  'Pod',
  'Service',
  'PersistentVolumeClaim',
  'ResourceQuota',
  'ReplicationController',
  'Node',
  'PersistentVolume',
  'Namespace',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
  'PodDisruptionBudget',
  'VolumeAttachment',
  'ConfigMap',
];
const PLANNED = { says: 'do it', diff: [], risk: 'restarts-pods', undo: '', dryRun: { outcome: 'accepted' }, notes: [] } as const;

function refFor(kind: string, name = 'one') {
  const ref = refOf(kind, CLUSTER_WIDE.has(kind) ? undefined : 'shop', name);
  if (!ref) throw new Error(`podcause does not change ${kind}`);
  return ref;
}

function objectFor(kind: string, name = 'one', more: Stored = {}): Stored {
  const { apiVersion, namespace } = refFor(kind, name);
  const metadata = { name, uid: `uid-${kind}-${name}`, ...(namespace === undefined ? {} : { namespace }), ...(more['metadata'] as object) };
  return { apiVersion, kind, spec: { field: 'old' }, data: { field: 'old' }, ...more, metadata };
}

function patchOf(kind: string): ClusterStep {
  const swap = setValue(objectFor(kind), [kind === 'ConfigMap' ? 'data' : 'spec', 'field'], 'new');
  return { ...PLANNED, kind: 'patch', object: refFor(kind), ...swap };
}

function restart(name: string, by: 'eviction' | 'deletion'): ClusterStep {
  return { ...PLANNED, kind: 'restart-pod', object: refFor('Pod', name), uid: `uid-Pod-${name}`, by, controller: '' };
}

const HELD = { metadata: { deletionTimestamp: '2026-03-01T11:00:00Z' }, spec: { finalizers: ['kubernetes'] } };
const REVISIONS = ['set-1', 'set-2'].map((name, index) =>
  objectFor('ControllerRevision', name, {
    revision: index + 1,
    data: { spec: { template: { note: name } } },
    metadata: { ownerReferences: [{ kind: 'StatefulSet', uid: 'uid-StatefulSet-set', controller: true }] },
  }),
);
const SET = objectFor('StatefulSet', 'set', { spec: { template: { note: 'set-2' } } });

const STEPS: readonly ClusterStep[] = [
  ...KINDS.map(patchOf),
  restart('evicted', 'eviction'),
  restart('deleted', 'deletion'),
  {
    ...PLANNED,
    kind: 'remove-finalizer',
    object: refFor('Namespace', 'held'),
    uid: 'uid-Namespace-held',
    finalizer: 'kubernetes',
    at: 'spec',
  },
  { ...PLANNED, kind: 'rollout', object: refFor('StatefulSet', 'set'), from: 'set-2', to: 'set-1' },
];

async function everything(): Promise<TestApi> {
  const api = await startApi([
    ...KINDS.map((kind) => objectFor(kind)),
    objectFor('Pod', 'evicted'),
    objectFor('Pod', 'deleted'),
    objectFor('Namespace', 'held', HELD),
    SET,
    ...REVISIONS,
  ]);
  const { options } = testClock();
  await planRollout(api.port, { ref: refFor('StatefulSet', 'set'), object: SET, podSpec: ['spec', 'template', 'spec'] });
  await recordHosts(api.port, RECORD, [{ node: 'n1', state: 'begun' }]);
  expect(await applyCluster(api.port, planOf(...STEPS), RECORD, quietly, options)).toMatchObject({ state: 'done' });
  expect(await resumeCluster(api.port, ID, quietly, options)).toMatchObject({ state: 'done' });
  expect(await undoCluster(api.port, ID, quietly, options)).toMatchObject({ state: 'undone' });
  expect(await listFixes(api.port)).toHaveLength(1);
  return api;
}

function keyOf(used: Used, only: string | undefined): string {
  return `${wordsOf(used)}${only === undefined ? '' : ` in ${only}`}`;
}

describe('the rights of the fixer', () => {
  it('are enough for everything a fix asks for, and each is used', async () => {
    const { asked } = await everything();
    const used = asked.flatMap(({ method, path }) => rightUsed(method, path) ?? []);
    for (const one of used) expect([one, mayDo(FIXER, one)]).toEqual([one, true]);
    const keys = new Set(used.flatMap((one) => [keyOf(one, undefined), keyOf(one, one.namespace)]));
    expect(FIX_RIGHTS.map((right) => keyOf(right, right.only)).filter((key) => !keys.has(key))).toEqual([]);
  });
});
