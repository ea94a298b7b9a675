import type { ClusterPort } from '../../collect/cluster/port.ts';
import { open } from '../../collect/cluster/testing-ports.ts';
import type { ClusterPlan, ClusterStep, DryRun, FixRecord, JsonPatch, OnStep, RunOptions } from './cluster-plan.ts';
import { setValue, type Token } from './json-pointer.ts';
import { refOf } from './refs.ts';
import { type ApiOptions, type Stored, startApi } from './testing-plan-api.ts';

export const WEB = '/apis/apps/v1/namespaces/shop/deployments/web';
export const OLD_SET = '/apis/apps/v1/namespaces/shop/replicasets/web-1';
export const NEW_SET = '/apis/apps/v1/namespaces/shop/replicasets/web-2';
export const QUOTA = '/api/v1/namespaces/shop/resourcequotas/small';
export const POD = '/api/v1/namespaces/shop/pods/web-2-abcde';
export const NODE = '/api/v1/nodes/n1';
export const CLAIM = '/api/v1/namespaces/shop/persistentvolumeclaims/data';
export const ID = '20260301-120000-a1b2';
export const JOURNAL = `/api/v1/namespaces/podcause/configmaps/podcause-fix-${ID}`;
export const LEASE = '/apis/coordination.k8s.io/v1/namespaces/podcause/leases/podcause-fix';

export const RECORD: FixRecord = { id: ID, title: 'raise the memory limit', report: 'r-77', who: 'marla@desk' };

function template(memory: string): Stored {
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', image: 'i:1', resources: { limits: { memory } } }] } };
}

function replicaSet(name: string, revision: number, memory: string): Stored {
  const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'uid-web', controller: true };
  const annotations = { 'deployment.kubernetes.io/revision': String(revision) };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name, namespace: 'shop', annotations, ownerReferences: [owner] },
    spec: { template: template(memory) },
  };
}

function core(kind: string, name: string, uid: string, spec: object, namespace?: string): Stored {
  return { apiVersion: 'v1', kind, metadata: { name, uid, ...(namespace === undefined ? {} : { namespace }) }, spec };
}

/** A shop whose workload has too little memory, whose quota is too small, and whose node is cordoned. */
const SHOP: readonly Stored[] = [
  core('Namespace', 'shop', 'uid-shop', {}),
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', uid: 'uid-web' },
    spec: { replicas: 1, template: template('64Mi') },
  },
  replicaSet('web-1', 1, '32Mi'),
  replicaSet('web-2', 2, '64Mi'),
  core('ResourceQuota', 'small', 'uid-quota', { hard: { pods: '2' } }, 'shop'),
  core('Pod', 'web-2-abcde', 'uid-pod', {}, 'shop'),
  core('Node', 'n1', 'uid-node', { unschedulable: true }),
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: 'data',
      namespace: 'shop',
      uid: 'uid-claim',
      deletionTimestamp: '2026-03-01T11:00:00Z',
      finalizers: ['example.test/hold'],
    },
    spec: {},
  },
];

export interface Shop {
  readonly port: ClusterPort;
  /** `PATCH /api/…`, in order. */
  writes(): string[];
  paths(): string[];
  get(path: string): Stored | undefined;
  /** As somebody else would change it. */
  change(path: string, change: { readonly metadata?: object; readonly [part: string]: unknown }): void;
  remove(path: string): void;
  /** Everything as it is now; the function brings it back. */
  save(): () => void;
  /** Another way in, for another run. */
  connect(): ClusterPort;
}

export async function startShop(options: ApiOptions = {}): Promise<Shop> {
  const api = await startApi(SHOP, options);
  let changes = 0;
  return {
    port: api.port,
    writes: () => api.writes().map(({ method, path }) => `${method} ${path}`),
    paths: () => [...api.objects.keys()],
    get: (path) => api.objects.get(path),
    change(path, change) {
      const before = api.at(path);
      const metadata = { ...(before['metadata'] as object), ...change.metadata, resourceVersion: `by-another-${++changes}` };
      api.objects.set(path, { ...structuredClone(before), ...change, metadata });
    },
    remove: (path) => void api.objects.delete(path),
    save() {
      const saved = [...api.objects];
      return () => {
        api.objects.clear();
        for (const [path, object] of saved) api.objects.set(path, object);
      };
    },
    connect: () => open(api.url),
  };
}

const ACCEPTED: DryRun = { outcome: 'accepted' };
const PLANNED = { diff: [], risk: 'restarts-pods', undo: 'as it was', dryRun: ACCEPTED, notes: [] } as const;

function ref(kind: string, name: string, namespace?: string) {
  const found = refOf(kind, namespace, name);
  if (!found) throw new Error(`no kind ${kind}`);
  return found;
}

export const MEMORY: readonly Token[] = ['spec', 'template', 'spec', 'containers', 0, 'resources', 'limits', 'memory'];

export function patchStep(api: Shop, path: string, tokens: readonly Token[], value: unknown): ClusterStep {
  const object = api.get(path) ?? {};
  const kind = String(object['kind']);
  const { name, namespace } = object['metadata'] as { readonly name: string; readonly namespace?: string };
  return {
    ...PLANNED,
    kind: 'patch',
    object: ref(kind, name, namespace),
    says: `Set ${tokens.at(-1)} of ${name}`,
    ...setValue(object, tokens, value),
  };
}

export function rawPatch(patch: JsonPatch, reverse: JsonPatch): ClusterStep {
  return { ...PLANNED, kind: 'patch', object: ref('Deployment', 'web', 'shop'), says: 'Patch web', patch, reverse };
}

export function restartStep(by: 'eviction' | 'deletion'): ClusterStep {
  return {
    ...PLANNED,
    kind: 'restart-pod',
    object: ref('Pod', 'web-2-abcde', 'shop'),
    says: 'Restart the pod',
    uid: 'uid-pod',
    by,
    controller: 'ReplicaSet web-2',
  };
}

export function finalizerStep(): ClusterStep {
  const object = ref('PersistentVolumeClaim', 'data', 'shop');
  return {
    ...PLANNED,
    kind: 'remove-finalizer',
    object,
    says: 'Remove the finalizer',
    uid: 'uid-claim',
    finalizer: 'example.test/hold',
    at: 'metadata',
  };
}

export function rolloutStep(): ClusterStep {
  return {
    ...PLANNED,
    kind: 'rollout',
    object: ref('Deployment', 'web', 'shop'),
    says: 'Go back to revision 1',
    from: 'web-2',
    to: 'web-1',
  };
}

export function planOf(...steps: readonly ClusterStep[]): ClusterPlan {
  return { cause: 'memory-limit', steps, refused: [], affected: [], notes: [] };
}

/** Memory, quota and node: three patches that can all be taken back. */
export function threePatches(api: Shop): ClusterPlan {
  return planOf(
    patchStep(api, WEB, MEMORY, '128Mi'),
    patchStep(api, QUOTA, ['spec', 'hard', 'pods'], '10'),
    patchStep(api, NODE, ['spec', 'unschedulable'], false),
  );
}

/** The least that has a step before and a step behind every point. */
export function twoPatches(api: Shop): ClusterPlan {
  const { steps, ...rest } = threePatches(api);
  return { ...rest, steps: steps.slice(0, 2) };
}

export const quietly: OnStep = () => undefined;

export interface TestClock {
  now: number;
  readonly options: RunOptions;
}

/** A clock that only waits move. */
export function testClock(more: Partial<RunOptions> = {}): TestClock {
  const clock: TestClock = {
    now: Date.parse('2026-03-01T12:00:00Z'),
    options: {
      holder: 'marla@desk:41',
      now: () => clock.now,
      wait: async (milliseconds) => {
        clock.now += milliseconds;
      },
      ...more,
    },
  };
  return clock;
}

/** What podcause changes, without what the server counts by itself. */
export function specsOf(api: Shop): Stored {
  const paths = [WEB, QUOTA, NODE];
  return Object.fromEntries(paths.map((path) => [path, structuredClone(api.get(path)?.['spec'])]));
}
