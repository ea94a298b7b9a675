import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const untouched = `$ kubectl describe pod intake-6c8d7b9f5d-t5w2x -n forms
Name:             intake-6c8d7b9f5d-t5w2x
Namespace:        forms
Node:             <none>
Status:           Pending
Containers:
  intake:
    Image:      registry.example/intake:3
Events:          <none>
`;
const pods = `$ kubectl get pods -A
NAMESPACE     NAME                      READY   STATUS             RESTARTS        AGE
forms         intake-6c8d7b9f5d-t5w2x   0/1     Pending            0               11m
kube-system   kube-scheduler-cp-a       0/1     CrashLoopBackOff   14 (2m1s ago)   51m
`;
const custom = `apiVersion: v1
kind: Pod
metadata:
  name: intake-0
  namespace: forms
spec:
  schedulerName: bin-packer
  containers:
  - name: intake
    image: registry.example/intake:3
status:
  phase: Pending
`;

testCause(cause, {
  finds: {
    'another scheduler is named': { evidence: { 'pod.yaml': custom }, confidence: 'possible' },
    'kube-scheduler crash-loops and nobody touches the pod': {
      evidence: { 'describe.txt': untouched, 'pods.txt': pods },
      confidence: 'certain',
      place: 'the cluster',
      cites: ['pods.txt:4'],
      victims: 1,
    },
    'events not shown': { evidence: { 'pods.txt': pods }, confidence: 'probable' },
  },
  rulesOut: {
    'a scheduler has refused it': {
      evidence: {
        'describe.txt': untouched.replace(
          'Events:          <none>',
          `Events:
  Type     Reason            Age   From               Message
  ----     ------            ----  ----               -------
  Warning  FailedScheduling  29s   default-scheduler  0/3 nodes are available: 3 Insufficient cpu.`,
        ),
        'pods.txt': pods,
      },
      by: 'touched',
    },
    'judged, as its conditions say': {
      evidence: {
        'pod.yaml': `${custom}  conditions:\n  - type: PodScheduled\n    status: "False"\n    reason: Unschedulable\n    message: '0/2 nodes are available: 2 Insufficient cpu.'\n`,
      },
      by: 'judged',
    },
    'held back by a gate': {
      evidence: {
        'pods.txt': `$ kubectl get pods -n forms
NAME       READY   STATUS            RESTARTS   AGE
intake-0   0/1     SchedulingGated   0          11m
`,
      },
      by: 'gated',
    },
  },
  asks: {
    'the events of the pod': { evidence: { 'pods.txt': pods }, for: 'pod-events' },
  },
});
