import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const lost = `$ kubectl -n shop exec -it cart-5d9c7b6f8-q2w4z -- ping -c 4 8.8.8.8
PING 8.8.8.8 (8.8.8.8) 56(84) bytes of data.

--- 8.8.8.8 ping statistics ---
4 packets transmitted, 0 received, 100% packet loss, time 3060ms
`;

testCause(cause, {
  finds: {
    'ping from a pod': { evidence: { 'shell.txt': lost }, confidence: 'possible' },
    'curl, one line': {
      evidence: { 'shell.txt': 'curl: (28) Failed to connect to example.com port 443 after 130214 ms: Connection timed out\n' },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'another site answers': {
      evidence: {
        'shell.txt': `${lost}$ kubectl -n shop exec -it cart-5d9c7b6f8-q2w4z -- nc -zv 1.1.1.1 443\n1.1.1.1 (1.1.1.1:443) open\n`,
      },
      by: 'through',
    },
  },
  asks: {
    'a try from a pod': {
      evidence: { 'shell.txt': 'curl: (28) Failed to connect to 10.4.0.12 port 8080 after 5001 ms: Timeout was reached\n' },
      for: 'host-state',
    },
  },
});
