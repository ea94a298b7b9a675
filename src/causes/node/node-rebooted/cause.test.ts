import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

function describePod(more: { readonly sandbox?: string; readonly events?: string; readonly last?: string } = {}): string {
  return `Name:             ingress-6f7c9d8b5d-m8x2q
Namespace:        edge
Node:             worker-7/10.0.0.17
Status:           Running
Controlled By:    ReplicaSet/ingress-6f7c9d8b5d
Containers:
  controller:
    Container ID:   containerd://88aa
    Image:          registry.example/ingress:2
    State:          Running
      Started:      Wed, 11 Jun 2025 08:10:01 +0000
    Last State:     Terminated
      Reason:       ${more.last ?? 'Unknown'}
      Exit Code:    255
    Ready:          False
    Restart Count:  1
Conditions:
  Type              Status
  Ready             False
Events:
  Type     Reason          Age    From     Message
  ----     ------          ----   ----     -------
  Normal   SandboxChanged  ${more.sandbox ?? '4m'}     kubelet  Pod sandbox changed, it will be killed and re-created.
  Normal   Started         3m     kubelet  Started container controller
${more.events ?? ''}`;
}

function describeNode(age: string): string {
  return `Name:               worker-7
Roles:              <none>
Conditions:
  Type             Status  LastHeartbeatTime                 LastTransitionTime                Reason         Message
  ----             ------  -----------------                 ------------------                ------         -------
  Ready            True    Wed, 11 Jun 2025 08:15:01 +0000   Wed, 11 Jun 2025 08:09:00 +0000   KubeletReady   kubelet is posting ready status
Events:
  Type     Reason     Age    From     Message
  ----     ------     ----   ----     -------
  Warning  Rebooted   ${age}     kubelet  Node worker-7 has been rebooted, boot id: 6c1e5d52-8d7b-4cb0-9a6a-5a7b7b7b0b22
`;
}

const wellPods = `$ kubectl get pods -A -o wide
NAMESPACE   NAME                       READY   STATUS    RESTARTS      AGE   IP           NODE
edge        ingress-6f7c9d8b5d-m8x2q   1/1     Running   1 (4m ago)    20d   10.244.1.9   worker-7
`;

testCause(cause, {
  finds: {
    'still settling': {
      evidence: { 'describe.txt': describePod(), 'node.txt': describeNode('4m') },
      confidence: 'certain',
      place: 'node worker-7',
      cites: ['node.txt:10', 'describe.txt:14', 'describe.txt:23'],
      victims: 1,
    },
    'by its traces alone': {
      evidence: { 'describe.txt': describePod({ last: 'Unknown' }) },
      confidence: 'possible',
      place: 'node worker-7',
    },
  },
  rulesOut: {
    'all well again': { evidence: { 'pods.txt': wellPods, 'node.txt': describeNode('4m') }, by: 'settling' },
    'stopped again and again': {
      evidence: {
        'describe.txt': describePod({
          sandbox: '40s (x5 over 9m)',
          events: '  Normal   Killing         41s (x5 over 9m)     kubelet  Stopping container controller\n',
        }),
        'node.txt': describeNode('14m'),
      },
      by: 'repeats',
    },
    'it crashes by itself': {
      evidence: {
        'describe.txt': describePod({
          events:
            '  Warning  BackOff  9s (x9 over 3m)     kubelet  Back-off restarting failed container controller in pod ingress-6f7c9d8b5d-m8x2q_edge(0b7fd7a1-7a35-4b53-9c0d-1e3c5b7d9f12)\n',
        }),
        'node.txt': describeNode('4m'),
      },
      by: 'backOff',
    },
    'the reboot was yesterday': {
      evidence: { 'describe.txt': describePod({ sandbox: '50m' }), 'node.txt': describeNode('50m') },
      by: 'longAgo',
    },
  },
  asks: {
    'the events of the node': {
      evidence: {
        'describe.txt': describePod(),
        'pods.txt': wellPods.replace('1/1     Running   1 (4m ago)', '0/1     Running   3 (4m ago)'),
      },
      for: 'node-events',
    },
  },
});
