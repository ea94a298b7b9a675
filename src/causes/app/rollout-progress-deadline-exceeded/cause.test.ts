import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const status = `$ kubectl -n shop rollout status deployment/basket
Waiting for deployment "basket" rollout to finish: 1 out of 3 new replicas have been updated...
error: deployment "basket" exceeded its progress deadline
`;
const described = `Name:                   basket
Namespace:              shop
Replicas:               3 desired | 1 updated | 4 total | 3 available | 1 unavailable
StrategyType:           RollingUpdate
Conditions:
  Type           Status  Reason
  ----           ------  ------
  Available      True    MinimumReplicasAvailable
  Progressing    False   ProgressDeadlineExceeded
OldReplicaSets:  basket-6c5d9f7b84 (3/3 replicas created)
NewReplicaSet:   basket-7d9c4b6f5d (1/1 replicas created)
Events:          <none>
`;

testCause(cause, {
  finds: {
    'kubectl rollout status waits': {
      evidence: { 'term.txt': 'Waiting for deployment "till" rollout to finish: 0 of 3 updated replicas are available...\n' },
      confidence: 'possible',
    },
    'kubectl describe deployment': { evidence: { 'describe.txt': described }, confidence: 'possible', place: 'Deployment shop/basket' },
    'kubectl rollout status': { evidence: { 'rollout.txt': status }, confidence: 'possible', cites: ['rollout.txt:3'] },
    'one line': {
      evidence: { 'paste.txt': 'message: ReplicaSet "basket-7d9c4b6f5d" has timed out progressing.\n' },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'rolled out at last': {
      evidence: {
        'term.txt':
          'Waiting for deployment "till" rollout to finish: 0 of 3 updated replicas are available...\ndeployment "till" successfully rolled out\n',
      },
      by: 'rolled',
    },
    'it got on after all': {
      evidence: {
        'rollout.txt': status,
        'describe.txt': described.replace('False   ProgressDeadlineExceeded', 'True    NewReplicaSetAvailable'),
      },
      by: 'done',
    },
  },
  asks: { 'the Deployment': { evidence: { 'rollout.txt': status }, for: 'workload' } },
});
