import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

testCause(cause, {
  finds: {
    'a Service refuses': {
      evidence: {
        'shell.txt':
          '$ kubectl -n shop exec -it probe -- curl http://ledger.shop.svc.cluster.local:8080\ncurl: (7) Failed to connect to ledger.shop.svc.cluster.local port 8080 after 3 ms: Connection refused\n',
      },
      confidence: 'possible',
      cites: ['shell.txt:2'],
    },
    'no answer, by address': {
      evidence: { 'shell.txt': 'curl: (7) Failed to connect to 10.101.22.3 port 80: Connection timed out\n' },
      confidence: 'possible',
    },
    'a node port': {
      evidence: { 'shell.txt': 'curl: (28) Failed to connect to 203.0.113.9 port 30080 after 21042 ms: Timeout was reached\n' },
      confidence: 'possible',
    },
    'and its endpoints': {
      evidence: {
        'shell.txt':
          'curl: (7) Failed to connect to ledger port 8080: Connection refused\n$ kubectl -n shop get endpoints ledger\nNAME     ENDPOINTS   AGE\nledger   <none>      5d\n',
      },
      confidence: 'possible',
    },
    'port-forward': {
      evidence: {
        'shell.txt':
          'E0304 08:10:57.000000    4711 portforward.go:406] an error occurred forwarding 8080 -> 80: error forwarding port 80 to pod 0d1f, uid : failed to execute portforward in network namespace "/var/run/netns/cni-x": failed to connect to localhost:80 inside namespace "0d1f", IPv4: dial tcp4 127.0.0.1:80: connect: connection refused\n',
      },
      confidence: 'probable',
    },
    'a Service that was pinged': {
      evidence: {
        'shell.txt':
          '/ # ping ledger\nPING ledger.shop.svc.cluster.local (10.96.4.4) 56(84) bytes of data.\nFrom 10.30.0.1 icmp_seq=1 Destination Port Unreachable\n',
      },
      confidence: 'possible',
    },
    'cut off': {
      evidence: { 'shell.txt': '$ curl http://ledger:8080/\ncurl: (56) Recv failure: Connection reset by peer\n' },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'another attempt got through': {
      evidence: {
        'shell.txt':
          '$ nc -zv ledger 8080\nnc: ledger (10.96.4.4:8080): Connection refused\n$ nc -zv ledger 8080\nledger (10.96.4.4:8080) open\n',
      },
      by: 'through',
    },
  },
  asks: {
    'its endpoints': {
      evidence: { 'shell.txt': 'curl: (7) Failed to connect to 10.101.22.3 port 80: Connection refused\n' },
      for: 'objects',
    },
  },
});
