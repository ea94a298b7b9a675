import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const message = 'MountVolume.NodeAffinity check failed for volume "records-pv" : no matching NodeSelectorTerms';
const events = `Name:         ledger-0
Namespace:    shop
Node:         plover-1/10.4.0.7
Status:       Pending
Volumes:
  records:
    Type:       PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)
    ClaimName:  records-ledger-0
    ReadOnly:   false
Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Warning  FailedMount  6s (x8 over 70s)  kubelet, plover-1  ${message}
`;

testCause(cause, {
  finds: {
    'the event': { evidence: { 'describe.txt': events }, confidence: 'certain', cites: ['describe.txt:13'] },
    'the message alone': { evidence: { 'note.txt': `${message}\n` }, confidence: 'certain' },
  },
  rulesOut: {
    'mounted since': {
      evidence: {
        'describe.txt': events,
        'journal.txt':
          'Mar 04 08:10:57 plover-1 kubelet[1204]: I0304 08:10:57.000000    1204 operation_generator.go:1] MountVolume.SetUp succeeded for volume "records-pv" pod "ledger-0"\n',
      },
      by: 'mounted',
    },
  },
  asks: { 'what it mounts': { evidence: { 'note.txt': `${message}\n` }, for: 'pod.volume' } },
});
