import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listed =
  'Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 reflector.go:125] k8s.io/kubernetes/pkg/kubelet/config/apiserver.go:47: Failed to list *v1.Pod: Get https://10.4.0.10:6443/api/v1/pods?fieldSelector=spec.nodeName%3Dbirch&limit=500&resourceVersion=0: x509: certificate signed by unknown authority (possibly because of "crypto/rsa: verification error" while trying to verify candidate authority certificate "kubernetes")\n';

testCause(cause, {
  finds: {
    'the kubelet cannot list': {
      evidence: { 'kubelet.log': listed },
      confidence: 'certain',
      place: 'node birch',
      cites: ['kubelet.log:1'],
    },
    'it cannot register': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 kubelet_node_status.go:92] "Unable to register node with API server" err="Post \\"https://10.4.0.10:6443/api/v1/nodes\\": tls: failed to verify certificate: x509: certificate signed by unknown authority" node="birch"\n',
      },
      confidence: 'certain',
    },
    'kube-proxy, and old files': {
      evidence: {
        'proxy.log':
          '$ kubectl -n kube-system logs kube-proxy-x7k2p\nE0304 08:10:57.118402       1 reflector.go:138] k8s.io/client-go/informers/factory.go:134: Failed to watch *v1.Service: failed to list *v1.Service: Get "https://10.4.0.10:6443/api/v1/services?limit=500": x509: certificate signed by unknown authority\n',
      },
      confidence: 'possible',
    },
    'the API server turns an old client away': {
      evidence: {
        'apiserver.log':
          '$ crictl logs kube-apiserver-birch\nE0304 04:51:00.425315       1 authentication.go:63] "Unable to authenticate the request" err="[x509: certificate signed by unknown authority, verifying certificate SN=1510542, SKID=, AKID=C6:80 failed: x509: certificate signed by unknown authority]"\n',
      },
      confidence: 'certain',
    },
    'a join over old files': {
      evidence: {
        'join.txt':
          '[root@birch ~]# kubeadm join 10.4.0.10:6443\n[preflight] Running pre-flight checks\nerror execution phase preflight: [preflight] Some fatal errors occurred:\n\t[ERROR FileAvailable--etc-kubernetes-pki-ca.crt]: /etc/kubernetes/pki/ca.crt already exists\n',
        'kubelet.log': listed,
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it has expired': {
      evidence: {
        'kubelet.log': `${listed}Mar 04 08:10:58 birch kubelet[2041]: E0304 08:10:58.118402    2041 controller.go:145] x509: certificate has expired or is not yet valid\n`,
      },
      by: 'expired',
    },
  },
  asks: { 'what kubeadm says': { evidence: { 'kubelet.log': listed }, for: 'kubeadm-output' } },
});
