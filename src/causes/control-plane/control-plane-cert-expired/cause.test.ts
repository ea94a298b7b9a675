import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const kubectl =
  '$ kubectl get nodes\nUnable to connect to the server: x509: certificate has expired or is not yet valid: current time 2025-03-04T08:10:57Z is after 2025-02-11T09:18:10Z\n';

testCause(cause, {
  finds: {
    'an authority that has run out itself': {
      evidence: {
        'terminal.txt': `$ kubeadm certs renew all
[renew] Reading configuration from the cluster...
error: failed to renew certificate apiserver: unable to sign certificate: the certificate has expired: NotBefore: 2014-02-02 10:00:00 +0000 UTC, NotAfter: 2024-01-31 10:00:00 +0000 UTC
`,
      },
      confidence: 'certain',
    },
    'kubectl, asking for the API groups': {
      evidence: {
        'terminal.txt': `$ kubectl get nodes
E0304 08:10:57.118402   20817 memcache.go:265] "Unhandled Error" err="couldn't get current server API group list: Get \\"https://10.4.0.10:6443/api?timeout=32s\\": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2025-03-04T08:10:57Z is after 2025-02-11T09:18:10Z"
`,
      },
      confidence: 'certain',
      place: 'the cluster',
      cites: ['terminal.txt:2'],
    },
    'an old client tells no times': {
      evidence: {
        'proxy.log':
          '$ kubectl -n kube-system logs kube-proxy-x7k2p\nE0304 08:10:57.118402       1 reflector.go:125] k8s.io/client-go/informers/factory.go:133: Failed to list *v1.Service: Get https://10.4.0.10:6443/api/v1/services?limit=500&resourceVersion=0: x509: certificate has expired or is not yet valid\n',
      },
      confidence: 'possible',
    },
    'kubeadm loads an expired CA': {
      evidence: {
        'init.txt': "error execution phase certs/apiserver: couldn't load CA certificate ca: the certificate has expired\n",
      },
      confidence: 'certain',
    },
    'kubeadm lists them': {
      evidence: {
        'terminal.txt': `[root@birch ~]# kubeadm certs check-expiration
CERTIFICATE                EXPIRES                  RESIDUAL TIME   CERTIFICATE AUTHORITY   EXTERNALLY MANAGED
admin.conf                 Feb 11, 2025 09:18 UTC   <invalid>       ca                      no
apiserver                  Feb 11, 2025 09:18 UTC   <invalid>       ca                      no
`,
      },
      confidence: 'certain',
    },
    'a client of etcd, in a log without a name': {
      evidence: {
        'log.txt':
          'W0304 08:10:57.118402       1 clientconn.go:1223] grpc: addrConn.createTransport failed to connect to {https://127.0.0.1:2379  <nil> 0 <nil>}. Err :connection error: desc = "transport: authentication handshake failed: x509: certificate has expired or is not yet valid: current time 2025-03-04T08:10:57Z is after 2025-02-11T09:18:10Z". Reconnecting...\n',
      },
      confidence: 'certain',
    },
    'a kubelet, the API server and etcd': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 controller.go:145] "Failed to ensure lease exists, will retry" err="Get \\"https://10.4.0.10:6443/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/birch?timeout=10s\\": x509: certificate has expired or is not yet valid: current time 2025-03-04T08:10:57Z is after 2025-02-11T09:18:10Z" interval="7s"\n',
        'apiserver.log':
          '$ crictl logs kube-apiserver-birch\nE0304 08:10:57.118402       1 authentication.go:73] "Unable to authenticate the request" err="[x509: certificate has expired or is not yet valid: current time 2025-03-04T08:10:57Z is after 2025-02-11T09:18:10Z]"\n',
        'etcd.log': `$ kubectl -n kube-system logs etcd-birch\n{"level":"warn","ts":"2025-03-04T08:10:57.118Z","caller":"embed/config_logging.go:169","msg":"rejected connection","remote-addr":"10.4.0.11:51022","server-name":"","error":"tls: failed to verify client's certificate: x509: certificate has expired or is not yet valid: current time 2025-03-04T08:10:57Z is after 2025-02-11T09:18:10Z"}\n`,
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a wrong clock': {
      evidence: {
        'terminal.txt': kubectl.replace(
          '2025-03-04T08:10:57Z is after 2025-02-11T09:18:10Z',
          '2019-01-01T00:00:57Z is before 2024-02-11T09:18:10Z',
        ),
      },
      by: 'clock',
    },
  },
  asks: {
    'the list of kubeadm, after what kubectl says': { evidence: { 'terminal.txt': kubectl }, for: 'kubeadm-output' },
    'what kubectl says': {
      evidence: {
        'apiserver.log':
          '$ kubectl -n kube-system logs kube-apiserver-birch\nE0304 08:10:57.118402       1 authentication.go:73] "Unable to authenticate the request" err="[x509: certificate has expired or is not yet valid: current time 2025-03-04T08:10:57Z is after 2025-02-11T09:18:10Z]"\n',
      },
      for: 'objects',
    },
  },
});
