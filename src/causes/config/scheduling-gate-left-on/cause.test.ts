import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const row =
  'NAMESPACE   NAME      READY   STATUS            RESTARTS   AGE\nbatch       sort-0    0/1     SchedulingGated   0          20m\n';

testCause(cause, {
  finds: {
    'a listing': {
      evidence: { 'pods.txt': row },
      confidence: 'probable',
      place: 'StatefulSet batch/sort',
      cites: ['pods.txt:2'],
      victims: 1,
    },
    'a describe': {
      evidence: {
        'describe.txt': `Name:             sort-0
Namespace:        batch
Node:             <none>
Status:           SchedulingGated
Controlled By:    StatefulSet/sort
Containers:
  sort:
    Image:      registry.example/sort:5
Conditions:
  Type           Status
  PodScheduled   False
Events:          <none>
`,
      },
      confidence: 'certain',
    },
    'an object': {
      evidence: {
        'pod.yaml': `apiVersion: v1
kind: Pod
metadata:
  name: sort-0
  namespace: batch
spec:
  schedulingGates:
    - name: kueue.x-k8s.io/admission
  containers:
    - name: sort
      image: registry.example/sort:5
status:
  phase: Pending
  conditions:
    - type: PodScheduled
      status: "False"
      reason: SchedulingGated
      message: Scheduling is blocked due to non-empty scheduling gates
`,
        'paste.txt': '{"spec":{"schedulingGates":[{"name":"kueue.x-k8s.io/admission"}]}}\nschedulingGates: [{name: example.net/quota}]\n',
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'tried by the scheduler': {
      evidence: {
        'pods.txt': row,
        'events.txt':
          'NAMESPACE   LAST SEEN   TYPE      REASON             OBJECT       MESSAGE\nbatch       20s         Warning   FailedScheduling   pod/sort-0   0/3 nodes are available: 3 Insufficient cpu.\n',
      },
      by: 'tried',
    },
  },
  asks: { 'its events': { evidence: { 'pods.txt': row }, for: 'pod-events' } },
});
