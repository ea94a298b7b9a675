import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const kubectl =
  '$ kubectl logs till-0\nError from server: error dialing backend: dial tcp: lookup cedar-2 on 127.0.0.53:53: server misbehaving\n';

testCause(cause, {
  finds: {
    'kubectl logs': { evidence: { 'terminal.txt': kubectl }, confidence: 'certain' },
    'kubectl logs, another wording': {
      evidence: {
        'terminal.txt':
          '$ kubectl logs till-0\nError from server: Get "https://cedar-2:10250/containerLogs/default/till-0/till": dial tcp: lookup cedar-2 on 10.2.0.2:53: no such host\n',
      },
      confidence: 'certain',
    },
    'metrics-server': {
      evidence: {
        'metrics.log':
          '$ kubectl -n kube-system logs metrics-server-5c9d8b7f6-r4m2k\nE0304 08:10:57.118204       1 scraper.go:140] "Failed to scrape node" err="Get \\"https://cedar-2:10250/metrics/resource\\": dial tcp: lookup cedar-2 on 10.96.0.10:53: no such host" node="cedar-2"\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'no name is resolved': {
      evidence: {
        'terminal.txt': kubectl,
        'dns.txt':
          '$ kubectl exec till-0 -- wget -O- https://kubernetes.default\nwget: dial tcp: lookup kubernetes.default on 10.96.0.10:53: i/o timeout\n',
      },
      by: 'allNames',
    },
  },
  asks: {
    'what kubectl says': {
      evidence: { 'note.txt': 'error dialing backend: dial tcp: lookup cedar-2 on 127.0.0.53:53: no such host\n' },
      for: 'objects',
    },
  },
});
