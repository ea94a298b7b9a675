import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describePod = (message: string, more = '') => `Name:             edge-5c9d7f6b8-m4x2p
Namespace:        gate
Node:             <none>
Status:           Pending
Controlled By:    ReplicaSet/edge-5c9d7f6b8
Containers:
  edge:
    Image:      registry.example/edge:3
    Port:       8443/TCP
    Host Port:  8443/TCP
Events:
  Type     Reason            Age                From               Message
  ----     ------            ----               ----               -------
  Warning  FailedScheduling  31s (x4 over 9m)   default-scheduler  ${message}
${more}`;

const taken =
  "0/3 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 2 node(s) didn't have free ports for the requested pod ports. preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod.";

const object = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'probe-b', namespace: 'gate' },
  spec: {
    hostNetwork: true,
    containers: [{ name: 'probe', image: 'registry.example/probe:1', ports: [{ containerPort: 9100, hostPort: 9100 }] }],
  },
  status: {
    phase: 'Pending',
    conditions: [
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message: "0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports.",
      },
    ],
  },
});

testCause(cause, {
  finds: {
    'nodes that are out for other reasons': {
      evidence: {
        'describe.txt': describePod(
          "0/5 nodes are available: 2 Insufficient cpu, 3 node(s) didn't have free ports for the requested pod ports.",
        ),
      },
      confidence: 'probable',
    },
    'more replicas than nodes': {
      evidence: { 'describe.txt': describePod(taken) },
      confidence: 'certain',
      place: 'Deployment gate/edge',
      cites: ['describe.txt:14'],
      victims: 1,
    },
    'wording of 1.9': {
      evidence: { 'describe.txt': describePod('0/2 nodes are available: 2 PodFitsHostPorts.') },
      confidence: 'certain',
    },
    'the condition of an object': { evidence: { 'pod.json': object }, confidence: 'probable', place: 'pod gate/probe-b' },
  },
  rulesOut: {
    'placed since': {
      evidence: {
        'describe.txt': describePod(
          taken,
          '  Normal   Scheduled         4s                 default-scheduler  Successfully assigned gate/edge-5c9d7f6b8-m4x2p to red-2\n',
        ),
      },
      by: 'placed',
    },
    'another reason holds back more nodes': {
      evidence: {
        'describe.txt': describePod(
          "0/6 nodes are available: 1 node(s) didn't have free ports for the requested pod ports, 5 Insufficient memory.",
        ),
      },
      by: 'leading',
    },
  },
  asks: {
    'whether it was placed since': { evidence: { 'pod.json': object }, for: 'pod-events' },
  },
});
