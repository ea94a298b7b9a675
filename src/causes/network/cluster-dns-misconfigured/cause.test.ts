import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (words: string) => `$ kubectl -n shop logs cart-5d9c7b6f8-q2w4z
${words}
`;
const publicServer = '2025/03/04 08:10:57 cannot connect: dial tcp: lookup ledger.shop.svc.cluster.local on 8.8.8.8:53: no such host';
const pods = `NAMESPACE   NAME                   READY   STATUS             RESTARTS      AGE   IP          NODE
shop        cart-5d9c7b6f8-q2w4z   0/1     CrashLoopBackOff   6 (40s ago)   9m    10.4.0.11   plover-1
`;

testCause(cause, {
  finds: {
    'the kubelet has no clusterDNS': {
      evidence: {
        'describe.txt': `Events:
  Type     Reason             Age                From     Message
  ----     ------             ----               ----     -------
  Normal   Scheduled          3m                 default-scheduler  Successfully assigned shop/cart-5d9c7b6f8-q2w4z to plover-1
  Warning  MissingClusterDNS  3s (x12 over 3m)   kubelet  pod: "cart-5d9c7b6f8-q2w4z_shop(0b54)". kubelet does not have ClusterDNS IP configured and cannot create Pod using "ClusterFirst" policy. Falling back to "Default" policy.
`,
      },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5'],
    },
    'a public server is asked': {
      evidence: { 'pods.txt': pods, 'cart.log': log(publicServer) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['cart.log:2'],
      victims: 1,
    },
    'the node-local cache is down': {
      evidence: {
        'pods.txt': pods,
        'cart.log': log(
          'dial tcp: lookup ledger on 169.254.25.10:53: read udp 10.4.0.11:41234->169.254.25.10:53: read: connection refused',
        ),
      },
      confidence: 'certain',
    },
    'looked at from inside': {
      evidence: {
        'shell.txt': `$ kubectl exec -it -n shop cart-5d9c7b6f8-q2w4z -- cat /etc/resolv.conf
nameserver 8.8.8.8
$ kubectl exec -it -n shop cart-5d9c7b6f8-q2w4z -- nslookup kubernetes.default
Server:    8.8.8.8
Address 1: 8.8.8.8 dns.google

nslookup: can't resolve 'kubernetes.default'
`,
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'the right server does not answer': {
      evidence: {
        'pods.txt': pods,
        'cart.log': log(`${publicServer}\nlookup ledger on 10.96.0.10:53: read udp 10.4.0.11:41234->10.96.0.10:53: i/o timeout`),
      },
      by: 'noAnswer',
    },
  },
  asks: {
    'what happens in the pod': {
      evidence: { 'note.txt': 'lookup ledger.shop.svc.cluster.local on 8.8.8.8:53: no such host\n' },
      for: 'container-log',
    },
  },
});
