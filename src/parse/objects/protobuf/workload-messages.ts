import { CONDITION, METADATA, PROBED_CONDITION } from './meta-messages.ts';
import { object } from './object-messages.ts';
import { POD_TEMPLATE } from './pod-messages.ts';
import { many, message, one } from './schema.ts';

const TEMPLATE = one('template', POD_TEMPLATE);

export const DEPLOYMENT = object({
  2: one('spec', message({ 1: 'replicas:count', 3: TEMPLATE, 7: 'paused:flag' })),
  3: one(
    'status',
    message({
      1: 'observedGeneration:number',
      2: 'replicas:number',
      3: 'updatedReplicas:number',
      4: 'availableReplicas:number',
      5: 'unavailableReplicas:number',
      6: many('conditions', message({ 1: 'type', 2: 'status', 4: 'reason', 5: 'message', 7: 'lastTransitionTime:time' })),
      7: 'readyReplicas:number',
    }),
  ),
});

/** Replica sets and replication controllers are the same on the wire. */
export const REPLICA_SET = object({
  2: one('spec', message({ 1: 'replicas:count', 3: TEMPLATE })),
  3: one(
    'status',
    message({
      1: 'replicas:count',
      3: 'observedGeneration:number',
      4: 'readyReplicas:number',
      5: 'availableReplicas:number',
      6: many('conditions', CONDITION),
    }),
  ),
});

export const STATEFUL_SET = object({
  2: one('spec', message({ 1: 'replicas:count', 3: TEMPLATE })),
  3: one(
    'status',
    message({
      1: 'observedGeneration:number',
      2: 'replicas:count',
      3: 'readyReplicas:number',
      5: 'updatedReplicas:number',
      10: many('conditions', CONDITION),
      11: 'availableReplicas:count',
    }),
  ),
});

export const DAEMON_SET = object({
  2: one('spec', message({ 2: TEMPLATE })),
  3: one(
    'status',
    message({
      1: 'currentNumberScheduled:count',
      3: 'desiredNumberScheduled:count',
      4: 'numberReady:count',
      6: 'updatedNumberScheduled:number',
      7: 'numberAvailable:number',
      8: 'numberUnavailable:number',
      10: many('conditions', CONDITION),
    }),
  ),
});

const JOB_SPEC = message({ 1: 'parallelism:count', 2: 'completions:count', 6: TEMPLATE, 7: 'backoffLimit:count', 10: 'suspend:bool' });

export const JOB = object({
  2: one('spec', JOB_SPEC),
  3: one(
    'status',
    message({
      1: many('conditions', PROBED_CONDITION),
      2: 'startTime:time',
      3: 'completionTime:time',
      4: 'active:number',
      5: 'succeeded:number',
      6: 'failed:number',
      9: 'ready:count',
    }),
  ),
});

export const CRON_JOB = object({
  2: one(
    'spec',
    message({ 4: 'suspend:bool', 5: one('jobTemplate', message({ 1: one('metadata', METADATA), 2: one('spec', JOB_SPEC) })) }),
  ),
  3: one('status', message({ 4: 'lastScheduleTime:time', 5: 'lastSuccessfulTime:time' })),
});
