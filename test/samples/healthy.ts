import type { Report } from '../../src/model/report.ts';
import { cite, report } from './build.ts';

export const healthyReport: Report = report({
  verdict: 'healthy',
  history: [
    {
      says: 'kube-proxy-lk4zd restarted once 4 hours ago, when worker-1 rebooted',
      about: 'kube-system/kube-proxy-lk4zd',
      cited: [cite('pods.txt', 14, 'kube-proxy-lk4zd   1/1   Running   1 (4h2m ago)   57d')],
    },
    {
      says: 'coredns-5d78c9869d-hh2vq restarted twice, 12 days ago',
      about: 'kube-system/coredns-5d78c9869d-hh2vq',
      cited: [cite('pods.txt', 9, 'coredns-5d78c9869d-hh2vq   1/1   Running   2 (12d ago)   40d')],
    },
  ],
  coverage: {
    documents: 2,
    lines: 61,
    bytes: 6_120,
    pods: 42,
    nodes: 3,
    redactions: 0,
    looked: [
      { channel: 'pod-status', about: 'cluster', extent: 'whole', docs: ['pods.txt'] },
      { channel: 'node-status', about: 'cluster', extent: 'whole', docs: ['nodes.txt'] },
    ],
    pieces: [
      { doc: 'pods.txt', lines: [1, 43], what: 'kubectl get pods' },
      { doc: 'nodes.txt', lines: [1, 4], what: 'kubectl get nodes' },
    ],
    unrecognised: [],
    unread: [],
  },
});
