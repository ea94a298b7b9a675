import { many, message } from './schema.ts';

const OWNER = message({ 1: 'kind', 3: 'name', 6: 'controller:bool' });

const METADATA_FIELDS = {
  1: 'name',
  3: 'namespace',
  5: 'uid',
  8: 'creationTimestamp:time',
  9: 'deletionTimestamp:time',
  10: 'deletionGracePeriodSeconds:count',
  12: 'annotations:known-map',
  13: many('ownerReferences', OWNER),
  14: 'finalizers:texts',
};

/** Pods are many, and nothing is told by their labels. */
export const POD_METADATA = message(METADATA_FIELDS);

export const METADATA = message({ ...METADATA_FIELDS, 11: 'labels:text-map' });

/** Conditions of pods, claims and jobs, which also say when they were last probed. */
export const PROBED_CONDITION = message({ 1: 'type', 2: 'status', 4: 'lastTransitionTime:time', 5: 'reason', 6: 'message' });

/** Conditions of most workloads. */
export const CONDITION = message({ 1: 'type', 2: 'status', 3: 'lastTransitionTime:time', 4: 'reason', 5: 'message' });

export const REFERENCE = message({ 1: 'kind', 2: 'namespace', 3: 'name', 4: 'uid', 7: 'fieldPath' });

export const STATUS_ANSWER = message({ 2: 'status', 3: 'message', 4: 'reason', 6: 'code:count' });
