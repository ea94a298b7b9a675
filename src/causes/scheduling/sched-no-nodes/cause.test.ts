import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = `Events:
  Type     Reason            Age                 From               Message
  ----     ------            ----                ----               -------
  Warning  FailedScheduling  31s (x14 over 19m)  default-scheduler  no nodes available to schedule pods
`;
const pods = `$ kubectl get pods -A
NAMESPACE     NAME                             READY   STATUS    RESTARTS   AGE
demo          hello-6b9d7c5f8d-x4t7k           0/1     Pending   0          19m
kube-system   coredns-5d78c9869d-8qfhw         0/1     Pending   0          2h
kube-system   metrics-server-6d94bc8694-lk2vx  0/1     Pending   0          2h
`;

testCause(cause, {
  finds: {
    'everything waits': {
      evidence: { 'events.txt': events, 'pods.txt': pods },
      confidence: 'certain',
      place: 'the cluster',
      cites: ['events.txt:4', 'pods.txt:4'],
    },
    'the events alone': { evidence: { 'events.txt': events }, confidence: 'certain', place: 'the cluster' },
    'counted as zero': {
      evidence: { 'events.txt': events.replace('no nodes available to schedule pods', '0/0 nodes are available.') },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a node joined meanwhile': {
      evidence: {
        'events.txt': `${events}  Normal   Scheduled         2s                  default-scheduler  Successfully assigned demo/hello-6b9d7c5f8d-x4t7k to first-node\n`,
      },
      by: 'placed',
    },
    'nodes came, but they are full': {
      evidence: {
        'events.txt': `${events}  Warning  FailedScheduling  4s                  default-scheduler  0/1 nodes are available: 1 Insufficient cpu.\n`,
      },
      by: 'otherReason',
    },
  },
  asks: {
    'the state of the pods': {
      evidence: {
        'scheduler.log':
          'I0611 08:14:02.113094       1 schedule_one.go:867] "Unable to schedule pod; no nodes are registered to the cluster; waiting" pod="demo/hello-6b9d7c5f8d-x4t7k" err="no nodes available to schedule pods"\n',
      },
      for: 'pod-events',
    },
  },
});
