import { type EntityId, podId } from '../../model/entity.ts';
import type { KilledBy } from '../../model/facts.ts';
import { isName } from './lines.ts';

const POD_WITH_UID =
  /(?<name>[A-Za-z0-9][-A-Za-z0-9.]{0,252})_(?<namespace>[a-z0-9][-a-z0-9]{0,62})\((?<uid>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32})\)/;
const ASSIGNED = /^Successfully assigned (?:(?<namespace>[a-z0-9][-a-z0-9]{0,62})\/)?(?<pod>[^\s/]{1,253}) to (?<node>[^\s]{1,253}?)\.?$/;

/** How the kubelet names a container, newest wording first; the old ones put an id where the name would be. */
const CONTAINER: readonly RegExp[] = [
  /^(?:Created|Started|Stopping) container:? (?<name>[a-z0-9][-a-z0-9]{0,62})$/,
  /^Container (?<name>[a-z0-9][-a-z0-9]{0,62}) (?:failed (?:liveness|startup|readiness) probe|definition changed|exceeded its local)/,
  /^Back-off restarting failed container (?<name>[a-z0-9][-a-z0-9]{0,62}) in pod /,
  /^back-off \S{1,20} restarting failed container=(?<name>[a-z0-9][-a-z0-9]{0,62}) pod=/,
  /^Killing container with id [a-z-]{1,20}:\/\/(?<name>[a-z0-9][-a-z0-9]{0,62}):/,
  / container "(?<name>[a-z0-9][-a-z0-9]{0,62})" is unhealthy/,
];

const KILLED: readonly (readonly [by: KilledBy, text: RegExp])[] = [
  ['liveness-probe', /failed liveness probe|is unhealthy, it will be killed/],
  ['startup-probe', /failed startup probe/],
  ['definition-changed', /definition changed|hash changed/],
  ['hook', /FailedPostStartHook|PostStartHook|FailedPreStopHook/],
  ['unknown-state', /is in "?unknown"? state/],
  ['stop', /^Stopping container|Need to kill Pod/],
];

/** `spec.containers{web}`, `spec.initContainers{setup}`. */
export function containerOfPath(path: string | undefined): string | undefined {
  return /^spec\.\w{1,30}\{(?<name>[^}]{1,63})\}$/.exec(path ?? '')?.groups?.['name'];
}

export function containerOf(message: string): string | undefined {
  for (const pattern of CONTAINER) {
    const name = pattern.exec(message)?.groups?.['name'];
    if (name !== undefined) return name;
  }
  return undefined;
}

export function killedBy(reason: string, message: string): KilledBy | undefined {
  if (reason !== 'Killing') return undefined;
  return KILLED.find(([, text]) => text.test(message))?.[0];
}

interface NamedPod {
  readonly pod: EntityId;
  readonly namespace?: string;
  readonly uid?: string;
  readonly node?: string;
}

/** The pod an event is about, where its text names it. */
export function podNamedIn(reason: string, message: string, namespace?: string): NamedPod | undefined {
  const assigned = reason === 'Scheduled' ? ASSIGNED.exec(message.trim())?.groups : undefined;
  if (assigned && isName(assigned['pod'] ?? '')) {
    const own = assigned['namespace'] ?? namespace;
    return {
      pod: podId(own, assigned['pod'] ?? ''),
      node: assigned['node'] ?? '',
      ...(own !== undefined ? { namespace: own } : {}),
    };
  }
  const named = POD_WITH_UID.exec(message)?.groups;
  if (!named) return undefined;
  const own = named['namespace'] ?? '';
  return { pod: podId(own, named['name'] ?? ''), namespace: own, uid: named['uid'] ?? '' };
}

const NODE_REASONS = new Set([
  'Starting',
  'NodeReady',
  'NodeNotReady',
  'NodeSchedulable',
  'NodeNotSchedulable',
  'NodeHasSufficientMemory',
  'NodeHasInsufficientMemory',
  'NodeHasNoDiskPressure',
  'NodeHasDiskPressure',
  'NodeHasSufficientPID',
  'NodeHasInsufficientPID',
  'NodeAllocatableEnforced',
  'Rebooted',
  'Shutdown',
  'SystemOOM',
  'EvictionThresholdMet',
  'FreeDiskSpaceFailed',
  'ImageGCFailed',
  'ContainerGCFailed',
  'InvalidDiskCapacity',
  'KubeletSetupFailed',
  'FailedNodeAllocatableEnforcement',
  'CheckLimitsForResolvConf',
  'CgroupV1',
  'PossibleMemoryBackedVolumesOnDisk',
  'RegisteredNode',
  'RemovingNode',
  'DeletingNode',
  'DeletingAllPods',
  'TerminatingEvictedPod',
  'NodeHasInsufficientDisk',
  'NodeHasSufficientDisk',
  'CIDRAssignmentFailed',
  'OOMKilling',
  'TaskHung',
  'KernelOops',
]);

/** Reasons that only nodes get; the one they share with pods is told by its text. */
export function isNodeEvent(reason: string, message: string): boolean {
  return NODE_REASONS.has(reason) && !/^Node is not ready/.test(message);
}

/** `Node worker-2 status is now: NodeReady` names the node. */
export function nodeNamedIn(message: string): string | undefined {
  return /^Node (?<name>[A-Za-z0-9][-\w.]{0,252}) (?:status is now|has been rebooted|event: )/.exec(message)?.groups?.['name'];
}

const CLAIM_REASONS = new Set([
  'Provisioning',
  'ProvisioningFailed',
  'ProvisioningSucceeded',
  'ExternalProvisioning',
  'FailedBinding',
  'WaitForFirstConsumer',
  'WaitForPodScheduled',
  'ClaimLost',
  'VolumeMismatch',
  'ExternalExpanding',
  'VolumeResizeFailed',
]);

const CONTROLLERS: Readonly<Record<string, string>> = {
  'deployment-controller': 'Deployment',
  'replicaset-controller': 'ReplicaSet',
  'statefulset-controller': 'StatefulSet',
  'daemonset-controller': 'DaemonSet',
  'job-controller': 'Job',
  'cronjob-controller': 'CronJob',
};

interface OtherKind {
  readonly kind: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Events that neither pods nor nodes get: of claims, and of the controllers that make pods. */
export function otherKindOf({
  reason,
  message,
  from,
}: {
  readonly reason: string;
  readonly message: string;
  readonly from?: string;
}): OtherKind | undefined {
  if (CLAIM_REASONS.has(reason)) {
    const claim = / claim "(?<namespace>[a-z0-9][-a-z0-9]{0,62})\/(?<name>[^"\s/]{1,253})"/.exec(message)?.groups;
    return { kind: 'PersistentVolumeClaim', ...(claim ? { namespace: claim['namespace'] ?? '', name: claim['name'] ?? '' } : {}) };
  }
  const kind = Object.hasOwn(CONTROLLERS, from ?? '') ? CONTROLLERS[from ?? ''] : undefined;
  return kind === undefined || reason === 'TaintManagerEviction' ? undefined : { kind };
}
