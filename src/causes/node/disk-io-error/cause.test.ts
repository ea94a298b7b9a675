import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const kernel = (...lines: string[]) =>
  lines.map((line, index) => `Mar 04 08:10:5${index} alder kernel: [91234.11840${index}] ${line}\n`).join('');
const sectors = 'blk_update_request: I/O error, dev sda, sector 81239120 op 0x0:(READ) flags 0x80700 phys_seg 1 prio class 0';

testCause(cause, {
  finds: {
    'the node problem detector says so': {
      evidence: {
        'node.txt': `Name:               birch
Conditions:
  Type                 Status  LastHeartbeatTime                 LastTransitionTime                Reason                 Message
  ----                 ------  -----------------                 ------------------                ------                 -------
  ReadonlyFilesystem   True    Tue, 04 Mar 2025 08:10:57 +0000   Tue, 04 Mar 2025 08:00:57 +0000   FilesystemIsReadOnly   Filesystem is read-only
  Ready                False   Tue, 04 Mar 2025 08:10:57 +0000   Tue, 04 Mar 2025 08:00:57 +0000   KubeletNotReady        container runtime is down
`,
      },
      confidence: 'possible',
    },
    'a RAID controller that does not answer': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 alder kernel: megaraid_sas 0000:5a:00.0: [30]waiting for 65 commands to complete for scsi0\nMar 04 08:11:02 alder kernel: megaraid_sas 0000:5a:00.0: [35]waiting for 65 commands to complete for scsi0\n',
      },
      confidence: 'possible',
    },
    'block errors': { evidence: { 'kern.log': kernel(sectors) }, confidence: 'certain', place: 'node alder', cites: ['kern.log:1'] },
    'a newer kernel': {
      evidence: {
        'kern.log': kernel(
          'I/O error, dev nvme0n1, sector 2148021 op 0x1:(WRITE) flags 0x8800 phys_seg 9 prio class 2',
          'nvme nvme0: I/O 12 QID 3 timeout, aborting',
        ),
      },
      confidence: 'certain',
    },
    'a filesystem that gives up': {
      evidence: {
        'kern.log': kernel(
          'EXT4-fs error (device vda1): ext4_find_entry:1663: inode #131074: comm containerd: reading directory lblock 0',
          'EXT4-fs (vda1): Remounting filesystem read-only',
        ),
        'mounts.txt': '[root@alder ~]# cat /proc/mounts\n/dev/vda1 / ext4 ro,relatime 0 0\n',
      },
      confidence: 'probable',
    },
    'the disk says it': {
      evidence: { 'smart.txt': '[root@alder ~]# smartctl -H /dev/sda\nSMART overall-health self-assessment test result: FAILED!\n' },
      confidence: 'certain',
    },
    'a daemon that cannot read': {
      evidence: {
        'containerd.log':
          'Mar 04 08:10:57 alder containerd[650]: time="2026-03-04T08:10:57.118Z" level=error msg="get state failed" error="open /var/lib/containerd/io.containerd.metadata.v1.bolt/meta.db: input/output error"\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'a network disk': {
      evidence: {
        'kern.log': kernel('session1: session recovery timed out after 120 secs', 'I/O error, dev sdc, sector 0 op 0x0:(READ)').replace(
          'session1',
          'iscsi session1: session1',
        ),
      },
      by: 'network',
    },
  },
  asks: { 'the health of the disk': { evidence: { 'kern.log': kernel(sectors) }, for: 'host-tools' } },
});
