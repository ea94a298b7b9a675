import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describeNode = (status: string) => `Name:               oak-4
Roles:              <none>
Taints:             ${status === 'True' ? 'node.kubernetes.io/pid-pressure:NoSchedule' : '<none>'}
Unschedulable:      false
Conditions:
  Type             Status  LastHeartbeatTime                 LastTransitionTime                Reason                       Message
  ----             ------  -----------------                 ------------------                ------                       -------
  MemoryPressure   False   Mon, 02 Nov 2026 08:20:01 +0000   Mon, 02 Nov 2026 07:00:00 +0000   KubeletHasSufficientMemory   kubelet has sufficient memory available
  PIDPressure      ${status.padEnd(7)} Mon, 02 Nov 2026 08:20:01 +0000   Mon, 02 Nov 2026 08:10:00 +0000   ${status === 'True' ? 'KubeletHasInsufficientPID    kubelet has insufficient PID available' : 'KubeletHasSufficientPID      kubelet has sufficient PID available'}
  Ready            True    Mon, 02 Nov 2026 08:20:01 +0000   Mon, 02 Nov 2026 07:00:00 +0000   KubeletReady                 kubelet is posting ready status
`;
const evictedPod = `Name:             hive-7c9f6b5d8-4xq2z
Namespace:        farm
Node:             oak-4/10.4.0.14
Status:           Failed
Reason:           Evicted
Message:          The node was low on resource: pids. Threshold quantity: 1638, available: 1201.
Controlled By:    ReplicaSet/hive-7c9f6b5d8
Containers:
  hive:
    Image:          registry.example/hive:2
Events:
  Type     Reason   Age   From     Message
  ----     ------   ----  ----     -------
  Warning  Evicted  2m    kubelet  The node was low on resource: pids. Threshold quantity: 1638, available: 1201.
`;
const kubelet = `Nov 02 08:10:01 oak-4 kubelet[911]: W1102 08:10:01.447705     911 eviction_manager.go:354] "Eviction manager: attempting to reclaim" resourceName="pids"
Nov 02 08:10:02 oak-4 kubelet[911]: E1102 08:10:02.447705     911 remote_runtime.go:193] "RunPodSandbox from runtime service failed" err="rpc error: code = Unknown desc = failed to start sandbox container task: fork/exec /usr/bin/containerd-shim-runc-v2: resource temporarily unavailable"
`;

testCause(cause, {
  finds: {
    'the condition': { evidence: { 'node.txt': describeNode('True') }, confidence: 'certain', place: 'node oak-4', cites: ['node.txt:9'] },
    'an evicted pod, and the kubelet': {
      evidence: { 'pod.txt': evictedPod, 'node.txt': describeNode('True'), 'kubelet.log': kubelet },
      confidence: 'certain',
      place: 'node oak-4',
      cites: ['pod.txt:6', 'kubelet.log:1'],
      victims: 2,
    },
  },
  rulesOut: { 'over since': { evidence: { 'pod.txt': evictedPod, 'node.txt': describeNode('False') }, by: 'over' } },
  asks: { 'how the node is now': { evidence: { 'pod.txt': evictedPod }, for: 'node-status' } },
});
