import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const event = (words: string) =>
  `NAMESPACE   LAST SEEN   TYPE      REASON        OBJECT         MESSAGE\nshop        8s          Warning   FailedMount   pod/ledger-0   MountVolume.MountDevice failed for volume "pvc-1f2e" : rpc error: code = Internal desc = ${words}\n`;
const gone =
  'rbd: map failed with error an error (exit status 2) occurred while running rbd args: [map shelf/csi-vol-1], rbd error output: rbd: map failed: (2) No such file or directory';

testCause(cause, {
  finds: {
    'no answer in time': {
      evidence: {
        'events.txt': event('rbd: map failed with error an error (exit status 110) occurred while running rbd args: [map shelf/csi-vol-1]'),
      },
      confidence: 'possible',
    },
    'without the program': {
      evidence: {
        'events.txt':
          '$ kubectl -n shop get events\nLAST SEEN   TYPE      REASON        OBJECT         MESSAGE\n58s         Warning   FailedMount   pod/ledger-0   MountVolume.WaitForAttach failed for volume "heron-1" : fail to check rbd image status with: (executable file not found in $PATH), rbd output: ()\n',
      },
      confidence: 'possible',
    },
    'an image that is gone': { evidence: { 'events.txt': event(gone) }, confidence: 'certain', cites: ['events.txt:2'] },
    'a pool that is gone': {
      evidence: { 'events.txt': event('pool not found: pool ID(7) not found in Ceph cluster') },
      confidence: 'certain',
    },
    'a device the plugin does not see': {
      evidence: { 'paste.txt': 'rbd error output: rbd: mapping succeeded but /dev/rbd5 is not accessible, is host /dev mounted?\n' },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'mounted since': {
      evidence: {
        'events.txt': `${event(gone)}shop        1s          Normal    Mounted   pod/ledger-0   MountVolume.MountDevice succeeded for volume "pvc-1f2e"\n`,
      },
      by: 'mounted',
    },
  },
  asks: {
    'the events of the pod': { evidence: { 'paste.txt': 'rbd: map failed: (2) No such file or directory\n' }, for: 'pod-events' },
  },
});
