import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE   NAME       READY   STATUS        RESTARTS   AGE   IP          NODE
shop        ledger-0   0/1     Terminating   0          3h    10.4.1.19   plover-1
`;
const busy =
  'Mar 04 08:10:57 plover-1 kubelet[1204]: E0304 08:10:57.000000    1204 nestedpendingoperations.go:348] "Operation failed" err="UnmountVolume.TearDown failed for volume \\"kubernetes.io/csi/disk.example.com^vol-0a1b\\" (UniqueName: \\"kubernetes.io/csi/disk.example.com^vol-0a1b\\") pod \\"5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11\\" : unmount failed: exit status 32 Unmounting arguments: /var/lib/kubelet/pods/5d0c/volumes/kubernetes.io~csi/pvc-1f2e/mount Output: umount: target is busy."\n';
const orphan =
  'Mar 04 08:10:58 plover-1 kubelet[1204]: E0304 08:10:58.000000    1204 kubelet_volumes.go:245] "There were many similar errors. Turn up verbosity to see them." err="orphaned pod \\"5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11\\" found, but failed to rmdir() volume at path /var/lib/kubelet/pods/5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11/volumes/kubernetes.io~csi/pvc-1f2e: directory not empty" numErrs=1\n';

testCause(cause, {
  finds: {
    'a mount that is in use': {
      evidence: { 'pods.txt': pods, 'journal.txt': busy },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['journal.txt:1'],
      victims: 1,
    },
    'the line alone': { evidence: { 'journal.txt': busy }, confidence: 'possible', place: 'node plover-1' },
    leftovers: { evidence: { 'journal.txt': orphan }, confidence: 'possible' },
    'by hand': {
      evidence: {
        'host.txt':
          '[root@plover-1 ~]# umount /var/lib/kubelet/pods/5d0c/volumes/kubernetes.io~csi/pvc-1f2e/mount\numount: /var/lib/kubelet/pods/5d0c/volumes/kubernetes.io~csi/pvc-1f2e/mount: target is busy.\n',
      },
      confidence: 'possible',
    },
    'older leftovers': {
      evidence: {
        'journal.txt':
          'Aug 31 14:21:49 plover-1 kubelet[2240370]: E0831 14:21:49.324206 2240370 kubelet_volumes.go:154] Orphaned pod "5da3387d-ad1c-11ea-a025-525400767782" found, but volume paths are still present on disk : There were a total of 1 errors similar to this. Turn up verbosity to see them.\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'no driver to unmount': {
      evidence: {
        'pods.txt': pods,
        'journal.txt': `${busy}Mar 04 08:10:58 plover-1 kubelet[1204]: E0304 08:10:58.000000    1204 x.go:1] driver name disk.example.com not found in the list of registered CSI drivers\n`,
      },
      by: 'noDriver',
    },
    'nothing hangs': {
      evidence: {
        'pods.txt': pods.replace('0/1     Terminating', '1/1     Running    '),
        'journal.txt': `${orphan.replaceAll('5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11', '6e1d2a54-8e0e-4c6f-9d25-0f6f6f6f0a11')}`,
      },
      by: 'terminating',
    },
  },
  asks: { 'the pods': { evidence: { 'journal.txt': busy }, for: 'pod-status' } },
});
