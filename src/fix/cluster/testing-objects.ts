import type { ClusterIncident } from './cluster-plan.ts';
import type { Stored } from './testing-plan-api.ts';

/** Objects of a small shop, as an API server hands them out. */

interface Extra {
  readonly metadata?: Stored;
  readonly spec?: Stored;
  readonly status?: Stored;
}

function object(apiVersion: string, kind: string, name: string, { metadata, spec, status }: Extra, namespace?: string): Stored {
  return {
    apiVersion,
    kind,
    metadata: { name, ...(namespace !== undefined ? { namespace } : {}), uid: `uid-${kind}-${name}`, ...metadata },
    ...(spec !== undefined ? { spec } : {}),
    ...(status !== undefined ? { status } : {}),
  };
}

export const podSpec = (): Stored => ({
  containers: [
    {
      name: 'app',
      image: 'registry.test/shop/web:1.3',
      resources: { limits: { memory: '128Mi', cpu: '500m' } },
      livenessProbe: { httpGet: { path: '/', port: 8080 }, timeoutSeconds: 1, failureThreshold: 3 },
      env: [
        { name: 'MODE', value: 'shop' },
        { name: 'DB_PASSWORD', value: 'hunter2-of-the-shop' },
      ],
      ports: [{ containerPort: 8080, hostPort: 80 }],
    },
    { name: 'sidecar', image: 'registry.test/shop/proxy:9' },
  ],
  volumes: [{ name: 'settings', configMap: { name: 'web-settings' } }],
  imagePullSecrets: [{ name: 'old-login' }],
});

const labels = { app: 'web' };

function templated(kind: string, name: string, { metadata, spec, status }: Extra, apiVersion = 'apps/v1'): Stored {
  const own = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec() }, ...spec };
  return object(apiVersion, kind, name, { ...(metadata ? { metadata } : {}), spec: own, ...(status ? { status } : {}) }, 'shop');
}

export const deployment = (extra: Extra = {}) => templated('Deployment', 'web', { ...extra, spec: { replicas: 2, ...extra.spec } });
export const statefulSet = (extra: Extra = {}) => templated('StatefulSet', 'web', extra);
export const daemonSet = (extra: Extra = {}) => templated('DaemonSet', 'web', extra);
export const job = (extra: Extra = {}) => templated('Job', 'web', extra, 'batch/v1');
export const replicationController = (extra: Extra = {}) =>
  templated('ReplicationController', 'web', { ...extra, spec: { selector: labels, ...extra.spec } }, 'v1');

export function cronJob(): Stored {
  return object('batch/v1', 'CronJob', 'nightly', { spec: { jobTemplate: { spec: { template: { spec: podSpec() } } } } }, 'shop');
}

export function ownedBy(kind: string, name: string, apiVersion = 'apps/v1'): Stored {
  return { ownerReferences: [{ apiVersion, kind, name, uid: `uid-${kind}-${name}`, controller: true }] };
}

export const replicaSet = (name = 'web-6b7f', extra: Extra = { metadata: ownedBy('Deployment', 'web') }) =>
  templated('ReplicaSet', name, extra);

interface PodExtra extends Extra {
  readonly ready?: boolean;
}

export function pod(
  name = 'web-6b7f-abcde',
  { metadata, spec, status, ready = true }: PodExtra = { metadata: ownedBy('ReplicaSet', 'web-6b7f') },
): Stored {
  const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
  return object(
    'v1',
    'Pod',
    name,
    {
      metadata: { labels, ...metadata },
      spec: { ...podSpec(), nodeName: 'n1', ...spec },
      status: { phase: 'Running', conditions, ...status },
    },
    'shop',
  );
}

export function budget(disruptionsAllowed: number): Stored {
  const status = { disruptionsAllowed, currentHealthy: 2, desiredHealthy: 2 };
  return object('policy/v1', 'PodDisruptionBudget', 'web', { spec: { selector: { matchLabels: labels } }, status }, 'shop');
}

export const node = (extra: Extra = {}) =>
  object('v1', 'Node', 'n1', {
    spec: { unschedulable: true, ...extra.spec },
    status: { conditions: [{ type: 'Ready', status: 'True' }], ...extra.status },
  });

export const quota = () => object('v1', 'ResourceQuota', 'team', { spec: { hard: { 'requests.memory': '4Gi', pods: '10' } } }, 'shop');

export const claim = (extra: Extra = {}) =>
  object('v1', 'PersistentVolumeClaim', 'data', { ...extra, spec: { resources: { requests: { storage: '10Gi' } } } }, 'shop');

export const service = () =>
  object('v1', 'Service', 'web', { spec: { selector: { app: 'wep' }, ports: [{ port: 80, targetPort: 8081 }] } }, 'shop');

export function configMap(data: Stored): Stored {
  return { ...object('v1', 'ConfigMap', 'web-settings', {}, 'shop'), data };
}

/** A Deployment with what it owns and its pod. */
export const shop = (): Stored[] => [deployment(), replicaSet(), pod()];

export function incident(victim: string, placeId = victim): ClusterIncident {
  return { cause: 'some-cause', placeId, victims: [victim] };
}

export const NO_ANSWERS: ReadonlyMap<string, string> = new Map();
