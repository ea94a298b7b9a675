import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string, more = '') => `Name:         ledger-0
Namespace:    shop
Node:         plover-1/10.4.0.11
Status:       Pending
Controlled By:  StatefulSet/ledger
Volumes:
  data:
    Type:       PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)
    ClaimName:  data-ledger-0
    ReadOnly:   false
Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/ledger-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            ${message}
${more}`;
const now = 'MountVolume.NewMounter initialization failed for volume "pv-ledger" : path "/mnt/disks/ledger" does not exist';

testCause(cause, {
  finds: {
    'the directory is not there': {
      evidence: { 'describe.txt': events(now) },
      confidence: 'certain',
      place: 'StatefulSet shop/ledger',
      cites: ['describe.txt:15'],
      victims: 1,
    },
    'after a reboot': {
      evidence: {
        'describe.txt': events(now),
        'node.txt': `Name:  plover-1
Events:
  Type     Reason    Age   From     Message
  ----     ------    ----  ----     -------
  Warning  Rebooted  9m    kubelet  Node plover-1 has been rebooted, boot id: 5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11
`,
      },
      confidence: 'certain',
    },
    'a bind mount of nothing': {
      evidence: {
        'describe.txt': events(
          'MountVolume.SetUp failed for volume "pv-ledger" : mount failed: exit status 32 Mounting command: mount Mounting arguments: -o bind /mnt/disks/ledger /var/lib/kubelet/pods/5d0c/volumes/kubernetes.io~local-volume/pv-ledger Output: mount: special device /mnt/disks/ledger does not exist',
        ),
      },
      confidence: 'certain',
    },
    'one line of the kubelet': {
      evidence: {
        'note.log': `Mar 04 08:10:57 plover-1 kubelet[1204]: E0304 08:10:57.000000    1204 nestedpendingoperations.go:1] "Operation failed" err="MountVolume.NewMounter initialization failed for volume \\"pv-ledger\\" (UniqueName: \\"kubernetes.io/local-volume/pv-ledger\\") pod \\"ledger-0\\" : path \\"/mnt/disks/ledger\\" does not exist"\n`,
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a hostPath': {
      evidence: {
        'describe.txt': events(
          now,
          '  Warning  FailedMount  6s  kubelet  MountVolume.SetUp failed for volume "logs" : hostPath type check failed: /srv/logs is not a directory\n',
        ),
      },
      by: 'hostPath',
    },
  },
  asks: { 'the events of the node': { evidence: { 'describe.txt': events(now) }, for: 'node-events' } },
});
