import type { ObjectRef } from './cluster-plan.ts';

interface KnownKind {
  readonly plural: string;
  readonly apiVersion: string;
  readonly namespaced: boolean;
}

/** Kinds podcause may change; everything else (secrets and rights above all) is for people. */
const KINDS: Readonly<Record<string, KnownKind>> = {
  Pod: kind('pods', 'v1'),
  PersistentVolumeClaim: kind('persistentvolumeclaims', 'v1'),
  ConfigMap: kind('configmaps', 'v1'),
  ResourceQuota: kind('resourcequotas', 'v1'),
  Service: kind('services', 'v1'),
  ReplicationController: kind('replicationcontrollers', 'v1'),
  Namespace: kind('namespaces', 'v1', false),
  Node: kind('nodes', 'v1', false),
  PersistentVolume: kind('persistentvolumes', 'v1', false),
  Deployment: kind('deployments', 'apps/v1'),
  ReplicaSet: kind('replicasets', 'apps/v1'),
  StatefulSet: kind('statefulsets', 'apps/v1'),
  DaemonSet: kind('daemonsets', 'apps/v1'),
  ControllerRevision: kind('controllerrevisions', 'apps/v1'),
  Job: kind('jobs', 'batch/v1'),
  CronJob: kind('cronjobs', 'batch/v1'),
  PodDisruptionBudget: kind('poddisruptionbudgets', 'policy/v1'),
  VolumeAttachment: kind('volumeattachments', 'storage.k8s.io/v1', false),
};

function kind(plural: string, apiVersion: string, namespaced = true): KnownKind {
  return { plural, apiVersion, namespaced };
}

/** Names as the API takes them; dots are allowed in all but namespaces. */
const NAME = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;
const NAMESPACE = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

export function isName(text: string): boolean {
  return NAME.test(text) && !text.includes('..');
}

export function isNamespace(text: string): boolean {
  return NAMESPACE.test(text);
}

/** Undefined for kinds and names that are none. */
export function refOf(kindName: string, namespace: string | undefined, name: string): ObjectRef | undefined {
  const known = Object.hasOwn(KINDS, kindName) ? KINDS[kindName] : undefined;
  if (!known || !isName(name)) return undefined;
  if (!known.namespaced) return { apiVersion: known.apiVersion, kind: kindName, plural: known.plural, name };
  if (namespace === undefined || !isNamespace(namespace)) return undefined;
  return { apiVersion: known.apiVersion, kind: kindName, plural: known.plural, namespace, name };
}

/** `Kind/namespace/name`, or `Kind/name` for what is in no namespace. */
export function parseObject(text: string): ObjectRef | undefined {
  const parts = text.split('/');
  if (parts.length === 2) return refOf(parts[0] ?? '', undefined, parts[1] ?? '');
  return parts.length === 3 ? refOf(parts[0] ?? '', parts[1], parts[2] ?? '') : undefined;
}

export function collectionPath({ apiVersion, plural, namespace }: Omit<ObjectRef, 'kind' | 'name'>): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return namespace === undefined ? `${root}/${plural}` : `${root}/namespaces/${encodeURIComponent(namespace)}/${plural}`;
}

export function objectPath(ref: ObjectRef): string {
  return `${collectionPath(ref)}/${encodeURIComponent(ref.name)}`;
}

/** As users name it: `Deployment shop/web`, `Node n1`. */
export function nameOfRef({ kind: kindName, namespace, name }: Pick<ObjectRef, 'kind' | 'namespace' | 'name'>): string {
  return namespace === undefined ? `${kindName} ${name}` : `${kindName} ${namespace}/${name}`;
}
