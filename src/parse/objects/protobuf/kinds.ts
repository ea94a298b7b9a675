import { STATUS_ANSWER } from './meta-messages.ts';
import { CLAIM, CONFIG_MAP, ENDPOINTS, EVENT, NAMESPACE, NEW_EVENT, NODE, QUOTA, SECRET, SERVICE, VOLUME } from './object-messages.ts';
import {
  AUTOSCALER,
  BARE,
  CSI_NODE,
  DISRUPTION_BUDGET,
  ENDPOINT_SLICE,
  LEASE,
  PRIORITY_CLASS,
  RUNTIME_CLASS,
  STORAGE_CLASS,
  VOLUME_ATTACHMENT,
  WEBHOOKS,
} from './other-messages.ts';
import { POD } from './pod-messages.ts';
import type { Message } from './schema.ts';
import { CRON_JOB, DAEMON_SET, DEPLOYMENT, JOB, REPLICA_SET, STATEFUL_SET } from './workload-messages.ts';

/** By group and kind; the versions of a group that servers still speak agree in the fields that are read. */
const MESSAGES: ReadonlyMap<string, Message> = new Map([
  ['/Pod', POD],
  ['/Node', NODE],
  ['/Event', EVENT],
  ['events.k8s.io/Event', NEW_EVENT],
  ['/PersistentVolumeClaim', CLAIM],
  ['/PersistentVolume', VOLUME],
  ['/Service', SERVICE],
  ['/Endpoints', ENDPOINTS],
  ['/ResourceQuota', QUOTA],
  ['/LimitRange', BARE],
  ['/Namespace', NAMESPACE],
  ['/ServiceAccount', BARE],
  ['/ConfigMap', CONFIG_MAP],
  ['/Secret', SECRET],
  ['/Status', STATUS_ANSWER],
  ['/ReplicationController', REPLICA_SET],
  ['apps/Deployment', DEPLOYMENT],
  ['apps/ReplicaSet', REPLICA_SET],
  ['apps/StatefulSet', STATEFUL_SET],
  ['apps/DaemonSet', DAEMON_SET],
  ['batch/Job', JOB],
  ['batch/CronJob', CRON_JOB],
  ['storage.k8s.io/StorageClass', STORAGE_CLASS],
  ['storage.k8s.io/VolumeAttachment', VOLUME_ATTACHMENT],
  ['storage.k8s.io/CSINode', CSI_NODE],
  ['storage.k8s.io/CSIDriver', BARE],
  ['coordination.k8s.io/Lease', LEASE],
  ['discovery.k8s.io/EndpointSlice', ENDPOINT_SLICE],
  ['admissionregistration.k8s.io/ValidatingWebhookConfiguration', WEBHOOKS],
  ['admissionregistration.k8s.io/MutatingWebhookConfiguration', WEBHOOKS],
  ['policy/PodDisruptionBudget', DISRUPTION_BUDGET],
  ['scheduling.k8s.io/PriorityClass', PRIORITY_CLASS],
  ['node.k8s.io/RuntimeClass', RUNTIME_CLASS],
  ['networking.k8s.io/NetworkPolicy', BARE],
  ['networking.k8s.io/Ingress', BARE],
  ['networking.k8s.io/IngressClass', BARE],
  ['autoscaling/HorizontalPodAutoscaler', AUTOSCALER],
]);

export function messageOf(apiVersion: string, kind: string): Message | undefined {
  const slash = apiVersion.indexOf('/');
  return MESSAGES.get(`${slash < 0 ? '' : apiVersion.slice(0, slash)}/${kind}`);
}
