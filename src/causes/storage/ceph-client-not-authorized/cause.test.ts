import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/ledger-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.MountDevice failed for volume "pvc-1f2e" : rpc error: code = Internal desc = ${message}
`;
const denied =
  'an error (exit status 32) occurred while running mount args: [-t ceph 10.4.0.7:6789:/volumes/a /var/lib/kubelet/x -o name=csi-shop,secretfile=/tmp/k] stderr: mount error 13 = Permission denied';

testCause(cause, {
  finds: {
    'the kernel says so': {
      evidence: { 'dmesg.txt': "[81234.112233] libceph: auth method 'x' error -1\n[81234.112240] ceph: mds0 rejected session\n" },
      confidence: 'certain',
    },
    'the mount is refused': {
      evidence: { 'describe.txt': events(denied) },
      confidence: 'certain',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'the mount is refused, on a line of its own': {
      evidence: {
        'describe.txt': `${events('an error (exit status 32) occurred while running mount args: [-t ceph 10.4.0.7:6789:/ /x] stderr: unable to get monitor info from DNS SRV with service name: ceph-mon')}2025-03-04T08:10:58.324+0000 7fccb48b00c0 -1 failed for service _ceph-mon._tcp\nmount error 13 = Permission denied\n`,
      },
      confidence: 'certain',
    },
    'the monitors refuse': {
      evidence: {
        'pvc.txt': `$ kubectl -n shop describe pvc data-ledger-0
Name:          data-ledger-0
Namespace:     shop
StorageClass:  shelf
Status:        Pending
Events:
  Type     Reason              Age               From     Message
  ----     ------              ----              ----     -------
  Warning  ProvisioningFailed  8s (x9 over 10m)  csi-0    failed to provision volume with StorageClass "shelf": rpc error: code = Internal desc = failed to get connection: connecting failed: rados: ret=-13, Permission denied
`,
      },
      confidence: 'certain',
    },
    'the image may not be mapped': {
      evidence: {
        'describe.txt': events(
          'rbd: map failed with error an error (exit status 1) occurred, rbd error output: rbd: map failed: (1) Operation not permitted',
        ),
      },
      confidence: 'certain',
    },
    'a Secret without the user': {
      evidence: { 'describe.txt': events("missing ID field 'userID' in secrets") },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a Windows share': {
      evidence: {
        'describe.txt': events(
          'mount failed: exit status 32 Mounting arguments: -t cifs -o <masked> //nas/share /x Output: mount error 13 = Permission denied',
        ),
      },
      by: 'cifs',
    },
  },
  asks: { 'the kernel log': { evidence: { 'describe.txt': events(denied) }, for: 'kernel-log' } },
});
