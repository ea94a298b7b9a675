import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const waits =
  'user: warning: [2025-03-04T08:10:57Z]: [talos] etcd is waiting to join the cluster, if this node is the first node of the cluster, please run `talosctl bootstrap` against one of the following IPs: [192.0.2.5]\n';

testCause(cause, {
  finds: {
    'it waits': { evidence: { 'dmesg.txt': waits }, confidence: 'possible' },
    'and the kubelet is refused': {
      evidence: {
        'dmesg.txt': waits,
        'kubelet.log':
          'E0304 08:10:57.118402     901 kubelet_node_status.go:92] "Unable to register node with API server" err="Post \\"https://192.0.2.5:6443/api/v1/nodes\\": dial tcp 192.0.2.5:6443: connect: connection refused" node="alder"\n',
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'it runs': {
      evidence: { 'dmesg.txt': `${waits}user: warning: [2025-03-04T08:14:57Z]: [talos] service[etcd](Running): Health check successful\n` },
      by: 'running',
    },
  },
  asks: { 'the log of the machine': { evidence: { 'dmesg.txt': waits }, for: 'kubelet-log' } },
});
