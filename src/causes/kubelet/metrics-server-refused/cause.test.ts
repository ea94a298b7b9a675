import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const scrape = (status: string) =>
  `E0304 08:10:57.242985       1 scraper.go:140] "Failed to scrape node" err="request failed, status: \\"${status}\\"" node="elm-3"\n`;
const probe = 'I0304 08:10:59.042122       1 server.go:187] "Failed probe" probe="metric-storage-ready" err="no metrics to serve"\n';

testCause(cause, {
  finds: {
    'a kubelet that is too old': {
      evidence: { 'metrics-server.log': scrape('404 Not Found') + probe },
      confidence: 'certain',
      cites: ['metrics-server.log:1'],
    },
    'tokens that are not taken': { evidence: { 'metrics-server.log': scrape('401 Unauthorized') }, confidence: 'certain' },
    'a role that is missing': { evidence: { 'metrics-server.log': scrape('403 Forbidden') }, confidence: 'certain' },
    'the words of older versions': {
      evidence: {
        'metrics-server.log':
          'E0304 08:10:57.231196       1 manager.go:102] unable to fully collect metrics: unable to fully scrape metrics from source kubelet_summary:elm-3: unable to fetch metrics from Kubelet elm-3 (10.0.0.3): request failed - "401 Unauthorized", response: "Unauthorized"\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the kubelet names the account': {
      evidence: {
        'metrics-server.log':
          scrape('403 Forbidden') +
          'E0304 08:11:57.231196       1 manager.go:102] unable to fetch metrics from Kubelet elm-4 (elm-4): request failed - "403 Forbidden", response: "Forbidden (user=system:serviceaccount:kube-system:metrics-server, verb=get, resource=nodes, subresource=stats)"\n',
      },
      by: 'account',
    },
  },
  asks: {
    'the log of metrics-server': {
      evidence: {
        'pod.txt':
          'Name:         metrics-server-679944f8f6-mrnvr\nNamespace:    kube-system\nEvents:\n  Type     Reason     Age   From     Message\n  ----     ------     ----  ----     -------\n  Warning  Unhealthy  10s   kubelet  Readiness probe failed: [-]metric-storage-ready failed: no metrics to serve\n',
      },
      for: 'container-log',
    },
  },
});
