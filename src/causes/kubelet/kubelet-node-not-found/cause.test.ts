import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const cache = `Mar 04 08:10:57 birch-new kubelet[2041]: E0304 08:10:57.118402    2041 kubelet.go:2448] "Error getting node" err="node \\"birch-new\\" not found"
Mar 04 08:10:57 birch-new kubelet[2041]: E0304 08:10:57.218402    2041 kubelet.go:2448] "Error getting node" err="node \\"birch-new\\" not found"
`;
const foreign = `Mar 04 08:10:57 birch-new kubelet[2041]: E0304 08:10:57.318402    2041 kubelet_node_status.go:96] "Unable to register node with API server" err="nodes \\"birch-new\\" is forbidden: node \\"birch\\" is not allowed to modify node \\"birch-new\\"" node="birch-new"
`;

testCause(cause, {
  finds: {
    'the Node was deleted': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.318402    2041 kubelet_node_status.go:549] "Error updating node status, will retry" err="error getting node \\"birch\\": nodes \\"birch\\" not found"\n',
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'its lease is of another name': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.331406    2041 controller.go:170] failed to update node lease, error: leases.coordination.k8s.io "10.4.0.7" is forbidden: User "system:node:birch" cannot get resource "leases" in API group "coordination.k8s.io": can only access node lease with the same name as the requesting node\n',
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'an older API server forbids it': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 kubelet_node_status.go:106] Unable to register node "birch.lan" with API server: nodes "birch.lan" is forbidden: node "birch" cannot modify node "birch.lan"\n',
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'the host was renamed': {
      evidence: { 'kubelet.log': cache + foreign },
      confidence: 'certain',
      place: 'node birch-new',
      cites: ['kubelet.log:3', 'kubelet.log:1'],
    },
    'an old kubelet, its cache alone': {
      evidence: {
        'kubelet.log': 'Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.318402    2041 kubelet.go:2183] node "birch" not found\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'the API server is down': {
      evidence: {
        'kubelet.log': `${cache}Mar 04 08:10:58 birch-new kubelet[2041]: E0304 08:10:58.318402    2041 kubelet_node_status.go:96] "Unable to register node with API server" err="Post \\"https://10.4.0.10:6443/api/v1/nodes\\": dial tcp 10.4.0.10:6443: connect: connection refused" node="birch-new"\n`,
      },
      by: 'apiDown',
    },
  },
  asks: { 'more of the journal': { evidence: { 'kubelet.log': cache }, for: 'kubelet-log' } },
});
