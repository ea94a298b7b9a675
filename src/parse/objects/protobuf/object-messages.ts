import { METADATA, PROBED_CONDITION, REFERENCE } from './meta-messages.ts';
import { type Field, many, message, one } from './schema.ts';

const EVENT_SOURCE = message({ 1: 'component', 2: 'host' });
const EVENT_SERIES = message({ 1: 'count:number', 2: 'lastObservedTime:micro-time' });

export const EVENT = message({
  1: one('metadata', METADATA),
  2: one('involvedObject', REFERENCE),
  3: 'reason',
  4: 'message',
  5: one('source', EVENT_SOURCE),
  6: 'firstTimestamp:time',
  7: 'lastTimestamp:time',
  8: 'count:number',
  9: 'type',
  10: 'eventTime:micro-time',
  11: one('series', EVENT_SERIES),
  14: 'reportingComponent',
  15: 'reportingInstance',
});

/** Of the group `events.k8s.io`, where the same thing has other names. */
export const NEW_EVENT = message({
  1: one('metadata', METADATA),
  2: 'eventTime:micro-time',
  3: one('series', EVENT_SERIES),
  4: 'reportingController',
  5: 'reportingInstance',
  7: 'reason',
  8: one('regarding', REFERENCE),
  10: 'note',
  11: 'type',
  12: one('deprecatedSource', EVENT_SOURCE),
  13: 'deprecatedFirstTimestamp:time',
  14: 'deprecatedLastTimestamp:time',
  15: 'deprecatedCount:number',
});

const NODE_CONDITION = message({
  1: 'type',
  2: 'status',
  3: 'lastHeartbeatTime:time',
  4: 'lastTransitionTime:time',
  5: 'reason',
  6: 'message',
});
const NODE_INFO = message({
  3: 'bootID',
  4: 'kernelVersion',
  5: 'osImage',
  6: 'containerRuntimeVersion',
  7: 'kubeletVersion',
  10: 'architecture',
});

export const NODE = object({
  2: one(
    'spec',
    message({ 4: 'unschedulable:flag', 5: many('taints', message({ 1: 'key', 2: 'value', 3: 'effect', 4: 'timeAdded:time' })) }),
  ),
  3: one('status', message({ 4: many('conditions', NODE_CONDITION), 7: one('nodeInfo', NODE_INFO) })),
});

export const CLAIM = object({
  2: one('spec', message({ 3: 'volumeName', 5: 'storageClassName' })),
  3: one('status', message({ 1: 'phase', 4: many('conditions', PROBED_CONDITION) })),
});

export const VOLUME = object({
  2: one('spec', message({ 4: one('claimRef', REFERENCE), 6: 'storageClassName' })),
  3: one('status', message({ 1: 'phase', 2: 'message', 3: 'reason' })),
});

export const SERVICE = object({
  2: one('spec', message({ 2: 'selector:text-map', 3: 'clusterIP', 4: 'type' })),
  3: one('status', message({ 2: many('conditions', PROBED_CONDITION) })),
});

export const ENDPOINTS = object({
  2: many('subsets', message({ 1: many('addresses', message({ 1: 'ip' })), 2: many('notReadyAddresses', message({ 1: 'ip' })) })),
});

export const QUOTA = object({
  2: one('spec', message({ 1: 'hard:quantity-map', 2: 'scopes:texts' })),
  3: one('status', message({ 1: 'hard:quantity-map', 2: 'used:quantity-map' })),
});

export const NAMESPACE = object({
  2: one('spec', message({ 1: 'finalizers:texts' })),
  3: one('status', message({ 1: 'phase', 2: many('conditions', PROBED_CONDITION) })),
});

export const CONFIG_MAP = object({ 2: 'data:keys', 3: 'binaryData:keys' });
export const SECRET = object({ 2: 'data:keys', 3: 'type' });

/** An object with its metadata and these fields. */
export function object(fields: Readonly<Record<number, string | Field>>) {
  return message({ 1: one('metadata', METADATA), ...fields });
}
