import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (args: string, command = 'mount') => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/ledger-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.MountDevice failed for volume "pvc-1f2e" : mount failed: exit status 32
Mounting command: ${command}
Mounting arguments: ${args} /dev/sdc /var/lib/kubelet/plugins/x/globalmount
Output: mount: wrong fs type, bad option, bad superblock on /dev/sdc,
       missing codepage or helper program, or other error
`;

testCause(cause, {
  finds: {
    'options of SMB on a disk': {
      evidence: { 'describe.txt': events('-t ext4 -o dir_mode=0777,file_mode=0777,uid=1000,defaults') },
      confidence: 'certain',
      place: 'StatefulSet shop/ledger',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'under systemd-run': {
      evidence: {
        'describe.txt': events(
          '--description=Kubernetes transient mount for /x --scope -- mount -t xfs -o uid=1000,gid=1000,defaults',
          'systemd-run',
        ),
      },
      confidence: 'certain',
    },
    'the kernel': {
      evidence: { 'dmesg.txt': '[81234.112233] EXT4-fs (sdc): Unrecognized mount option "dir_mode=0777" or missing value\n' },
      confidence: 'certain',
    },
    'newer kernels': { evidence: { 'dmesg.txt': "[81234.112233] ext4: Unknown parameter 'uid'\n" }, confidence: 'certain' },
    'mount only guesses': { evidence: { 'describe.txt': events('-t ext4 -o defaults') }, confidence: 'possible' },
  },
  rulesOut: {
    'a helper is missing': { evidence: { 'describe.txt': events('-t cifs -o dir_mode=0777 //stor.example/scans') }, by: 'noHelper' },
  },
  asks: { 'the kernel log': { evidence: { 'describe.txt': events('-t ext4 -o defaults') }, for: 'kernel-log' } },
});
