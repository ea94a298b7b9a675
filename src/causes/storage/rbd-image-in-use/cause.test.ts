import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/ledger-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.MountDevice failed for volume "pvc-1f2e" : ${message}
`;
const csi = 'rpc error: code = Internal desc = rbd image stores/csi-vol-1f2e is still being used';
const pods = `NAMESPACE   NAME       READY   STATUS        RESTARTS   AGE   IP          NODE
shop        ledger-0   0/1     Terminating   0          3h    10.4.1.19   plover-1
`;

testCause(cause, {
  finds: {
    'ceph-csi': {
      evidence: { 'describe.txt': events(csi) },
      confidence: 'certain',
      place: 'StatefulSet shop/ledger',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'the kubelet, long ago': {
      evidence: { 'describe.txt': events('rbd: image pvc-ledger is locked by other nodes') },
      confidence: 'certain',
    },
    'the kubelet, later': {
      evidence: {
        'describe.txt': events('rbd: failed to lock image kubernetes-dynamic-pvc-1f2e (maybe locked by other nodes), error exit status 16'),
      },
      confidence: 'certain',
    },
    'the kernel': { evidence: { 'dmesg.txt': '[  406.733605] rbd: rbd0: failed to acquire lock: -13\n' }, confidence: 'possible' },
    'an old pod hangs': { evidence: { 'describe.txt': events(csi), 'pods.txt': pods }, confidence: 'certain' },
  },
  rulesOut: {
    'mounted since': {
      evidence: {
        'describe.txt': events(csi),
        'journal.txt':
          'Mar 04 08:10:57 plover-1 kubelet[1204]: I0304 08:10:57.000000    1204 operation_generator.go:1] MountVolume.SetUp succeeded for volume "pvc-1f2e" pod "ledger-0"\n',
      },
      by: 'mounted',
    },
  },
  asks: { 'the kernel log': { evidence: { 'describe.txt': events(csi) }, for: 'kernel-log' } },
});
