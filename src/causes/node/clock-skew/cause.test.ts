import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const kubelet = (message: string) =>
  `Jan 01 00:01:12 fir-2 kubelet[911]: E0101 00:01:12.447705     911 kubelet_node_status.go:549] "Error updating node status, will retry" err="error getting node \\"fir-2\\": Get \\"https://10.4.0.2:6443/api/v1/nodes/fir-2?resourceVersion=0&timeout=10s\\": ${message}"\n`;
const BEFORE =
  'tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-01-01T00:01:12Z is before 2026-10-30T10:00:00Z';
const timedatectl = (synchronised: string) => `[root@fir-2 ~]# timedatectl
               Local time: Thu 2026-01-01 00:02:10 UTC
           Universal time: Thu 2026-01-01 00:02:10 UTC
                 RTC time: Thu 2026-01-01 00:02:10
                Time zone: Etc/UTC (UTC, +0000)
System clock synchronized: ${synchronised}
              NTP service: ${synchronised === 'yes' ? 'active' : 'inactive'}
          RTC in local TZ: no
`;

testCause(cause, {
  finds: {
    'the kubelet does not believe the API server': {
      evidence: { 'kubelet.log': kubelet(BEFORE) },
      confidence: 'probable',
      place: 'node fir-2',
      cites: ['kubelet.log:1'],
    },
    'and nobody sets its clock': {
      evidence: { 'kubelet.log': kubelet(BEFORE), 'timedatectl.txt': timedatectl('no') },
      confidence: 'certain',
      place: 'node fir-2',
    },
    'a proxy that refuses its new certificate': {
      evidence: {
        'proxy.log':
          '$ kubectl -n shop logs cart-5d9c7b6f8-q2w4z -c proxy\nERROR ThreadId(02) daemon:identity: certify: Received invalid certificate: invalid certificate: CertNotValidYet\n',
      },
      confidence: 'probable',
    },
    'etcd members apart': {
      evidence: {
        'etcd.log':
          '$ kubectl -n kube-system logs etcd-fir-1\n2026-11-02 08:01:12.000 W | rafthttp: the clock difference against peer 8e9e05c52164694d is too high [4m18.5s > 1s]\n',
      },
      confidence: 'probable',
    },
    'monitors of ceph apart': {
      evidence: {
        'mon.log':
          '$ kubectl -n rook-ceph logs rook-ceph-mon-a-6d8f7c9b5d-4xk2v\ncluster 2026-11-02T08:01:12.138371+0000 mon.a (mon.0) 44 : cluster [WRN] 1 clock skew 481.25s > max 0.05s\n',
      },
      confidence: 'probable',
    },
    'pods made in the future, and a plugin turned away': {
      evidence: {
        'pods.txt': 'NAME                READY   STATUS    RESTARTS   AGE\ncalico-node-x7k2p   0/1     Running   12         <invalid>\n',
      },
      confidence: 'possible',
    },
    'a token of the future': {
      evidence: {
        'log.txt': '$ kubectl -n shop logs portal-0\nlevel=error msg="cannot sign in" err="oidc: token used before issued"\n',
        'timedatectl.txt': timedatectl('no'),
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'the clock is right': {
      evidence: { 'kubelet.log': kubelet(BEFORE), 'timedatectl.txt': timedatectl('yes') },
      by: 'synchronised',
    },
    'a peer of the program': {
      evidence: {
        'log.txt': '$ kubectl -n shop logs portal-0\nlevel=error msg="upstream: certificate is not yet valid"\n',
      },
      by: 'elsewhere',
    },
  },
  asks: { 'whether the clock is synchronised': { evidence: { 'kubelet.log': kubelet(BEFORE) }, for: 'host-state' } },
});

it('says by how much at least', async () => {
  const { incidents } = await diagnose([{ name: 'kubelet.log', text: kubelet(BEFORE) }], { causes: [cause] });
  expect(incidents[0]?.title).toBe('The clock of node fir-2 is behind by at least 302 days: certificates are not yet valid there');
});
