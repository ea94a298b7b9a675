import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE   NAME                   READY   STATUS             RESTARTS      AGE   IP          NODE
shop        cart-5d9c7b6f8-q2w4z   0/1     CrashLoopBackOff   6 (40s ago)   9m    10.4.0.11   plover-1
`;
const log = `$ kubectl -n shop logs cart-5d9c7b6f8-q2w4z
2025/03/04 08:10:57 cannot connect to ledger: dial tcp 10.96.44.7:5432: i/o timeout
`;

testCause(cause, {
  finds: {
    'a policy and timeouts': {
      evidence: {
        'pods.txt': pods,
        'cart.log': log,
        'policies.txt': '$ kubectl -n shop get networkpolicy\nNAME           POD-SELECTOR   AGE\ndefault-deny   <none>         5d\n',
      },
      confidence: 'possible',
      place: 'namespace shop',
      cites: ['policies.txt:3'],
      victims: 1,
    },
    'cilium says so': {
      evidence: {
        'monitor.txt':
          '$ kubectl -n kube-system exec ds/cilium -- cilium monitor --type drop\nxx drop (Policy denied) flow 0x21ba8a19 to endpoint 1522, ifindex 31, file bpf_lxc.c:2145, , identity 8812->61003: 10.4.0.11:41234 -> 10.4.2.7:5432 tcp SYN\n',
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'the other side refuses': {
      evidence: {
        'pods.txt': pods,
        'cart.log': `${log}2025/03/04 08:11:57 cannot connect to ledger: dial tcp 10.96.44.7:5432: connect: connection refused\n`,
        'policies.txt': '$ kubectl -n shop get networkpolicy\nNAME        POD-SELECTOR   AGE\nallow-web   app=web        5d\n',
      },
      by: 'refused',
    },
  },
  asks: { 'the policies': { evidence: { 'pods.txt': pods, 'cart.log': log }, for: 'objects' } },
});
