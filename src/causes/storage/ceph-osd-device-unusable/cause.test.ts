import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (words: string) => `$ kubectl -n rook-ceph logs rook-ceph-osd-1-645dd74897-49z2t\n${words}\n`;
const label = ' stderr: failed to read label for /dev/ceph-78dc49df/osd-block-979b24d9: (2) No such file or directory';
const found = (words: string, confidence: 'certain' | 'probable' | 'possible') => ({ evidence: { 'osd.log': log(words) }, confidence });

testCause(cause, {
  finds: {
    'gone after a reboot': { ...found(label, 'certain'), cites: ['osd.log:2'] },
    'a disk of an earlier cluster': found(
      '2026-03-04 08:10:57.036333 I | cephosd: skipping osd.0: "b1a2" belonging to a different ceph cluster "6ba68e20"',
      'certain',
    ),
    'a disk that is not empty, in a list of reasons': found(
      '2026-03-04 08:10:57.036333 I | cephosd: skipping device "vdb": ["Has a FileSystem"].',
      'possible',
    ),
    'a disk that is not empty': found(
      '2026-03-04 08:10:57.036333 I | cephosd: skipping device "sdb" because it contains a filesystem "ceph_bluestore"',
      'possible',
    ),
    'no disk at all': found(
      '2026-03-04 08:10:57.736333 W | cephosd: skipping OSD configuration as no devices matched the storage settings for this node "plover-1"',
      'possible',
    ),
  },
  rulesOut: {
    'taken into use': {
      evidence: { 'osd.log': log(`${label}\n--> ceph-volume lvm activate successful for osd ID: 1`) },
      by: 'prepared',
    },
  },
  asks: { 'the log of the pod': { evidence: { 'note.txt': `${label}\n` }, for: 'container-log' } },
});
