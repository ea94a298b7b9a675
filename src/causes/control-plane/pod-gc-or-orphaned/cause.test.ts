import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pod = (reason: string) => `apiVersion: v1
kind: Pod
metadata:
  name: ledger-0
  namespace: books
spec:
  nodeName: birch
  containers:
  - name: ledger
    image: registry.example/ledger:3
status:
  phase: Failed
  conditions:
  - type: DisruptionTarget
    status: "True"
    reason: ${reason}
    message: 'PodGC: node no longer exists'
`;
const manager =
  'I0304 08:10:57.118402       1 gc_controller.go:264] "Found orphaned Pod assigned to the Node, deleting it" node="birch" pod="books/ledger-0"\n';

testCause(cause, {
  finds: {
    'the condition of the pod': {
      evidence: { 'pod.yaml': pod('DeletionByPodGC') },
      confidence: 'certain',
      place: 'pod books/ledger-0',
      victims: 1,
    },
    'the log of the controller manager, and the node': {
      evidence: {
        'kcm.log': `$ kubectl -n kube-system logs kube-controller-manager-cp-1\n${manager}`,
        'events.txt':
          'LAST SEEN   TYPE     REASON         OBJECT       MESSAGE\n31s         Normal   RemovingNode   node/birch   Node birch event: Removing Node birch from Controller\n',
      },
      confidence: 'possible',
    },
    'one line alone': { evidence: { 'paste.txt': 'message: "PodGC: node no longer exists"\n' }, confidence: 'probable' },
    'the log of an older controller manager alone': {
      evidence: {
        'kcm.log':
          '$ kubectl -n kube-system logs kube-controller-manager-cp-1\nI0304 08:10:57.118402       1 gc_controller.go:182] Found orphaned Pod books/ledger-0 assigned to the Node birch.orchard.internal. Deleting.\n',
      },
      confidence: 'possible',
    },
    'a scale-down': {
      evidence: {
        'events.txt':
          'LAST SEEN   TYPE     REASON      OBJECT         MESSAGE\n31s         Normal   ScaleDown   pod/ledger-0   deleting pod for node scale down\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    preempted: {
      evidence: {
        'kcm.log': `$ kubectl -n kube-system logs kube-controller-manager-cp-1\n${manager}`,
        'pod.yaml': pod('PreemptionByScheduler'),
      },
      by: 'otherHand',
    },
  },
  asks: {
    'the state of the pod': {
      evidence: {
        'events.txt':
          'LAST SEEN   TYPE     REASON      OBJECT         MESSAGE\n31s         Normal   ScaleDown   pod/ledger-0   deleting pod for node scale down\n',
      },
      for: 'pod-status',
    },
  },
});
