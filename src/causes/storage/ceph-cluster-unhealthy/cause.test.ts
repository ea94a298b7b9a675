import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const status = (health: string, rows: string) => `sh-4.4$ ceph -s
  cluster:
    id:     5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11
    health: ${health}
${rows}
  services:
    mon: 3 daemons, quorum a,b,c (age 2h)
    mgr: a(active, since 2h)
    osd: 3 osds: 3 up (since 2h), 3 in (since 3d)
`;
const claim = `$ kubectl -n shop describe pvc data-ledger-0
Name:          data-ledger-0
Namespace:     shop
StorageClass:  rook-ceph-block
Status:        Pending
Events:
  Type     Reason                Age                From                                Message
  ----     ------                ----               ----                                -------
  Warning  ProvisioningFailed    8s (x9 over 10m)   rook-ceph.rbd.csi.ceph.com_ctl-0    failed to provision volume with StorageClass "rook-ceph-block": rpc error: code = Aborted desc = an operation with the given Volume ID pvc-1f2e already exists
`;

testCause(cause, {
  finds: {
    'no metadata server': {
      evidence: {
        'plugin.log':
          'E0304 08:10:57.708122       1 utils.go:245] ID: 18322 GRPC error: rpc error: code = Internal desc = an error (exit status 32) occurred while running mount args: [-t ceph 10.4.0.7:6789:/volumes/a /var/lib/kubelet/x -o name=shop] stderr: mount error: no mds (Metadata Server) is up. The cluster might be laggy, or you may not be authorized\n',
      },
      confidence: 'certain',
    },
    'no room': {
      evidence: { 'ceph.txt': status('HEALTH_ERR', '            1 full osd(s)\n            4 pool(s) full'), 'pvc.txt': claim },
      confidence: 'certain',
      place: 'the cluster',
      cites: ['ceph.txt:5'],
    },
    'data is not available': {
      evidence: { 'ceph.txt': status('HEALTH_WARN', '            1 osds down\n            Reduced data availability: 8 pgs inactive') },
      confidence: 'certain',
    },
    'no quorum, in the log of the operator': {
      evidence: {
        'operator.log':
          '2023-10-16 11:46:14.606945 E | ceph-cluster-controller: failed to get ceph status. timed out. . [errno 110] RADOS timed out (error connecting to the cluster)\n',
      },
      confidence: 'certain',
    },
    'a driver cannot connect': {
      evidence: {
        'plugin.log':
          'E0304 08:10:57.000000       1 utils.go:1] failed to get connection: connecting failed: rados: ret=-110, Connection timed out\n',
      },
      confidence: 'certain',
    },
    'the kernel client': {
      evidence: { 'dmesg.txt': '[81234.112233] libceph: mon0 (1)10.4.0.7:6789 session lost, hunting for new mon\n' },
      confidence: 'possible',
    },
    'calls that hang': { evidence: { 'pvc.txt': claim }, confidence: 'possible' },
  },
  rulesOut: { 'Ceph is well': { evidence: { 'ceph.txt': status('HEALTH_OK', ''), 'pvc.txt': claim }, by: 'healthy' } },
  asks: { 'the logs': { evidence: { 'pvc.txt': claim }, for: 'container-log' } },
});
