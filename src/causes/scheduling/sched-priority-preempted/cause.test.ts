import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing =
  'NAMESPACE   NAME                   READY   STATUS    RESTARTS   AGE\nbatch       crunch-6d5f8b9c7-new   0/1     Pending   0          6m\n';
const events = (message: string, reason = 'Preempted') =>
  `NAMESPACE   LAST SEEN   TYPE      REASON      OBJECT                       MESSAGE\nbatch       6m          Normal    ${reason}   pod/crunch-6d5f8b9c7-kx2vq   ${message}\n`;

testCause(cause, {
  finds: {
    'by the scheduler': {
      evidence: {
        'pods.txt': listing.replace('crunch-6d5f8b9c7-new  ', 'crunch-6d5f8b9c7-p9w4t'),
        'events.txt': `${events('Preempted by pod 2c3f9a1e-7b1d-4a52-9f0e-0a8c1f6f2f11 on node oak-3')}batch       20s         Warning   FailedScheduling   pod/crunch-6d5f8b9c7-p9w4t   0/3 nodes are available: 3 Insufficient cpu.\n`,
      },
      confidence: 'certain',
      place: 'Deployment batch/crunch',
      cites: ['events.txt:2'],
    },
    'as older schedulers say it': {
      evidence: {
        'pods.txt': listing.replace('crunch-6d5f8b9c7-new  ', 'crunch-6d5f8b9c7-p9w4t'),
        'events.txt': events('Preempted by prod/api-0 on node oak-3'),
      },
      confidence: 'certain',
    },
    'by the kubelet': {
      evidence: {
        'describe.txt': `Name:           crunch-6d5f8b9c7-kx2vq
Namespace:      batch
Node:           oak-3/10.9.0.14
Status:         Failed
Reason:         Preempting
Message:        Preempted in order to admit critical pod
Controlled By:  ReplicaSet/crunch-6d5f8b9c7
Containers:
  crunch:
    Image:      registry.example/crunch:3
    State:          Terminated
      Reason:       Error
      Exit Code:    137
`,
      },
      confidence: 'certain',
    },
    'its condition': {
      evidence: {
        'pod.yaml': `apiVersion: v1
kind: Pod
metadata:
  name: crunch-0
  namespace: batch
spec:
  containers:
    - name: crunch
      image: registry.example/crunch:3
status:
  phase: Failed
  conditions:
    - type: DisruptionTarget
      status: "True"
      reason: PreemptionByScheduler
      message: "default-scheduler: preempting to accommodate a higher priority pod"
`,
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the workload is whole': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                     READY   STATUS    RESTARTS   AGE\nbatch       crunch-6d5f8b9c7-kx2vq   1/1     Running   0          6m\n',
        'events.txt': events('Preempted by pod 2c3f9a1e-7b1d-4a52-9f0e-0a8c1f6f2f11 on node oak-3'),
      },
      by: 'suffers',
    },
  },
  asks: {
    'how the pods are': {
      evidence: { 'events.txt': events('Preempted by pod 2c3f9a1e-7b1d-4a52-9f0e-0a8c1f6f2f11 on node oak-3') },
      for: 'pod.symptom',
    },
  },
});
