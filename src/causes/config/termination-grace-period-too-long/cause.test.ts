import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describePod = (lasts: string, grace: string, events: string) => `Name:                      queue-6d9f8c7b5-9x2kq
Namespace:                 jobs
Node:                      ash-1/10.5.0.11
Status:                    Terminating (lasts ${lasts})
Termination Grace Period:  ${grace}
Controlled By:             ReplicaSet/queue-6d9f8c7b5
Containers:
  queue:
    Image:          registry.example/queue:4
    State:          Running
      Started:      Mon, 02 Nov 2026 08:00:00 +0000
    Ready:          True
    Restart Count:  0
Events:
  Type     Reason         Age   From     Message
  ----     ------         ----  ----     -------
${events}`;
const STOPPING = '  Normal   Killing        90s   kubelet  Stopping container queue\n';

const list = (seconds: string) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'List',
    items: [
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name: 'queue-6d9f8c7b5-9x2kq',
          namespace: 'jobs',
          creationTimestamp: '2026-11-02T07:00:00Z',
          deletionTimestamp: `2026-11-02T08:${seconds}Z`,
          deletionGracePeriodSeconds: 600,
          ownerReferences: [{ kind: 'ReplicaSet', name: 'queue-6d9f8c7b5', controller: true }],
        },
        spec: { containers: [{ name: 'queue', image: 'registry.example/queue:4' }] },
        status: {
          phase: 'Running',
          containerStatuses: [{ name: 'queue', ready: true, restartCount: 0, state: { running: { startedAt: '2026-11-02T07:00:05Z' } } }],
        },
      },
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'queue-6d9f8c7b5-new42', namespace: 'jobs', creationTimestamp: '2026-11-02T08:02:00Z' },
        spec: { containers: [{ name: 'queue', image: 'registry.example/queue:4' }] },
        status: {
          phase: 'Running',
          containerStatuses: [{ name: 'queue', ready: true, restartCount: 0, state: { running: { startedAt: '2026-11-02T08:02:05Z' } } }],
        },
      },
    ],
  });

testCause(cause, {
  finds: {
    'described within its time': {
      evidence: { 'pod.txt': describePod('<invalid>', '600s', STOPPING) },
      confidence: 'certain',
      place: 'Deployment jobs/queue',
      cites: ['pod.txt:4'],
      victims: 1,
    },
    'a list whose newest time stamp is before its deadline': {
      evidence: { 'pods.json': list('10:00') },
      confidence: 'probable',
      place: 'Deployment jobs/queue',
    },
  },
  rulesOut: {
    'the runtime cannot stop it': {
      evidence: {
        'pod.txt': describePod(
          '<invalid>',
          '600s',
          '  Warning  FailedKillPod  8s    kubelet  error killing pod: failed to "KillContainer" for "queue" with KillContainerError: "rpc error: code = Unknown desc = failed to kill container"\n',
        ),
      },
      by: 'cannotStop',
    },
    'its time is over': {
      evidence: { 'a.txt': describePod('<invalid>', '600s', STOPPING), 'b.txt': describePod('14m', '600s', STOPPING) },
      by: 'late',
    },
  },
  asks: { 'whether it can be stopped': { evidence: { 'pods.json': list('10:00') }, for: 'pod-events' } },
});
