import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const kubectl = '$ kubectl get nodes\nThe connection to the server 10.4.0.10:6443 was refused - did you specify the right host or port?\n';
const memcache =
  '$ kubectl get nodes\nE0304 08:10:57.118402   20817 memcache.go:265] "Unhandled Error" err="couldn\'t get current server API group list: Get \\"https://10.4.0.10:6443/api?timeout=32s\\": dial tcp 10.4.0.10:6443: connect: connection refused"\n';
const crictl = (state: string) => `$ crictl ps -a
CONTAINER           IMAGE               CREATED             STATE               NAME                ATTEMPT             POD ID              POD                    NAMESPACE
3f2a1b9c8d7e6       c42f13656d0b2       2 minutes ago       ${state.padEnd(20)}kube-apiserver      12                  9a8b7c6d5e4f3       kube-apiserver-cp-1    kube-system
`;
const etcd =
  '$ kubectl -n kube-system logs kube-apiserver-cp-1\nW0304 08:10:57.118402       1 logging.go:59] [core] [Channel #1 SubChannel #2] grpc: addrConn.createTransport failed to connect to {Addr: "127.0.0.1:2379", ServerName: "127.0.0.1:2379", }. Err: connection error: desc = "transport: Error while dialing: dial tcp 127.0.0.1:2379: connect: connection refused"\n';

testCause(cause, {
  finds: {
    'its own check of etcd': {
      evidence: { 'readyz.txt': '[+]ping ok\n[-]etcd failed: reason withheld\nreadyz check failed\n' },
      confidence: 'possible',
    },
    'Helm gets no answer': {
      evidence: {
        'term.txt':
          'Error: INSTALLATION FAILED: Kubernetes cluster unreachable: Get "https://10.4.0.10:6443/version": dial tcp 10.4.0.10:6443: i/o timeout\n',
      },
      confidence: 'possible',
    },
    'what kubectl says': { evidence: { 'terminal.txt': kubectl }, confidence: 'possible', place: 'the cluster', cites: ['terminal.txt:2'] },
    'kubectl, and the container': {
      evidence: { 'terminal.txt': memcache, 'crictl.txt': crictl('Exited') },
      confidence: 'probable',
      cites: ['crictl.txt:3'],
    },
    'it crash-loops': {
      evidence: {
        'pods.txt':
          '$ kubectl -n kube-system get pods\nNAME                  READY   STATUS             RESTARTS        AGE\nkube-apiserver-cp-2   0/1     CrashLoopBackOff   14 (2m1s ago)   51d\n',
      },
      confidence: 'possible',
    },
    'etcd is away': { evidence: { 'apiserver.log': etcd }, confidence: 'probable' },
    'etcd does not accept it': {
      evidence: {
        'apiserver.log': etcd.replace(
          'Error while dialing: dial tcp 127.0.0.1:2379: connect: connection refused',
          'authentication handshake failed: tls: failed to verify certificate: x509: certificate signed by unknown authority',
        ),
      },
      confidence: 'probable',
    },
    'no answer, and the load balancer': {
      evidence: {
        'terminal.txt': '$ kubectl get nodes\nUnable to connect to the server: dial tcp 10.4.0.10:6443: i/o timeout\n',
        'haproxy.log': 'Mar 04 08:10:57 lb-1 haproxy[811]: backend kube-apiserver has no server available!\n',
      },
      confidence: 'possible',
    },
    sick: {
      evidence: { 'terminal.txt': '$ kubectl get --raw /livez\n[-]etcd failed: reason withheld\nerror: livez check failed\n' },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'its container runs': { evidence: { 'terminal.txt': memcache, 'crictl.txt': crictl('Running') }, by: 'runs' },
    'kubectl without a kubeconfig': {
      evidence: {
        'terminal.txt':
          '$ kubectl get nodes\nThe connection to the server localhost:8080 was refused - did you specify the right host or port?\n',
      },
      by: 'noKubeconfig',
    },
    'it answers': {
      evidence: { 'terminal.txt': `${memcache}$ kubectl get secrets\nError from server (Forbidden): secrets is forbidden\n` },
      by: 'answers',
    },
  },
  asks: { 'the containers of the control plane': { evidence: { 'terminal.txt': kubectl }, for: 'runtime-state' } },
});
