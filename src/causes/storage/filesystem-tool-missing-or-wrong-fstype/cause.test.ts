import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/ledger-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.MountDevice failed for volume "pvc-1f2e" : ${message}
`;
const noXfs =
  'rpc error: code = Internal desc = format of disk "/dev/sdc" failed: type:("xfs") target:("/var/lib/kubelet/plugins/x/globalmount") options:("defaults")errcode:(exec: "mkfs.xfs": executable file not found in $PATH) output:() ';
const wrong = `mount failed: exit status 32
Mounting command: mount
Mounting arguments: -t xfs -o defaults /dev/sdc /var/lib/kubelet/plugins/x/globalmount
Output: mount: wrong fs type, bad option, bad superblock on /dev/sdc,
       missing codepage or helper program, or other error`;

testCause(cause, {
  finds: {
    'no mkfs.xfs': {
      evidence: {
        'describe.txt': events(noXfs),
        'host.txt': '[root@plover-1 ~]# which mkfs.xfs\n/usr/bin/which: no mkfs.xfs in (/usr/sbin:/usr/bin)\n',
      },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5', 'host.txt:2'],
      victims: 1,
    },
    'another type is on it': {
      evidence: {
        'describe.txt': events('failed to mount the volume as "ext4", it already contains xfs. Mount error: mount failed: exit status 32'),
      },
      confidence: 'certain',
    },
    'a disk of LVM': {
      evidence: {
        'describe.txt': events("mount failed: exit status 32 Output: mount: /x/globalmount: unknown filesystem type 'LVM2_member'."),
      },
      confidence: 'certain',
    },
    'made by newer tools': {
      evidence: { 'dmesg.txt': '[81234.112233] XFS (sdc): Superblock has unknown incompatible features (0x8) enabled.\n' },
      confidence: 'certain',
    },
    'mount only guesses': { evidence: { 'describe.txt': events(wrong) }, confidence: 'possible' },
  },
  rulesOut: {
    'something holds the disk': {
      evidence: {
        'describe.txt': events(
          noXfs
            .replace('exec: "mkfs.xfs": executable file not found in $PATH', 'exit status 1')
            .replace('output:()', 'output:(/dev/sdc is apparently in use by the system; will not make a filesystem here!)'),
        ),
      },
      by: 'inUse',
    },
    'a replica that may not be written here': {
      evidence: {
        'describe.txt': events(
          noXfs
            .replace('exec: "mkfs.xfs": executable file not found in $PATH', 'exit status 1')
            .replace('output:()', 'output:(mkfs.xfs: cannot open /dev/sdc: Read-only file system)'),
        ),
      },
      by: 'deviceRefuses',
    },
    'options of another file system': {
      evidence: { 'describe.txt': events(wrong.replace('-o defaults', '-o dir_mode=0777,file_mode=0777,uid=1000,defaults')) },
      by: 'options',
    },
  },
  asks: { 'what the host has': { evidence: { 'describe.txt': events(noXfs) }, for: 'host.tool' } },
});
