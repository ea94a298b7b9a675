import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason     Age                 From               Message
  ----     ------     ----                ----               -------
  Normal   Scheduled  3m10s               default-scheduler  Successfully assigned kube-system/calico-node-x7k2p to plover-1
  Warning  Unhealthy  8s (x15 over 3m9s)  kubelet            ${message}
`;
const probe = 'Liveness probe failed: Get "http://localhost:9099/liveness": dial tcp: lookup localhost on 10.7.7.7:53: no such host';

testCause(cause, {
  finds: {
    'a probe': { evidence: { 'describe.txt': events(probe) }, confidence: 'certain', place: 'node plover-1', cites: ['describe.txt:5'] },
    felix: {
      evidence: {
        'node.log':
          '$ kubectl -n kube-system logs calico-node-x7k2p\n2025-03-04 08:10:57.201 [ERROR][61] felix/health.go 246: Health endpoint failed, trying to restart it... error=listen tcp: lookup localhost on 10.7.7.7:53: no such host\n',
      },
      confidence: 'certain',
    },
    'the DNS server is out of reach as well': {
      evidence: {
        'describe.txt': events(
          'Liveness probe failed: Get "http://localhost:9099/liveness": dial tcp: lookup localhost on 10.7.7.7:53: read udp 10.4.0.11:41022->10.7.7.7:53: i/o timeout',
        ),
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'nothing listens': {
      evidence: {
        'describe.txt': `${events(probe)}  Warning  Unhealthy  3s  kubelet  Liveness probe failed: Get "http://localhost:9099/liveness": dial tcp 127.0.0.1:9099: connect: connection refused\n`,
      },
      by: 'refused',
    },
  },
  asks: { 'the log': { evidence: { 'note.txt': 'dial tcp: lookup localhost on 10.7.7.7:53: no such host\n' }, for: 'container-log' } },
});
