import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const scrape = (error: string) =>
  `$ kubectl -n kube-system logs metrics-server-6d94bc8694-4kzpl\nE0304 08:10:57.118402       1 scraper.go:140] "Failed to scrape node" err="Get \\"https://10.7.0.9:10250/metrics/resource\\": ${error}" node="alder"\n`;
const noRoute = scrape('dial tcp 10.7.0.9:10250: connect: no route to host');
const node = (status: string) =>
  `$ kubectl describe node alder\nName:               alder\nAddresses:\n  InternalIP:  10.7.0.9\nConditions:\n  Type    Status   LastHeartbeatTime                 LastTransitionTime                Reason              Message\n  ----    ------   -----------------                 ------------------                ------              -------\n  Ready   ${status}  Wed, 04 Mar 2026 08:10:11 +0000   Wed, 04 Mar 2026 08:00:11 +0000   NodeStatusUnknown   Kubelet stopped posting node status.\n`;

testCause(cause, {
  finds: {
    'metrics-server has no route': { evidence: { 'metrics.txt': noRoute }, confidence: 'probable', cites: ['metrics.txt:2'] },
    'and firewalld runs': {
      evidence: {
        'metrics.txt': noRoute,
        'host.txt':
          '[root@alder ~]# systemctl status firewalld\n● firewalld.service - firewalld - dynamic firewall daemon\n     Loaded: loaded (/usr/lib/systemd/system/firewalld.service; enabled; vendor preset: enabled)\n     Active: active (running) since Wed 2026-03-04 08:10:57 UTC; 4s ago\n',
      },
      confidence: 'probable',
    },
    'logs time out': {
      evidence: {
        'paste.txt':
          '$ kubectl -n shop logs cart-0\nError from server: Get "https://10.7.0.9:10250/containerLogs/shop/cart-0/cart": dial tcp 10.7.0.9:10250: i/o timeout\n',
      },
      confidence: 'probable',
    },
    'exec cannot reach the backend': {
      evidence: {
        'paste.txt':
          '$ kubectl -n shop exec cart-0 -- ls\nError from server: error dialing backend: dial tcp 10.7.0.9:10250: i/o timeout\n',
      },
      confidence: 'probable',
    },
    'a rule that rejects, and slow answers': {
      evidence: {
        'metrics.txt': scrape('context deadline exceeded'),
        'rules.txt': '[root@alder ~]# iptables -S INPUT\n-A INPUT -j REJECT --reject-with icmp-host-prohibited\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'the kubelet does not listen': {
      evidence: { 'metrics.txt': noRoute + scrape('dial tcp 10.7.0.9:10250: connect: connection refused') },
      by: 'refused',
    },
    'a certificate': { evidence: { 'metrics.txt': noRoute + scrape('remote error: tls: internal error') }, by: 'tls' },
    'a webhook on the same port': {
      evidence: {
        'paste.txt':
          'Error from server (InternalError): error when creating "x.yaml": Internal error occurred: failed calling webhook "a.example.org": Post "https://hook.sys.svc:443/x": dial tcp 10.7.0.9:10250: i/o timeout\n',
      },
      by: 'webhook',
    },
    'the node is silent': {
      evidence: {
        'paste.txt': `${node('Unknown')}[root@alder ~]# iptables -S INPUT\n-A INPUT -j REJECT --reject-with icmp-host-prohibited\n`,
      },
      by: 'silent',
    },
  },
  asks: { 'the firewall of the host': { evidence: { 'metrics.txt': noRoute }, for: 'unit-state' } },
});
