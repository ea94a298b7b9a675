import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const logs =
  '$ kubectl -n shop logs cart-0\nError from server: Get "https://10.7.0.9:10250/containerLogs/shop/cart-0/cart": remote error: tls: internal error\n';
const csr = (state: string) =>
  `$ kubectl get csr\nNAME        AGE   SIGNERNAME                      REQUESTOR           REQUESTEDDURATION   CONDITION\ncsr-7x2lq   3m    kubernetes.io/kubelet-serving   system:node:alder   <none>              ${state}\n`;
const scrape = (reason: string) =>
  `$ kubectl -n kube-system logs metrics-server-6d94bc8694-4kzpl\nE0304 08:10:57.118402       1 scraper.go:149] "Failed to scrape node" err="Get \\"https://10.7.0.9:10250/metrics/resource\\": ${reason}" node="alder"\n`;

testCause(cause, {
  finds: {
    'logs break off': { evidence: { 'paste.txt': logs }, confidence: 'certain', cites: ['paste.txt:2'] },
    'a request that waits': { evidence: { 'csr.txt': csr('Pending') }, confidence: 'certain' },
    'the kubelet says it': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 alder kubelet[901]: I0304 08:10:57.118402     901 log.go:245] http: TLS handshake error from 10.7.0.2:41870: no serving certificate available for the kubelet\n',
        'config.yaml': 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nserverTLSBootstrap: true\n',
      },
      confidence: 'certain',
      place: 'node alder',
    },
    'metrics-server does not trust it': {
      evidence: {
        'metrics.txt': scrape(
          "tls: failed to verify certificate: x509: cannot validate certificate for 10.7.0.9 because it doesn't contain any IP SANs",
        ),
      },
      confidence: 'certain',
    },
    'the node has another address than when it was made': {
      evidence: {
        'term.txt':
          '$ kubectl exec -it birch-0 -- sh\nerror: Internal error occurred: error sending request: Post "https://10.4.0.31:10250/exec/default/birch-0/app?command=sh&input=1&output=1&tty=1": tls: failed to verify certificate: x509: certificate is valid for 10.4.0.12, 127.0.0.1, not 10.4.0.31\n',
      },
      confidence: 'certain',
    },
    'it has expired': {
      evidence: {
        'paste.txt':
          '$ kubectl -n shop logs cart-0\nError from server: Get "https://10.7.0.9:10250/containerLogs/shop/cart-0/cart": x509: certificate has expired or is not yet valid: current time 2026-03-04T10:00:00Z is after 2026-03-03T01:00:00Z\n',
      },
      confidence: 'certain',
    },
    'nor does an older one': {
      evidence: { 'metrics.txt': scrape('x509: certificate signed by unknown authority') },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a port that is shut': {
      evidence: {
        'paste.txt': `${logs}Error from server: Get "https://10.7.0.9:10250/containerLogs/shop/cart-0/cart": dial tcp 10.7.0.9:10250: i/o timeout\n`,
      },
      by: 'unreachable',
    },
  },
  asks: { 'the requests': { evidence: { 'paste.txt': logs }, for: 'objects' } },
});
