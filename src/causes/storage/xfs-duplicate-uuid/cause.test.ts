import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const event = `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/ledger-copy-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.MountDevice failed for volume "pvc-1f2e" : rpc error: code = Internal desc = could not format "/dev/nvme3n1" and mount it: mount failed: exit status 32 Output: mount: /var/lib/kubelet/globalmount: wrong fs type, bad option, bad superblock on /dev/nvme3n1, missing codepage or helper program, or other error.
`;
const kernel =
  "[root@plover-1 ~]# dmesg | tail -1\n[ 8231.220531] XFS (nvme3n1): Filesystem has duplicate UUID 9dad5d5a-8a8e-4c0d-9f6e-0d2bd1c5d9a1 - can't mount\n";

testCause(cause, {
  finds: {
    'a restored snapshot beside its source': {
      evidence: { 'describe.txt': event, 'dmesg.txt': kernel },
      confidence: 'certain',
      cites: ['dmesg.txt:2'],
    },
    'the line alone': {
      evidence: {
        'kern.log':
          "Mar 04 08:10:57 plover-1 kernel: XFS (dm-4): Filesystem has duplicate UUID 9dad5d5a-8a8e-4c0d-9f6e-0d2bd1c5d9a1 - can't mount\n",
      },
      confidence: 'probable',
      place: 'node plover-1',
    },
  },
  rulesOut: {
    'mounted since': {
      evidence: {
        'describe.txt': `${event}  Normal   Started      2s  kubelet            Started container ledger\n`,
        'dmesg.txt': kernel,
      },
      by: 'started',
    },
    'one volume on two nodes': {
      evidence: {
        'dmesg.txt': kernel,
        'describe.txt': event.replace('MountVolume.MountDevice failed for volume "pvc-1f2e"', 'Multi-Attach error for volume "pvc-1f2e"'),
      },
      by: 'sameVolume',
    },
  },
  asks: {
    'events of the pods': { evidence: { 'dmesg.txt': kernel }, for: 'pod.event' },
  },
});
