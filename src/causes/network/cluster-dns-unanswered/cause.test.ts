import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (status: string) => `NAMESPACE   NAME                   READY   STATUS             RESTARTS      AGE   IP          NODE
shop        cart-5d9c7b6f8-q2w4z   ${status}   9m    10.4.0.11   plover-1
`;
const crashing = pods('0/1     CrashLoopBackOff   6 (40s ago)');
const log = (words: string) => `$ kubectl -n shop logs cart-5d9c7b6f8-q2w4z
${words}
`;
const refused =
  '2025/03/04 08:10:57 dial tcp: lookup ledger.shop.svc.cluster.local on 10.96.0.10:53: read udp 10.4.0.11:41234->10.96.0.10:53: read: connection refused';
const late = '2025/03/04 08:10:57 dial tcp: lookup ledger on 10.96.0.10:53: read udp 10.4.0.11:41234->10.96.0.10:53: i/o timeout';

testCause(cause, {
  finds: {
    'the name of a Service, asked of a server elsewhere': {
      evidence: {
        'pods.txt': crashing,
        'log.txt': log('dial tcp: lookup ledger.shop.svc.cluster.local on 10.9.8.7:53: read udp 10.4.0.11:41234->10.9.8.7:53: i/o timeout'),
      },
      confidence: 'possible',
    },
    'asked in a pod': {
      evidence: { 'shell.txt': 'root@cart-5d9c7b6f8-q2w4z:/# curl shop.example.com\ncurl: (6) Could not resolve host: shop.example.com\n' },
      confidence: 'possible',
    },
    'the Service refuses': {
      evidence: { 'pods.txt': crashing, 'cart.log': log(refused) },
      confidence: 'certain',
      place: 'Deployment shop/cart',
      cites: ['cart.log:2'],
      victims: 1,
    },
    'no answer': { evidence: { 'pods.txt': crashing, 'cart.log': log(late) }, confidence: 'possible' },
    'other programs': {
      evidence: {
        'pods.txt': crashing,
        'cart.log': log('Error: getaddrinfo EAI_AGAIN ledger\nsocket.gaierror: [Errno -3] Temporary failure in name resolution'),
      },
      confidence: 'possible',
    },
    'without the server': {
      evidence: { 'pods.txt': crashing, 'cart.log': log('dial tcp: lookup ledger: i/o timeout') },
      confidence: 'possible',
    },
    'dig, one line': {
      evidence: { 'shell.txt': ';; communications error to 10.96.0.10#53: connection refused\n' },
      confidence: 'possible',
    },
    'tried by hand': {
      evidence: {
        'shell.txt': `$ kubectl -n shop exec -it probe -- nslookup kubernetes.default
Server:    10.96.0.10
Address 1: 10.96.0.10

nslookup: can't resolve 'kubernetes.default'
$ kubectl -n shop exec -it probe -- nslookup example.test
;; connection timed out; no servers could be reached
`,
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it knows the names of the cluster': {
      evidence: {
        'shell.txt': `root@cart-5d9c7b6f8-q2w4z:/# curl shop.example.com
curl: (6) Could not resolve host: shop.example.com
root@cart-5d9c7b6f8-q2w4z:/# nslookup kubernetes
Server:    10.96.0.10
Address 1: 10.96.0.10 kube-dns.kube-system.svc.cluster.local

Name:      kubernetes
Address 1: 10.96.0.1 kubernetes.default.svc.cluster.local
`,
      },
      by: 'resolves',
    },
    'it answers': {
      evidence: {
        'pods.txt': crashing,
        'cart.log': log(`${late}\n2025/03/04 08:11:57 dial tcp: lookup ledger on 10.96.0.10:53: no such host`),
      },
      by: 'answered',
    },
    'the pod is well': { evidence: { 'pods.txt': pods('1/1     Running            0          '), 'cart.log': log(late) }, by: 'well' },
  },
  asks: {
    'what the program says': {
      evidence: { 'note.txt': 'lookup ledger on 10.96.0.10:53: read udp 10.4.0.11:41234->10.96.0.10:53: i/o timeout\n' },
      for: 'container-log',
    },
  },
});
