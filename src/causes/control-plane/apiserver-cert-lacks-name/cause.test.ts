import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const kubelet =
  'Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 kubelet_node_status.go:92] "Unable to register node with API server" err="Post \\"https://10.4.0.99:6443/api/v1/nodes\\": x509: certificate is valid for 10.96.0.1, 10.4.0.10, not 10.4.0.99" node="birch"\n';

testCause(cause, {
  finds: {
    'a kubelet': { evidence: { 'kubelet.log': kubelet }, confidence: 'certain', cites: ['kubelet.log:1'] },
    'a join through a load balancer': {
      evidence: {
        'join.txt':
          '[root@birch ~]# kubeadm join api.fern.example:6443\nerror execution phase preflight: couldn\'t validate the identity of the API Server: Get "https://api.fern.example:6443/api/v1/namespaces/kube-public/configmaps/cluster-info?timeout=10s": tls: failed to verify certificate: x509: certificate is valid for alder, kubernetes, kubernetes.default, not api.fern.example\n',
      },
      confidence: 'certain',
    },
    'a moved node': {
      evidence: {
        'proxy.log':
          '$ kubectl -n kube-system logs kube-proxy-x7k2p\nE0304 08:10:57.118402       1 reflector.go:138] Failed to list *v1.Service: Get "https://10.4.0.99:6443/api/v1/services": x509: cannot validate certificate for 10.4.0.99 because it doesn\'t contain any IP SANs\n',
        'notes.log': 'Mar 04 08:10:01 alder cloud-init[811]: the node IP address has changed\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it has expired': {
      evidence: {
        'kubelet.log': `${kubelet}Mar 04 08:10:58 birch kubelet[2041]: E0304 08:10:58.118402    2041 controller.go:145] x509: certificate has expired or is not yet valid\n`,
      },
      by: 'expired',
    },
  },
  asks: {
    'what a client says': {
      evidence: { 'notes.log': 'Mar 04 08:10:01 alder cloud-init[811]: the node IP address has changed\n' },
      for: 'kubelet-log',
    },
  },
});
