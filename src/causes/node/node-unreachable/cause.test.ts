import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

function describeNode(status: string, reason: string, message: string, taints = 'node.kubernetes.io/unreachable:NoExecute'): string {
  return `Name:               worker-8
Roles:              <none>
Taints:             ${taints}
Conditions:
  Type             Status    LastHeartbeatTime                 LastTransitionTime                Reason              Message
  ----             ------    -----------------                 ------------------                ------              -------
  Ready            ${status.padEnd(7)}   Wed, 11 Jun 2025 07:10:01 +0000   Wed, 11 Jun 2025 07:11:01 +0000   ${reason}   ${message}
`;
}

const dead = describeNode('Unknown', 'NodeStatusUnknown', 'Kubelet stopped posting node status.');
const pods = `$ kubectl get pods -A -o wide
NAMESPACE   NAME                       READY   STATUS        RESTARTS   AGE   IP           NODE
edge        ingress-6f7c9d8b5d-m8x2q   1/1     Terminating   0          20d   10.244.1.9   worker-8
`;

testCause(cause, {
  finds: {
    'two listings alone': {
      evidence: {
        'paste.txt': `NAME       READY   STATUS        RESTARTS   AGE   IP           NODE
ledger-0   1/1     Terminating   0          5d    10.42.1.12   plover-2
NAME       STATUS     ROLES    AGE   VERSION
plover-1   Ready      <none>   90d   v1.27.3
plover-2   NotReady   <none>   90d   v1.27.3
`,
      },
      confidence: 'possible',
      place: 'node plover-2',
      victims: 2,
    },
    'the machine is up, its kubelet is not': {
      evidence: {
        'node.txt': dead,
        'health.txt': `$ kubectl get --raw '/api/v1/nodes/worker-8/proxy/healthz?verbose'
Error from server (ServiceUnavailable): error trying to reach service: dial tcp 10.20.0.8:10250: connect: connection refused
`,
      },
      confidence: 'certain',
      cites: ['health.txt:2'],
    },
    'a silent kubelet, pods that cannot end': {
      evidence: { 'node.txt': dead, 'pods.txt': pods },
      confidence: 'certain',
      place: 'node worker-8',
      cites: ['node.txt:7', 'node.txt:3'],
      victims: 2,
    },
    'pods marked by the controller': {
      evidence: {
        'node.txt': dead,
        'events.txt': `LAST SEEN   TYPE      REASON         OBJECT                         MESSAGE
2m1s        Warning   NodeNotReady   pod/ingress-6f7c9d8b5d-m8x2q   Node is not ready
`,
        'pods.txt': pods,
      },
      confidence: 'certain',
      cites: ['events.txt:2'],
    },
    'the machine is gone': {
      evidence: {
        'node.txt': dead,
        'health.txt': `$ kubectl get --raw /api/v1/nodes/worker-8/proxy/healthz
Error from server: error trying to reach service: dial tcp 10.20.0.8:10250: connect: no route to host
`,
      },
      confidence: 'certain',
      cites: ['health.txt:2'],
    },
    'never heard of': {
      evidence: { 'node.txt': describeNode('Unknown', 'NodeStatusNeverUpdated', 'Kubelet never posted node status.', '<none>') },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the kubelet says itself what is wrong': {
      evidence: {
        'node.txt': describeNode(
          'False',
          'KubeletNotReady',
          'container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:cni plugin not initialized',
          'node.kubernetes.io/not-ready:NoSchedule',
        ),
      },
      by: 'speaks',
    },
    'back again': { evidence: { 'node.txt': describeNode('True', 'KubeletReady', 'kubelet is posting ready status') }, by: 'well' },
  },
  asks: {
    'what the controller did to its pods': {
      evidence: {
        'nodes.txt': `$ kubectl get nodes | grep worker-8
worker-8   NotReady   <none>   90d   v1.31.2
`,
      },
      for: 'pod-events',
    },
  },
});
