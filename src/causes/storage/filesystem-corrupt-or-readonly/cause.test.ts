import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/ledger-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            ${message}
`;
const fsck = `MountVolume.MountDevice failed for volume "pvc-1f2e" : 'fsck' found errors on device /dev/sdc but could not correct them: fsck from util-linux 2.37.2
/dev/sdc: Superblock needs_recovery flag is clear, but journal has data.
/dev/sdc: UNEXPECTED INCONSISTENCY; RUN fsck MANUALLY.`;
const kernel = `[81234.112233] EXT4-fs error (device dm-3): ext4_find_entry:1455: inode #2: comm java: reading directory lblock 0
[81234.112240] Aborting journal on device dm-3-8.
[81234.112250] EXT4-fs (dm-3): Remounting filesystem read-only
`;

testCause(cause, {
  finds: {
    'a database gets errors from below': {
      evidence: {
        'ledger.log':
          '$ kubectl -n shop logs ledger-0\n2026-03-04 08:10:57.300 UTC [34] LOG:  could not read from log segment 000000010000000000000001, offset 0: Input/output error\n2026-03-04 08:10:57.358 UTC [34] PANIC:  could not locate a valid checkpoint record\n',
      },
      confidence: 'possible',
    },
    SQLite: {
      evidence: { 'ledger.log': '$ kubectl -n shop logs ledger-0\nlevel=error msg="open /data/ledger.db: disk I/O error"\n' },
      confidence: 'possible',
    },
    'a driver that does not repair': {
      evidence: {
        'describe.txt': events(
          'MountVolume.MountDevice failed for volume "pvc-1f2e" : rpc error: code = Internal desc = Failed to stage volume pvc-1f2e, err: Filesystem issues has been detected and will not be repaired for the volume pvc-1f2e as the fsRepair parameter is not set in the StorageClass.',
        ),
      },
      confidence: 'certain',
    },
    'the superblock is wrong': {
      evidence: {
        'describe.txt': events(
          'MountVolume.MountDevice failed for volume "pvc-1f2e" : rpc error: code = Internal desc = {"code":1,"stdout":"Couldn\'t find valid filesystem superblock.\\n","stderr":"resize2fs: Superblock checksum does not match superblock while trying to open /dev/sdb\\n"}',
        ),
      },
      confidence: 'certain',
    },
    'it cannot be grown': {
      evidence: {
        'describe.txt': events(
          'MountVolume.Setup failed while expanding volume for volume "pvc-1f2e" : Expander.NodeExpand failed to expand the volume : rpc error: code = Internal desc = resize2fs 1.47.0 (5-Feb-2023) resize2fs: Permission denied to resize filesystem',
        ),
      },
      confidence: 'possible',
    },
    'fsck cannot correct it': {
      evidence: { 'describe.txt': events(fsck) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'the kernel sets it read-only': { evidence: { 'dmesg.txt': kernel }, confidence: 'certain' },
    'a journal on a device that takes no writes': {
      evidence: {
        'dmesg.txt':
          '[81234.112233] EXT4-fs (sdc): INFO: recovery required on readonly filesystem\n[81234.112240] EXT4-fs (sdc): write access unavailable, cannot proceed (try mounting with noload)\n',
      },
      confidence: 'certain',
    },
    'not even read-only': {
      evidence: {
        'describe.txt': events(
          'MountVolume.MountDevice failed for volume "pvc-1f2e" : mount failed: exit status 32 Output: mount: /var/lib/kubelet/plugins/x/globalmount: cannot mount /dev/sdc read-only.',
        ),
      },
      confidence: 'possible',
    },
    xfs: {
      evidence: { 'dmesg.txt': '[81234.112233] XFS (rbd0): Corruption of in-memory data detected.  Shutting down filesystem\n' },
      confidence: 'certain',
    },
    'a driver passes it on': {
      evidence: {
        'describe.txt': events(
          'MountVolume.MountDevice failed for volume "pvc-1f2e" : rpc error: code = Internal desc = mount failed: exit status 32 Output: mount: /var/lib/kubelet/plugins/x/globalmount: mount(2) system call failed: Structure needs cleaning.',
        ),
      },
      confidence: 'certain',
    },
    'a program on it': {
      evidence: { 'ledger-0.log': "touch: cannot touch '/srv/ledger/lock': Read-only file system\n" },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'a replica that may not be opened here': {
      evidence: {
        'describe.txt': events(
          'MountVolume.SetUp failed for volume "pvc-1f2e" : rpc error: code = Internal desc = mount failed: exit status 32 Output: mount: can\'t read superblock on /dev/drbd1001.',
        ),
        'dmesg.txt': '[81234.112233] drbd pvc-1f2e/0 drbd1001: Rejected WRITE request, not in Primary role. open_cnt:1\n',
      },
      by: 'notPrimary',
    },
    'repaired since': {
      evidence: { 'dmesg.txt': kernel, 'host.txt': '[root@plover-1 ~]# e2fsck -y /dev/dm-3\nfilesystem successfully repaired\n' },
      by: 'clean',
    },
  },
  asks: { 'the kernel log': { evidence: { 'describe.txt': events(fsck) }, for: 'kernel-log' } },
});
