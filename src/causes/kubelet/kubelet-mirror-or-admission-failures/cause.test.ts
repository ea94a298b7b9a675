import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const rejected = (message: string) => `$ kubectl -n shop describe pod cart-5f6d7c8b9-2whgg
Name:             cart-5f6d7c8b9-2whgg
Namespace:        shop
Node:             alder/
Status:           Failed
Reason:           NodeAffinity
Message:          ${message}
`;
const listing = `$ kubectl -n shop get pods -o wide
NAME                   READY   STATUS         RESTARTS   AGE     IP       NODE    NOMINATED NODE   READINESS GATES
cart-5f6d7c8b9-2whgg   0/1     NodeAffinity   0          4h25m   <none>   alder   <none>           <none>
`;
const kubelet = (message: string) => `Mar 04 08:10:57 alder kubelet[901]: E0304 08:10:57.118402     901 kubelet.go:1915] ${message}\n`;

testCause(cause, {
  finds: {
    'rejected for its affinity': {
      evidence: {
        'pod.txt': rejected('Pod was rejected: Predicate NodeAffinity failed'),
        'events.txt':
          '$ kubectl get events -n default\nLAST SEEN   TYPE     REASON     OBJECT       MESSAGE\n9m          Normal   Starting   node/alder   Starting kubelet.\n',
      },
      confidence: 'certain',
      place: 'node alder',
      cites: ['pod.txt:7'],
    },
    'only the listing': { evidence: { 'pods.txt': listing }, confidence: 'possible', place: 'node alder' },
    'a mirror pod that may not be': {
      evidence: {
        'kubelet.log': kubelet(
          '"Failed creating a mirror pod for" err="pods \\"edge-alder\\" is forbidden: a mirror pod may not reference service accounts" pod="default/edge-alder"',
        ),
      },
      confidence: 'certain',
      place: 'node alder',
    },
  },
  rulesOut: {
    'no room on the node': {
      evidence: {
        'pod.txt': rejected("Pod was rejected: Node didn't have enough resource: cpu, requested: 2000, used: 3100, capacity: 4000"),
      },
      by: 'resources',
    },
  },
  asks: { 'what the pod says': { evidence: { 'pods.txt': listing }, for: 'node-events' } },
});
