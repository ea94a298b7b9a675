import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const journal = (rest: string) => `Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 ${rest}\n`;
const timeout = journal(
  'controller.go:145] "Failed to ensure lease exists, will retry" err="Get \\"https://10.4.0.10:6443/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/birch?timeout=10s\\": dial tcp 10.4.0.10:6443: i/o timeout" interval="7s"',
);
const refused = journal(
  'kubelet_node_status.go:96] "Unable to register node with API server" err="Post \\"https://10.4.0.10:6443/api/v1/nodes\\": dial tcp 10.4.0.10:6443: connect: connection refused" node="birch"',
);
const node = `Name:               birch
Roles:              <none>
Taints:             node.kubernetes.io/unreachable:NoExecute
Unschedulable:      false
Conditions:
  Type    Status   LastHeartbeatTime                 LastTransitionTime                Reason              Message
  ----    ------   -----------------                 ------------------                ------              -------
  Ready   Unknown  Tue, 04 Mar 2025 07:41:02 +0000   Tue, 04 Mar 2025 07:42:40 +0000   NodeStatusUnknown   Kubelet stopped posting node status.
`;

testCause(cause, {
  finds: {
    'through a load balancer of its own': {
      evidence: {
        'kubelet.log': journal(
          'reflector.go:140] vendor/k8s.io/client-go/informers/factory.go:150: Failed to watch *v1.Service: failed to list *v1.Service: Get "https://127.0.0.1:6443/api/v1/services?limit=500&resourceVersion=0": read tcp 127.0.0.1:49342->127.0.0.1:6443: read: connection reset by peer',
        ),
      },
      confidence: 'possible',
      place: 'node birch',
    },
    'only what it watches': {
      evidence: {
        'kubelet.log': journal(
          'reflector.go:138] k8s.io/client-go/informers/factory.go:134: Failed to watch *v1.Node: failed to list *v1.Node: Get "https://10.4.0.10:6443/api/v1/nodes": dial tcp 10.4.0.10:6443: connect: connection refused',
        ),
      },
      confidence: 'possible',
      place: 'node birch',
    },
    'packets are lost': {
      evidence: { 'kubelet.log': timeout, 'node.txt': node },
      confidence: 'certain',
      place: 'node birch',
      cites: ['kubelet.log:1', 'node.txt:8'],
    },
    'the kubelet is well, its reports are lost': {
      evidence: { 'kubelet.log': timeout, 'health.txt': 'root@birch:~# curl -sS http://localhost:10248/healthz\nok\n' },
      confidence: 'probable',
      cites: ['health.txt:2'],
    },
    'the end of a line': {
      evidence: { 'kubelet.txt': '[root@birch ~]# journalctl -u kubelet | tail -1\ndial tcp 10.4.0.10:6443: connect: no route to host\n' },
      confidence: 'possible',
      place: 'node birch',
    },
    'the name does not resolve': {
      evidence: {
        'kubelet.log': journal(
          'kubelet_node_status.go:549] "Error updating node status, will retry" err="error getting node \\"birch\\": Get \\"https://api.example:6443/api/v1/nodes/birch?timeout=10s\\": dial tcp: lookup api.example on 10.4.0.2:53: no such host"',
        ),
      },
      confidence: 'probable',
    },
    'an old kubelet, no route': {
      evidence: {
        'kubelet.log': journal(
          'kubelet_node_status.go:402] Error updating node status, will retry: error getting node "birch": Get https://10.4.0.10:6443/api/v1/nodes/birch?timeout=10s: dial tcp 10.4.0.10:6443: connect: no route to host',
        ),
      },
      confidence: 'probable',
    },
    'no answer in time': {
      evidence: {
        'kubelet.log': journal(
          'controller.go:145] "Failed to ensure lease exists, will retry" err="Get \\"https://10.4.0.10:6443/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/birch?timeout=10s\\": context deadline exceeded (Client.Timeout exceeded while awaiting headers)" interval="7s"',
        ),
      },
      confidence: 'probable',
    },
    'refused: perhaps the API server is down': { evidence: { 'kubelet.log': refused }, confidence: 'possible', place: 'node birch' },
  },
  rulesOut: {
    'the API server was restarted, the node is Ready': {
      evidence: {
        'kubelet.log': timeout,
        'nodes.txt': 'NAME    STATUS   ROLES    AGE   VERSION\nbirch   Ready    <none>   90d   v1.31.4\n',
      },
      by: 'listedReady',
    },
    'its condition says Ready': {
      evidence: {
        'kubelet.log': timeout,
        'node.txt': node
          .replace(/Taints:.*\n/, 'Taints:             <none>\n')
          .replace('Unknown ', 'True    ')
          .replace('NodeStatusUnknown   Kubelet stopped posting node status.', 'KubeletReady        kubelet is posting ready status'),
      },
      by: 'ready',
    },
    'reached, and turned away': {
      evidence: {
        'kubelet.log':
          timeout + journal('kubelet_node_status.go:96] "Unable to register node with API server" err="Unauthorized" node="birch"'),
      },
      by: 'answers',
    },
  },
  asks: { 'the state of the node': { evidence: { 'kubelet.log': refused }, for: 'node-status' } },
});
