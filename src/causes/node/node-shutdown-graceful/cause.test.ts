import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = (reason: string, message: string) => `$ kubectl -n shop describe pod cart-5f6d7c8b9-2whgg
Name:             cart-5f6d7c8b9-2whgg
Namespace:        shop
Node:             alder/10.7.0.9
Status:           Failed
Reason:           ${reason}
Message:          ${message}
`;
const listing = `$ kubectl -n shop get pods -o wide
NAME                   READY   STATUS         RESTARTS   AGE     IP       NODE    NOMINATED NODE   READINESS GATES
cart-5f6d7c8b9-2whgg   0/1     NodeShutdown   0          4h25m   <none>   alder   <none>           <none>
`;

testCause(cause, {
  finds: {
    'ended with its node': {
      evidence: { 'pod.txt': described('Terminated', 'Pod was terminated in response to imminent node shutdown.') },
      confidence: 'certain',
      place: 'node alder',
      cites: ['pod.txt:7'],
    },
    'refused by its node': {
      evidence: { 'pod.txt': described('NodeShutdown', 'Pod was rejected as the node is shutting down.') },
      confidence: 'certain',
      place: 'node alder',
    },
    'an older release': { evidence: { 'pod.txt': described('Shutdown', 'Node is shutting, evicting pods') }, confidence: 'certain' },
    'the condition of the node': {
      evidence: {
        'node.yaml':
          'apiVersion: v1\nkind: Node\nmetadata:\n  name: alder\nstatus:\n  conditions:\n  - type: Ready\n    status: "False"\n    reason: KubeletNotReady\n    message: node is shutting down\n',
      },
      confidence: 'certain',
      place: 'node alder',
    },
    'the kubelet says it': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 alder kubelet[901]: I0304 08:10:57.118402     901 nodeshutdown_manager_linux.go:265] "Shutdown manager detected new shutdown event, isNodeShuttingDownNow" event=true\n',
      },
      confidence: 'certain',
      place: 'node alder',
    },
    'only a listing, and a notice of the cloud': {
      evidence: {
        'pods.txt': listing,
        'events.txt':
          '$ kubectl get events\nLAST SEEN   TYPE      REASON             OBJECT       MESSAGE\n9m          Normal    Shutdown           node/alder   Shutdown manager stopped\n8m          Warning   PreemptScheduled   node/alder   Node condition PreemptScheduled is now: True\n',
      },
      confidence: 'probable',
      place: 'node alder',
    },
  },
  rulesOut: {
    'called off': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 alder kubelet[901]: I0304 08:10:57.118402     901 nodeshutdown_manager_linux.go:265] "Shutdown manager detected new shutdown event" event="shutdown"\nMar 04 08:11:57 alder kubelet[901]: I0304 08:11:57.118402     901 event.go:307] "Event occurred" object="alder" reason="NodeShutdown" message="Shutdown manager detected shutdown cancellation"\n',
      },
      by: 'cancelled',
    },
  },
  asks: { 'what the node says': { evidence: { 'pods.txt': listing }, for: 'node-events' } },
});
