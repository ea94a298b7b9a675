import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (status: string) => `NAMESPACE   NAME                   READY   STATUS             RESTARTS      AGE
shop        cart-5d9c7b6f8-q2w4z   ${status}   9m
`;
const crashing = pods('0/1     CrashLoopBackOff   6 (40s ago)');
const log = (words: string) => `$ kubectl -n shop logs cart-5d9c7b6f8-q2w4z
${words}
`;
const go = '2025/03/04 08:10:57 redis: dial tcp 10.96.12.8:6379: connect: cannot assign requested address';

testCause(cause, {
  finds: {
    'a Go program': {
      evidence: {
        'pods.txt': crashing,
        'cart.log': log(go),
        'host.txt': '[root@plover-1 ~]# sysctl net.ipv4.ip_local_port_range\nnet.ipv4.ip_local_port_range = 32768\t60999\n',
      },
      confidence: 'certain',
      place: 'Deployment shop/cart',
      cites: ['cart.log:2'],
      victims: 1,
    },
    nginx: {
      evidence: {
        'pods.txt': crashing,
        'cart.log': log(
          '2025/03/04 08:10:57 [crit] 31#31: *88 connect() to 10.96.12.8:80 failed (99: Cannot assign requested address) while connecting to upstream, client: 10.4.0.1',
        ),
      },
      confidence: 'certain',
    },
    Java: {
      evidence: {
        'pods.txt': crashing,
        'cart.log': log('java.net.NoRouteToHostException: Cannot assign requested address (Address not available)'),
      },
      confidence: 'certain',
    },
    'the sysctl of its node': {
      evidence: {
        'pods.txt': `NAMESPACE   NAME                   READY   STATUS             RESTARTS      AGE   IP          NODE
shop        cart-5d9c7b6f8-q2w4z   0/1     CrashLoopBackOff   6 (40s ago)   9m    10.4.2.11   plover-1
`,
        'cart.log': log(go),
        'host.txt': '[root@plover-1 ~]# sysctl net.ipv4.ip_local_port_range\nnet.ipv4.ip_local_port_range = 50000\t50100\n',
      },
      confidence: 'certain',
      cites: ['host.txt:2'],
    },
  },
  rulesOut: {
    'it cannot listen': {
      evidence: { 'pods.txt': crashing, 'cart.log': log(`${go}\nlisten tcp 10.9.0.1:8080: bind: cannot assign requested address`) },
      by: 'listening',
    },
    'the pod is well': { evidence: { 'pods.txt': pods('1/1     Running            0          '), 'cart.log': log(go) }, by: 'well' },
  },
  asks: { 'the range': { evidence: { 'pods.txt': crashing, 'cart.log': log(go) }, for: 'host.sysctl' } },
});
