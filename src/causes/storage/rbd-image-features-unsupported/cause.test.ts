import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/ledger-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.MountDevice failed for volume "pvc-1f2e" : ${message}
`;
const csi = `rpc error: code = Internal desc = rbd: map failed exit status 6, rbd output: rbd: sysfs write failed
RBD image feature set mismatch. You can disable features unsupported by the kernel with "rbd feature disable stores/csi-vol-1f2e object-map fast-diff deep-flatten".
In some cases useful info is found in syslog - try "dmesg | tail".
rbd: map failed: (6) No such device or address`;

testCause(cause, {
  finds: {
    'ceph-csi': {
      evidence: { 'describe.txt': events(csi) },
      confidence: 'certain',
      place: 'StatefulSet shop/ledger',
      cites: ['describe.txt:6'],
      victims: 1,
    },
    'the kernel': {
      evidence: { 'dmesg.txt': '[  406.733605] rbd: image csi-vol-1f2e: image uses unsupported features: 0x38\n' },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'no module': { evidence: { 'describe.txt': events(`${csi} rbd: failed to load rbd kernel module (1)`) }, by: 'noModule' },
  },
  asks: { 'the kernel log': { evidence: { 'describe.txt': events(csi) }, for: 'kernel-log' } },
});
