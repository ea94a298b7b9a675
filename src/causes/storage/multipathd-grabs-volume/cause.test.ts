import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const volume = 'pvc-1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b';
const events = `Events:
  Type     Reason       Age                 From               Message
  ----     ------       ----                ----               -------
  Normal   Scheduled    3m10s               default-scheduler  Successfully assigned shop/ledger-0 to plover-2
  Warning  FailedMount  8s (x9 over 2m59s)  kubelet            MountVolume.MountDevice failed for volume "${volume}" : rpc error: code = Internal desc = mount failed: exit status 32
Mounting command: mount
Mounting arguments: -t ext4 -o defaults /dev/longhorn/${volume} /var/lib/kubelet/plugins/kubernetes.io/csi/driver.longhorn.io/1f2e/globalmount
Output: mount: /var/lib/kubelet/plugins/kubernetes.io/csi/driver.longhorn.io/1f2e/globalmount: /dev/longhorn/${volume} already mounted or mount point busy.
`;

testCause(cause, {
  finds: {
    'a device of DRBD that was just made': {
      evidence: {
        'describe.txt': events.replace(
          /Output: .*\n/,
          'Output: mke2fs 1.44.5\n/dev/drbd1000 is apparently in use by the system; will not make a filesystem here!\n',
        ),
      },
      confidence: 'possible',
    },
    'multipath lists the disk of another vendor': {
      evidence: {
        'describe.txt': events,
        'host.txt':
          "[root@plover-2 ~]# multipath -ll\nmpatha (36002248078c1) dm-0 Acme,Virtual Disk\nsize=8.0G features='0' hwhandler='0' wp=rw\n`-+- policy='service-time 0' prio=1 status=active\n  `- 1:0:0:5 sdf 8:80 active ready running\n",
      },
      confidence: 'possible',
      place: 'node plover-2',
    },
    'lsof shows multipath': {
      evidence: {
        'describe.txt': events,
        'host.txt':
          '[root@plover-2 ~]# lsof | grep sdc\nmultipath  4292                root    8r      BLK               8,32        0t0        534 /dev/sdc\n',
      },
      confidence: 'probable',
      place: 'node plover-2',
      cites: ['describe.txt:5', 'host.txt:2'],
      victims: 1,
    },
    'multipath lists the disk, and the daemon runs': {
      evidence: {
        'describe.txt': events,
        'host.txt':
          "[root@plover-2 ~]# multipath -ll\nmpatha (360000000000000000e00000000010001) dm-0 IET,VIRTUAL-DISK\nsize=8.0G features='0' hwhandler='0' wp=rw\n[root@plover-2 ~]# systemctl list-units multipathd.service\nUNIT               LOAD   ACTIVE SUB     DESCRIPTION\nmultipathd.service loaded active running Device-Mapper Multipath Device Controller\n",
      },
      confidence: 'probable',
      place: 'node plover-2',
      cites: ['host.txt:2', 'host.txt:6'],
    },
    'Longhorn reports it': {
      evidence: {
        'node.yaml': `apiVersion: longhorn.io/v1beta2
kind: Node
metadata:
  name: plover-2
  namespace: longhorn-system
status:
  conditions:
  - lastTransitionTime: "2025-03-04T08:10:57Z"
    message: multipathd is running with a known issue that affects Longhorn. See description and solution at https://longhorn.io/kb/troubleshooting-volume-with-multipath
    reason: MultipathdIsRunning
    status: "False"
    type: Multipathd
`,
      },
      confidence: 'probable',
    },
    'a busy Longhorn device alone': { evidence: { 'describe.txt': events }, confidence: 'possible', place: 'node plover-2' },
  },
  rulesOut: {
    'mounted for real': {
      evidence: {
        'describe.txt': events,
        'plugin.log': `$ kubectl -n longhorn-system logs longhorn-csi-plugin-x7k2p\nmke2fs 1.46.4 (18-Aug-2021)\n/dev/longhorn/${volume} is mounted; will not make a filesystem here!\n`,
        'pods.txt':
          'NAMESPACE         NAME                        READY   STATUS    RESTARTS   AGE   IP          NODE\nlonghorn-system   longhorn-csi-plugin-x7k2p   3/3     Running   0          9d    10.4.3.8    plover-2\n',
      },
      by: 'reallyMounted',
    },
  },
  asks: { 'what the host has': { evidence: { 'describe.txt': events }, for: 'host-tools' } },
});
