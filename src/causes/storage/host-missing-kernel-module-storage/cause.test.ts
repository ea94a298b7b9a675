import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/ledger-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.MountDevice failed for volume "pvc-1f2e" : rpc error: code = Internal desc = ${message}
`;
const rbd =
  'rbd: map failed with error an error (exit status 1) occurred while running rbd args: [--id csi-rbd-node map pool/image], rbd error output: modprobe: FATAL: Module rbd not found in directory /lib/modules/5.4.0-1045-aws rbd: failed to load rbd kernel module (1)';

testCause(cause, {
  finds: {
    'rbd is not there': {
      evidence: { 'describe.txt': events(rbd) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'a kernel without NFS': {
      evidence: {
        'describe.txt': events(
          'MountVolume.SetUp failed for volume "media" : mount failed: exit status 32 Output: mount.nfs: No such device',
        ),
      },
      confidence: 'certain',
    },
    'the driver stops at its start': {
      evidence: {
        'plugin.log': 'E0304 08:10:57.000000       1 util.go:1] an error (exit status 1) occurred while running modprobe args: [ceph]\n',
      },
      confidence: 'certain',
    },
    'busybox says it in other words': {
      evidence: { 'note.txt': 'E0304 08:10:57.000000       1 main.go:1] modprobe: module nbd not found in modules.dep\n' },
      confidence: 'certain',
    },
    'refused by secure boot': {
      evidence: { 'note.txt': "modprobe: ERROR: could not insert 'drbd': Key was rejected by service\n" },
      confidence: 'certain',
    },
    'Longhorn lists what is not loaded': {
      evidence: {
        'manager.log': 'time="2024-03-04T08:10:57Z" level=warning msg="Kernel modules [dm_crypt] are not loaded on node plover-1"\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'the image has features the kernel does not know': {
      evidence: {
        'describe.txt': events(
          `${rbd} rbd: sysfs write failed RBD image feature set mismatch. Try disabling features unsupported by the kernel`,
        ),
      },
      by: 'features',
    },
  },
  asks: { 'the log of the driver': { evidence: { 'describe.txt': events(rbd) }, for: 'container-log' } },
});
