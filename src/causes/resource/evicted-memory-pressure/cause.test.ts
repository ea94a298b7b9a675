import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

function describePod(message: string, events = 'Events:           <none>\n'): string {
  return `Name:             cache-6d5f8c7b9d-x2k4m
Namespace:        shop
Node:             worker-2/10.0.0.12
Status:           Failed
Reason:           Evicted
Message:          ${message}
Controlled By:    ReplicaSet/cache-6d5f8c7b9d
Containers:
  cache:
    Image:      registry.example/cache:3
${events}`;
}

const low =
  'The node was low on resource: memory. Threshold quantity: 100Mi, available: 71236Ki. Container cache was using 3120Mi, request is 512Mi, has larger consumption of memory. ';
const eventsOf = (message: string) => `Events:
  Type     Reason   Age   From     Message
  ----     ------   ----  ----     -------
  Warning  Evicted  3m    kubelet  ${message}
  Normal   Killing  3m    kubelet  Stopping container cache
`;
const describeNode = `Name:               worker-2
Roles:              <none>
Conditions:
  Type             Status  LastHeartbeatTime                 LastTransitionTime                Reason                         Message
  ----             ------  -----------------                 ------------------                ------                         -------
  MemoryPressure   True    Wed, 11 Jun 2025 08:15:01 +0000   Wed, 11 Jun 2025 08:14:01 +0000   KubeletHasInsufficientMemory   kubelet has insufficient memory available
  Ready            True    Wed, 11 Jun 2025 08:15:01 +0000   Wed, 11 Jun 2025 06:00:00 +0000   KubeletReady                   kubelet is posting ready status
`;

testCause(cause, {
  finds: {
    'message and events': {
      evidence: { 'describe.txt': describePod(low, eventsOf(low)), 'node.txt': describeNode },
      confidence: 'certain',
      place: 'node worker-2',
      cites: ['describe.txt:14', 'node.txt:6'],
      victims: 1,
    },
    'the status alone': {
      evidence: { 'describe.txt': describePod(low) },
      confidence: 'certain',
      place: 'node worker-2',
      cites: ['describe.txt:6'],
    },
    'wording of 1.18': {
      evidence: {
        'describe.txt': describePod(
          'The node was low on resource: memory. Container cache was using 3120Mi, which exceeds its request of 512Mi. ',
        ),
      },
      confidence: 'certain',
    },
    'turned away at the door': {
      evidence: { 'describe.txt': describePod('The node had condition: [MemoryPressure]. ') },
      confidence: 'certain',
    },
    'with the log of the kubelet': {
      evidence: {
        'describe.txt': describePod(low),
        'kubelet.log':
          'Jun 11 08:14:02 worker-2 kubelet[811]: I0611 08:14:02.113094     811 eviction_manager.go:366] "Eviction manager: attempting to reclaim" resourceName="memory"\n',
      },
      confidence: 'certain',
      cites: ['kubelet.log:1'],
    },
  },
  rulesOut: {
    'evicted for disk space': {
      evidence: { 'describe.txt': describePod('The node was low on resource: ephemeral-storage. '), 'node.txt': describeNode },
      by: 'otherResource',
    },
  },
  asks: {
    'why it was evicted': {
      evidence: {
        'pods.txt': `$ kubectl get pods -n shop -o wide
NAME                     READY   STATUS    RESTARTS   AGE   IP       NODE
cache-6d5f8c7b9d-x2k4m   0/1     Evicted   0          41m   <none>   worker-2
`,
        'node.txt': describeNode,
      },
      for: 'pod-events',
    },
  },
});
