import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const rook =
  '2020-08-27 07:40:07.818821 E | op-osd: orchestration for node plover-1 failed: &{OSDs:[] Status:failed PvcBackedOSD:false Message:binary "lvm" does not exist on the host, make sure lvm2 package is installed: binary "lvm" does not exist on the host}\n';
const nsenter =
  '2023-03-31 08:02:35.172374 D | cephosd: failed to call nsenter. failed to execute nsenter. output: nsenter: failed to execute /usr/sbin/lvm: No such file or directory: exit status 127\n';
const claim = (message: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/ledger-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.SetUp failed for volume "pvc-1f2e" : rpc error: code = Internal desc = ${message}
`;

testCause(cause, {
  finds: {
    'the operator of Rook says so': { evidence: { 'operator.log': rook }, confidence: 'certain', cites: ['operator.log:1'] },
    'a driver calls it by name': {
      evidence: {
        'describe.txt': claim('exec: "lvcreate": executable file not found in $PATH'),
        'host.txt': '[root@plover-1 ~]# which lvm\n/usr/bin/which: no lvm in (/usr/sbin:/usr/bin)\n',
      },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5', 'host.txt:2'],
      victims: 1,
    },
    'no thin pools in the kernel': {
      evidence: {
        'describe.txt': claim('failed to create thin pool: thin: Required device-mapper target(s) not detected in your kernel.'),
      },
      confidence: 'certain',
    },
    'one line of modprobe': {
      evidence: { 'note.txt': 'modprobe: FATAL: Module dm_thin_pool not found in directory /lib/modules/5.15.0-91-generic\n' },
      confidence: 'certain',
    },
    'only the search for it': { evidence: { 'prepare.log': nsenter }, confidence: 'possible' },
  },
  rulesOut: {
    'the group is missing, LVM is not': {
      evidence: { 'prepare.log': `${nsenter}2023-03-31 08:02:36.172374 E | cephosd: Volume group "data" not found\n` },
      by: 'lvmSpeaks',
    },
  },
  asks: { 'what the host has': { evidence: { 'operator.log': rook }, for: 'host.tool' } },
});
