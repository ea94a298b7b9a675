import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (first: string, second: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    9m                default-scheduler  Successfully assigned shop/ledger-0 to plover-1
  Warning  FailedMount  7m                kubelet            MountVolume.MountDevice failed for volume "pvc-1f2e" : ${first}
  Warning  FailedMount  6s (x9 over 7m)   kubelet            MountVolume.MountDevice failed for volume "pvc-1f2e" : ${second}
`;
const late = 'rpc error: code = DeadlineExceeded desc = context deadline exceeded';
const ceph = 'rpc error: code = Aborted desc = an operation with the given Volume ID 0001-0009-stores-0000000000000002-1f2e already exists';
const pluginLog =
  'E0406 00:01:12.323880    7404 utils.go:123] GRPC error: rpc error: code = Aborted desc = An operation with the given Volume ID scans already exists\n';
const mounts = events(late, ceph);

testCause(cause, {
  finds: {
    'a mount of Ceph': {
      evidence: { 'describe.txt': mounts },
      confidence: 'certain',
      place: 'StatefulSet shop/ledger',
      cites: ['describe.txt:6', 'describe.txt:5'],
      victims: 1,
    },
    'a cloud disk': {
      evidence: {
        'describe.txt': events(
          late,
          'rpc error: code = Aborted desc = An operation with the given volume="vol-0a1b" is already in progress',
        ),
      },
      confidence: 'certain',
    },
    'one line of a driver log': {
      evidence: {
        'plugin.log': pluginLog,
      },
      confidence: 'certain',
    },
    'only the timeout': { evidence: { 'describe.txt': events(late, late) }, confidence: 'possible' },
  },
  rulesOut: {
    'mounted since': {
      evidence: {
        'describe.txt': mounts,
        'journal.txt':
          'Mar 04 08:10:57 plover-1 kubelet[1204]: I0304 08:10:57.000000    1204 operation_generator.go:1] MountVolume.SetUp succeeded for volume "pvc-1f2e" pod "ledger-0"\n',
      },
      by: 'mounted',
    },
  },
  asks: { 'the events of the pod': { evidence: { 'plugin.log': pluginLog }, for: 'pod-events' } },
});
