import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/media-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.SetUp failed for volume "pvc-1f2e" : rpc error: code = Internal desc = Could not mount juicefs: ${message}
`;
const meta = events(
  'juicefs format error: exit status 1: 2026/03/04 08:10:57.000000 juicefs[19] <FATAL>: Meta is not available: dial tcp 10.4.0.9:6379: connect: connection refused',
);

testCause(cause, {
  finds: {
    'the metadata engine': {
      evidence: { 'describe.txt': meta },
      confidence: 'certain',
      place: 'StatefulSet shop/media',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'not formatted': {
      evidence: { 'note.txt': '<FATAL>: database is not formatted, please run `juicefs format ...` first [format.go:123]\n' },
      confidence: 'certain',
    },
    'a token': { evidence: { 'describe.txt': events('juicefs auth error: exit status 1') }, confidence: 'possible' },
    'a mount pod': {
      evidence: { 'describe.txt': events('mount pod juicefs-plover-1-pvc-1f2e is not ready') },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'mounted since': {
      evidence: {
        'describe.txt': meta,
        'journal.txt':
          'Mar 04 08:10:57 plover-1 kubelet[1204]: I0304 08:10:57.000000    1204 operation_generator.go:1] MountVolume.SetUp succeeded for volume "pvc-1f2e" pod "media-0"\n',
      },
      by: 'mounted',
    },
  },
  asks: {
    'the events': { evidence: { 'note.txt': 'juicefs auth error: exit status 1\n' }, for: 'pod-events' },
  },
});
