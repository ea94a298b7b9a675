import type { Channel } from '../../model/channel.ts';

/** One kind of object that a diagnosis lists before anything else: cheap, and enough to see all symptoms. */
export interface ListKind {
  /** As in paths and roles: `persistentvolumeclaims`. */
  readonly plural: string;
  /** Group versions that hold it, the newest first; the first one the server has is used. */
  readonly versions: readonly string[];
  readonly namespaced: boolean;
  /** What a diagnosis does not see without it. */
  readonly channels: readonly Channel[];
  /** Of a namespaced kind, the only namespace worth reading. */
  readonly only?: string;
}

export const LISTS: readonly ListKind[] = [
  list('pods', ['v1'], true, ['pod-status', 'pod-spec']),
  list('nodes', ['v1'], false, ['node-status']),
  list('events', ['v1'], true, ['pod-events', 'node-events', 'object-events']),
  list('deployments', ['apps/v1'], true, ['workload']),
  list('replicasets', ['apps/v1'], true, ['workload']),
  list('statefulsets', ['apps/v1'], true, ['workload']),
  list('daemonsets', ['apps/v1'], true, ['workload']),
  list('jobs', ['batch/v1'], true, ['workload']),
  list('cronjobs', ['batch/v1', 'batch/v1beta1'], true, ['workload']),
  list('namespaces', ['v1'], false, ['objects']),
  list('services', ['v1'], true, ['objects']),
  list('endpointslices', ['discovery.k8s.io/v1', 'discovery.k8s.io/v1beta1'], true, ['objects']),
  list('persistentvolumeclaims', ['v1'], true, ['objects']),
  list('persistentvolumes', ['v1'], false, ['objects']),
  list('storageclasses', ['storage.k8s.io/v1'], false, ['objects']),
  list('volumeattachments', ['storage.k8s.io/v1'], false, ['objects']),
  list('csinodes', ['storage.k8s.io/v1'], false, ['objects']),
  list('csidrivers', ['storage.k8s.io/v1'], false, ['objects']),
  list('resourcequotas', ['v1'], true, ['objects']),
  list('limitranges', ['v1'], true, ['objects']),
  list('poddisruptionbudgets', ['policy/v1', 'policy/v1beta1'], true, ['objects']),
  list('runtimeclasses', ['node.k8s.io/v1', 'node.k8s.io/v1beta1'], false, ['objects']),
  list('priorityclasses', ['scheduling.k8s.io/v1'], false, ['objects']),
  list('validatingwebhookconfigurations', ['admissionregistration.k8s.io/v1'], false, ['objects']),
  list('mutatingwebhookconfigurations', ['admissionregistration.k8s.io/v1'], false, ['objects']),
  { ...list('leases', ['coordination.k8s.io/v1'], true, ['objects']), only: 'kube-node-lease' },
];

function list(plural: string, versions: readonly string[], namespaced: boolean, channels: readonly Channel[]): ListKind {
  return { plural, versions, namespaced, channels };
}

/** What of the cluster is looked at. */
export interface ClusterScope {
  /** All namespaces where it is not set. */
  readonly namespace?: string;
  /** Only pods on this node. */
  readonly node?: string;
  /** Only pods with these labels. */
  readonly selector?: string;
}

/** Where a kind is listed from; undefined when it lies outside the scope. */
export function pathOf(kind: ListKind, version: string, scope: ClusterScope): string | undefined {
  const root = version.includes('/') ? `/apis/${version}` : `/api/${version}`;
  const namespace = kind.only ?? (kind.namespaced ? scope.namespace : undefined);
  if (kind.only !== undefined && scope.namespace !== undefined && scope.namespace !== kind.only) return undefined;
  const path = `${root}${namespace === undefined ? '' : `/namespaces/${encodeURIComponent(namespace)}`}/${kind.plural}`;
  if (kind.plural !== 'pods') return path;
  const query = new URLSearchParams();
  if (scope.selector !== undefined) query.set('labelSelector', scope.selector);
  if (scope.node !== undefined) query.set('fieldSelector', `spec.nodeName=${scope.node}`);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The same by kubectl, for people who have other rights. */
export function commandOf(kind: ListKind, scope: ClusterScope): string {
  const namespace = kind.only ?? scope.namespace;
  const where = !kind.namespaced ? '' : namespace === undefined ? ' -A' : ` -n ${namespace}`;
  return `kubectl get ${kind.plural}${where} -o json`;
}
