import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

function describePod(message: string, events = 'Events:           <none>\n'): string {
  return `Name:             importer-6d5f8c7b9d-x2k4m
Namespace:        data
Node:             worker-5/10.0.0.15
Status:           Failed
Reason:           Evicted
Message:          ${message}
Controlled By:    ReplicaSet/importer-6d5f8c7b9d
Containers:
  importer:
    Image:      registry.example/importer:3
${events}`;
}

const low =
  'The node was low on resource: ephemeral-storage. Threshold quantity: 10736207884, available: 9871232Ki. Container importer was using 41Gi, request is 0, has larger consumption of ephemeral-storage. ';
const describeNode = `Name:               worker-5
Roles:              <none>
Taints:             node.kubernetes.io/disk-pressure:NoSchedule
Conditions:
  Type             Status  LastHeartbeatTime                 LastTransitionTime                Reason                         Message
  ----             ------  -----------------                 ------------------                ------                         -------
  DiskPressure     True    Wed, 11 Jun 2025 08:15:01 +0000   Wed, 11 Jun 2025 08:14:01 +0000   KubeletHasDiskPressure         kubelet has disk pressure
  Ready            True    Wed, 11 Jun 2025 08:15:01 +0000   Wed, 11 Jun 2025 06:00:00 +0000   KubeletReady                   kubelet is posting ready status
`;
const kubeletLog = `Jun 11 08:14:02 worker-5 kubelet[811]: I0611 08:14:02.113094     811 eviction_manager.go:366] "Eviction manager: attempting to reclaim" resourceName="ephemeral-storage"
Jun 11 08:14:09 worker-5 kubelet[811]: E0611 08:14:09.229086     811 kubelet.go:1551] "Image garbage collection failed multiple times in a row" err="Failed to garbage collect required amount of images. Attempted to free 1290842112 bytes, but only found 0 bytes eligible to free."
`;

testCause(cause, {
  finds: {
    'message, node and kubelet agree': {
      evidence: { 'describe.txt': describePod(low), 'node.txt': describeNode, 'kubelet.log': kubeletLog },
      confidence: 'certain',
      place: 'node worker-5',
      cites: ['describe.txt:6', 'node.txt:3', 'node.txt:7', 'kubelet.log:1', 'kubelet.log:2'],
    },
    'turned away at the door': {
      evidence: { 'describe.txt': describePod('Pod was rejected: The node had condition: [DiskPressure]. ') },
      confidence: 'certain',
      place: 'node worker-5',
      victims: 1,
    },
    inodes: { evidence: { 'describe.txt': describePod('The node was low on resource: inodes. ') }, confidence: 'certain' },
    'the node alone': { evidence: { 'node.txt': describeNode }, confidence: 'probable', place: 'node worker-5' },
  },
  rulesOut: {
    'evicted for memory': {
      evidence: {
        'describe.txt': describePod(
          'The node was low on resource: memory. Container importer was using 3120Mi, request is 512Mi, has larger consumption of memory. ',
        ),
        'kubelet.log': kubeletLog,
      },
      by: 'otherReason',
    },
    'it broke its own limit': {
      evidence: {
        'describe.txt': describePod('Pod ephemeral local storage usage exceeds the total limit of containers 2Gi. '),
        'kubelet.log': kubeletLog,
      },
      by: 'otherReason',
    },
    'it filled its own volume': {
      evidence: { 'describe.txt': describePod('Usage of EmptyDir volume "scratch" exceeds the limit "1Gi". '), 'kubelet.log': kubeletLog },
      by: 'ownVolume',
    },
  },
  asks: {
    'what happened to the pods': { evidence: { 'node.txt': describeNode }, for: 'pod-status' },
  },
});
