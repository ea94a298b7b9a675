import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describePod = (message: string, reason = 'FailedScheduling') => `Name:             train-0
Namespace:        ml
Node:             <none>
Status:           Pending
Controlled By:    StatefulSet/train
Containers:
  train:
    Image:      registry.example/train:5
Events:
  Type     Reason            Age                From               Message
  ----     ------            ----               ----               -------
  Warning  ${reason}  31s (x4 over 9m)   default-scheduler  ${message}
`;

testCause(cause, {
  finds: {
    'nodes that are out for other reasons': {
      evidence: { 'describe.txt': describePod('0/5 nodes are available: 2 Insufficient cpu, 3 cannot allocate all claims.') },
      confidence: 'probable',
    },
    'no device fits': {
      evidence: {
        'describe.txt': describePod(
          '0/2 nodes are available: 2 cannot allocate all claims. still not schedulable, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
        ),
      },
      confidence: 'certain',
      place: 'StatefulSet ml/train',
      cites: ['describe.txt:12'],
      victims: 1,
    },
    'no such class': {
      evidence: { 'describe.txt': describePod('claim ml/train-0-gpu: request gpu: device class gpu.example.com does not exist') },
      confidence: 'certain',
    },
    'no such claim': {
      evidence: { 'describe.txt': describePod('0/2 nodes are available: resourceclaim "shared-gpu" not found.') },
      confidence: 'certain',
    },
    'the node cannot prepare it': {
      evidence: {
        'describe.txt': describePod(
          'Failed to prepare dynamic resources: NodePrepareResources failed for claim ml/train-0-gpu: DRA driver gpu.example.com is not registered',
          'FailedPrepareDynamicResources',
        ),
      },
      confidence: 'certain',
    },
    'none free, or none offered': {
      evidence: {
        'describe.txt': describePod('0/2 nodes are available: 2 Insufficient nvidia.com/gpu.'),
      },
      confidence: 'possible',
    },
    'one line of a node': { evidence: { 'paste.txt': '  nvidia.com/gpu:     0\n' }, confidence: 'possible' },
  },
  rulesOut: {
    'it runs': {
      evidence: {
        'pods.txt': 'NAMESPACE   NAME      READY   STATUS    RESTARTS   AGE\nml          train-0   1/1     Running   0          6m\n',
        'events.txt':
          'NAMESPACE   LAST SEEN   TYPE      REASON             OBJECT        MESSAGE\nml          50m         Warning   FailedScheduling   pod/train-0   0/2 nodes are available: 2 cannot allocate all claims.\n',
      },
      by: 'runs',
    },
  },
  asks: {
    'what the node offers': {
      evidence: { 'describe.txt': describePod('0/2 nodes are available: 2 Insufficient nvidia.com/gpu.') },
      for: 'node-status',
    },
  },
});
