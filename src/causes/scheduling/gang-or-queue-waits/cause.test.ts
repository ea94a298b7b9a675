import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const event = (from: string, message: string) => `Name:         train-worker-0
Namespace:    lab
Status:       Pending
Controlled By:  Job/train
Events:
  Type     Reason            Age    From     Message
  ----     ------            ----   ----     -------
  Warning  FailedScheduling  4m31s  ${from}  ${message}
`;
const gang = event(
  'volcano',
  '3/4 tasks in gang unschedulable: pod group is not ready, 3 Pending, 4 minAvailable; Pending: 3 Unschedulable',
);
const found = (text: string) =>
  ({ evidence: { 'pod.txt': text }, confidence: 'certain', place: 'Job lab/train', cites: ['pod.txt:8'] }) as const;

testCause(cause, {
  finds: {
    'a gang that does not fit': found(gang),
    'only that it is not ready': found(event('volcano', 'pod group is not ready, 1 Pending, 1 minAvailable')),
    'a queue that is full': found(event('volcano', 'queue resource quota insufficient')),
    'too few pods': found(
      event(
        'coscheduling',
        '0/3 nodes are available: 3 pre-filter pod train-worker-0 cannot find enough sibling pods, current pods number: 2, minMember of group: 3.',
      ),
    ),
    'a quota of Kueue': {
      evidence: {
        'workload.txt':
          "LAST SEEN   TYPE      REASON    OBJECT               MESSAGE\n31s         Warning   Pending   workload/job-train   couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor l4, 1 more needed\n",
      },
      confidence: 'probable',
    },
    'a queue that is not there': {
      evidence: {
        'workload.txt':
          "LAST SEEN   TYPE      REASON    OBJECT               MESSAGE\n31s         Warning   Pending   workload/job-train   LocalQueue research doesn't exist\n",
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'it runs by now': {
      evidence: {
        'pod.txt': gang,
        'pods.txt':
          'NAMESPACE   NAME             READY   STATUS    RESTARTS   AGE\nlab         train-worker-0   1/1     Running   0          9m\n',
      },
      by: 'well',
    },
  },
  asks: {
    'whether the pods run': {
      evidence: { 'paste.txt': '3/4 tasks in gang unschedulable: pod group is not ready, 3 Pending, 4 minAvailable\n' },
      for: 'pod.status',
    },
  },
});
