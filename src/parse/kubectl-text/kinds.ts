import type { Channel } from '../../model/channel.ts';
import { type EntityId, nodeId, objectId, podId, workloadId } from '../../model/entity.ts';

interface Resource {
  readonly kind: string;
  readonly names: readonly string[];
  readonly clusterWide?: boolean;
}

const RESOURCES: readonly Resource[] = [
  { kind: 'Pod', names: ['pod', 'pods', 'po'] },
  { kind: 'Node', names: ['node', 'nodes', 'no'], clusterWide: true },
  { kind: 'Deployment', names: ['deployment', 'deployments', 'deploy'] },
  { kind: 'ReplicaSet', names: ['replicaset', 'replicasets', 'rs'] },
  { kind: 'StatefulSet', names: ['statefulset', 'statefulsets', 'sts'] },
  { kind: 'DaemonSet', names: ['daemonset', 'daemonsets', 'ds'] },
  { kind: 'ReplicationController', names: ['replicationcontroller', 'replicationcontrollers', 'rc'] },
  { kind: 'Job', names: ['job', 'jobs'] },
  { kind: 'CronJob', names: ['cronjob', 'cronjobs', 'cj'] },
  { kind: 'PersistentVolumeClaim', names: ['persistentvolumeclaim', 'persistentvolumeclaims', 'pvc'] },
  { kind: 'PersistentVolume', names: ['persistentvolume', 'persistentvolumes', 'pv'], clusterWide: true },
  { kind: 'StorageClass', names: ['storageclass', 'storageclasses', 'sc'], clusterWide: true },
  { kind: 'VolumeAttachment', names: ['volumeattachment', 'volumeattachments'], clusterWide: true },
  { kind: 'Service', names: ['service', 'services', 'svc'] },
  { kind: 'Endpoints', names: ['endpoints', 'ep'] },
  { kind: 'EndpointSlice', names: ['endpointslice', 'endpointslices'] },
  { kind: 'Ingress', names: ['ingress', 'ingresses', 'ing'] },
  { kind: 'IngressClass', names: ['ingressclass', 'ingressclasses'], clusterWide: true },
  { kind: 'NetworkPolicy', names: ['networkpolicy', 'networkpolicies', 'netpol'] },
  { kind: 'ConfigMap', names: ['configmap', 'configmaps', 'cm'] },
  { kind: 'Secret', names: ['secret', 'secrets'] },
  { kind: 'ServiceAccount', names: ['serviceaccount', 'serviceaccounts', 'sa'] },
  { kind: 'Namespace', names: ['namespace', 'namespaces', 'ns'], clusterWide: true },
  { kind: 'HorizontalPodAutoscaler', names: ['horizontalpodautoscaler', 'horizontalpodautoscalers', 'hpa'] },
  { kind: 'PodDisruptionBudget', names: ['poddisruptionbudget', 'poddisruptionbudgets', 'pdb'] },
  { kind: 'ResourceQuota', names: ['resourcequota', 'resourcequotas', 'quota'] },
  { kind: 'LimitRange', names: ['limitrange', 'limitranges', 'limits'] },
  { kind: 'PriorityClass', names: ['priorityclass', 'priorityclasses', 'pc'], clusterWide: true },
  { kind: 'RuntimeClass', names: ['runtimeclass', 'runtimeclasses'], clusterWide: true },
  { kind: 'CSIDriver', names: ['csidriver', 'csidrivers'], clusterWide: true },
  { kind: 'CSINode', names: ['csinode', 'csinodes'], clusterWide: true },
  { kind: 'Role', names: ['role', 'roles'] },
  { kind: 'RoleBinding', names: ['rolebinding', 'rolebindings'] },
  { kind: 'ClusterRole', names: ['clusterrole', 'clusterroles'], clusterWide: true },
  { kind: 'ClusterRoleBinding', names: ['clusterrolebinding', 'clusterrolebindings'], clusterWide: true },
  { kind: 'Lease', names: ['lease', 'leases'] },
  { kind: 'ClusterOperator', names: ['clusteroperator', 'clusteroperators', 'co'], clusterWide: true },
  { kind: 'APIService', names: ['apiservice', 'apiservices'], clusterWide: true },
  { kind: 'ComponentStatus', names: ['componentstatus', 'componentstatuses', 'cs'], clusterWide: true },
  { kind: 'VolumeSnapshot', names: ['volumesnapshot', 'volumesnapshots'] },
  {
    kind: 'CustomResourceDefinition',
    names: ['customresourcedefinition', 'customresourcedefinitions', 'crd', 'crds'],
    clusterWide: true,
  },
  {
    kind: 'CertificateSigningRequest',
    names: ['certificatesigningrequest', 'certificatesigningrequests', 'csr'],
    clusterWide: true,
  },
  {
    kind: 'MutatingWebhookConfiguration',
    names: ['mutatingwebhookconfiguration', 'mutatingwebhookconfigurations'],
    clusterWide: true,
  },
  {
    kind: 'ValidatingWebhookConfiguration',
    names: ['validatingwebhookconfiguration', 'validatingwebhookconfigurations'],
    clusterWide: true,
  },
];

const BY_NAME = new Map(RESOURCES.flatMap((resource) => resource.names.map((name) => [name, resource.kind] as const)));
const CLUSTER_WIDE = new Set(RESOURCES.filter((resource) => resource.clusterWide).map((resource) => resource.kind));
const WORKLOADS = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'ReplicationController', 'Job', 'CronJob']);
/** Groups whose resources are Kubernetes' own: `services.serving.knative.dev` is no Service. */
const OWN_GROUP =
  /^(?:(?:v\d\w{0,8}\.)?(?:apps|batch|extensions|policy|autoscaling)|(?:v\d\w{0,8}\.)?[a-z.]{0,60}k8s\.io|v\d\w{0,8}|core)$/;

/** The kind of a resource as typed or printed: `po`, `deployment.apps`, `Pod`. */
export function kindOf(resource: string | undefined): string | undefined {
  if (!resource) return undefined;
  const dot = resource.indexOf('.');
  const plain = (dot < 0 ? resource : resource.slice(0, dot)).toLowerCase();
  if (dot >= 0 && !OWN_GROUP.test(resource.slice(dot + 1))) return undefined;
  return BY_NAME.get(plain);
}

export function isWorkload(kind: string): boolean {
  return WORKLOADS.has(kind);
}

export function isClusterWide(kind: string): boolean {
  return CLUSTER_WIDE.has(kind);
}

interface Named {
  readonly kind?: string;
  /** The kind as printed, also where it is not one of Kubernetes' own. */
  readonly printed?: string;
  readonly name: string;
}

/** Splits `deployment.apps/web`; a plain name has no kind. */
export function splitName(text: string): Named {
  const slash = text.indexOf('/');
  if (slash < 0) return { name: text };
  const printed = text.slice(0, slash);
  const kind = kindOf(printed);
  return { ...(kind ? { kind } : {}), printed, name: text.slice(slash + 1) };
}

export function entityId(kind: string, namespace: string | undefined, name: string): EntityId {
  if (kind === 'Pod') return podId(namespace, name);
  if (kind === 'Node') return nodeId(name);
  if (isWorkload(kind)) return workloadId(kind, namespace, name);
  return objectId(kind, CLUSTER_WIDE.has(kind) ? undefined : namespace, name);
}

export function eventChannel(kind: string): Channel {
  if (kind === 'Pod') return 'pod-events';
  return kind === 'Node' ? 'node-events' : 'object-events';
}
