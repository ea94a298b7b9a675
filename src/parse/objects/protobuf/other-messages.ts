import { CONDITION, PROBED_CONDITION } from './meta-messages.ts';
import { object } from './object-messages.ts';
import { many, message, one } from './schema.ts';

/** Kinds of which the metadata say all that is of use. */
export const BARE = object({});

export const STORAGE_CLASS = object({ 2: 'provisioner', 7: 'volumeBindingMode' });

const VOLUME_ERROR = message({ 1: 'time:time', 2: 'message' });

export const VOLUME_ATTACHMENT = object({
  2: one('spec', message({ 1: 'attacher', 2: one('source', message({ 1: 'persistentVolumeName' })), 3: 'nodeName' })),
  3: one('status', message({ 1: 'attached:bool', 3: one('attachError', VOLUME_ERROR), 4: one('detachError', VOLUME_ERROR) })),
});

export const CSI_NODE = object({ 2: one('spec', message({ 1: many('drivers', message({ 1: 'name', 2: 'nodeID' })) })) });

export const LEASE = object({
  2: one('spec', message({ 1: 'holderIdentity', 2: 'leaseDurationSeconds:count', 4: 'renewTime:micro-time' })),
});

const ENDPOINT = message({
  1: 'addresses:texts',
  2: one('conditions', message({ 1: 'ready:bool', 2: 'serving:bool', 3: 'terminating:bool' })),
  6: 'nodeName',
});

export const ENDPOINT_SLICE = object({ 2: many('endpoints', ENDPOINT) });

const WEBHOOK_CLIENT = message({ 1: one('service', message({ 1: 'namespace', 2: 'name', 4: 'port:count' })), 3: 'url' });
const WEBHOOK = message({ 1: 'name', 2: one('clientConfig', WEBHOOK_CLIENT), 4: 'failurePolicy', 7: 'timeoutSeconds:count' });

/** Validating and mutating alike. */
export const WEBHOOKS = object({ 2: many('webhooks', WEBHOOK) });

export const DISRUPTION_BUDGET = object({
  3: one(
    'status',
    message({
      3: 'disruptionsAllowed:count',
      4: 'currentHealthy:count',
      5: 'desiredHealthy:count',
      6: 'expectedPods:count',
      7: many('conditions', PROBED_CONDITION),
    }),
  ),
});

export const PRIORITY_CLASS = object({ 2: 'value:count', 3: 'globalDefault:flag', 5: 'preemptionPolicy' });

export const RUNTIME_CLASS = object({ 2: 'handler' });

export const AUTOSCALER = object({
  3: one('status', message({ 3: 'currentReplicas:number', 4: 'desiredReplicas:count', 6: many('conditions', CONDITION) })),
});
