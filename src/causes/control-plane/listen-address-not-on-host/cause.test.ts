import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const etcd =
  'Mar 04 08:10:57 birch etcd[20957]: listen tcp 10.4.0.10:2380: bind: cannot assign requested address\nMar 04 08:10:57 birch systemd[1]: etcd.service: Main process exited, code=exited, status=1/FAILURE\n';

testCause(cause, {
  finds: {
    'localhost means another machine': {
      evidence: {
        'journal.txt':
          'Nov 05 09:10:57 birch kubelet[957]: F1105 09:10:57.310021     957 docker_service.go:415] Streaming server stopped unexpectedly: listen tcp 10.4.0.14:0: bind: cannot assign requested address\n',
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'etcd as a service': { evidence: { 'journal.txt': etcd }, confidence: 'certain', place: 'node birch', cites: ['journal.txt:1'] },
    'etcd in a pod, without a route': {
      evidence: {
        'etcd.log':
          '$ docker logs 6a6156578ede\n2025-03-04 08:10:36.496704 N | etcdmain: failed to detect default host (could not find default route)\n2025-03-04 08:10:36.497449 C | etcdmain: listen tcp 10.4.0.10:2380: bind: cannot assign requested address\n',
      },
      confidence: 'certain',
    },
    'a server of another sort': {
      evidence: {
        'journal.txt': 'Mar 04 08:10:57 birch haproxy[957]: listen tcp 10.4.0.100:8443: bind: cannot assign requested address\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'outgoing ports used up': {
      evidence: {
        'journal.txt': `${etcd}Mar 04 08:10:58 birch etcd[20957]: dial tcp 10.4.0.11:2380: bind: cannot assign requested address\n`,
      },
      by: 'dials',
    },
  },
  asks: {
    'the log of the control plane': {
      evidence: {
        'journal.txt': 'Mar 04 08:10:57 birch haproxy[957]: listen tcp 10.4.0.100:8443: bind: cannot assign requested address\n',
      },
      for: 'control-plane-log',
    },
  },
});
