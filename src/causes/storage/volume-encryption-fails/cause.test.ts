import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/ledger-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.MountDevice failed for volume "pvc-1f2e" : rpc error: code = Internal desc = ${message}
`;
const inUse = events(
  'failed to encrypt volume with LUKS: exit status 5: Device /dev/longhorn/pvc-1f2e is in use. Cannot proceed with format operation.',
);

testCause(cause, {
  finds: {
    'in use when it is to be formatted': {
      evidence: { 'describe.txt': inUse },
      confidence: 'certain',
      place: 'StatefulSet shop/ledger',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'mapped already': {
      evidence: { 'describe.txt': events('Cannot use device /dev/sdd which is in use (already mapped or mounted).') },
      confidence: 'certain',
    },
    'a mapping of that name': {
      evidence: { 'describe.txt': events('failed to luksOpen: Device pvc-1f2e already exists.') },
      confidence: 'certain',
    },
    'another passphrase': {
      evidence: { 'describe.txt': events('cryptsetup luksOpen: exit status 2: No key available with this passphrase.') },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'mounted since': {
      evidence: {
        'describe.txt': inUse,
        'journal.txt':
          'Mar 04 08:10:57 plover-1 kubelet[1204]: I0304 08:10:57.000000    1204 operation_generator.go:1] MountVolume.SetUp succeeded for volume "pvc-1f2e" pod "ledger-0"\n',
      },
      by: 'mounted',
    },
  },
  asks: {
    'the events, after a line of the kubelet': {
      evidence: { 'note.log': 'Mar 04 08:10:57 plover-1 kubelet[1204]: No key available with this passphrase.\n' },
      for: 'pod-events',
    },
  },
});
