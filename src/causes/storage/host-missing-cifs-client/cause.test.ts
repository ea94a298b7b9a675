import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (output: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/scans-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.MountDevice failed for volume "scans" : rpc error: code = Internal desc = volume(scans) mount "//stor.example/scans" on "/var/lib/kubelet/plugins/kubernetes.io/csi/smb.csi.k8s.io/1f2e/globalmount" failed with mount failed: exit status 32
Mounting command: mount
Mounting arguments: -t cifs -o dir_mode=0777,file_mode=0777,vers=3.0,<masked> //stor.example/scans /var/lib/kubelet/plugins/kubernetes.io/csi/smb.csi.k8s.io/1f2e/globalmount
Output: ${output}
`;
const helper =
  'mount: /var/lib/kubelet/plugins/kubernetes.io/csi/smb.csi.k8s.io/1f2e/globalmount: bad option; for several filesystems (e.g. nfs, cifs) you might need a /sbin/mount.<type> helper program.';
const kernel = `mount error: cifs filesystem not supported by the system
mount error(19): No such device
Refer to the mount.cifs(8) manual page (e.g. man mount.cifs) and kernel log messages (dmesg)`;

testCause(cause, {
  finds: {
    'no helper': {
      evidence: { 'describe.txt': events(helper) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'no kernel module': { evidence: { 'describe.txt': events(kernel) }, confidence: 'certain', place: 'node plover-1' },
    'an old mount names the share': {
      evidence: {
        'note.txt':
          'mount: wrong fs type, bad option, bad superblock on //10.4.0.9/scans, missing codepage or helper program, or other error\n',
      },
      confidence: 'certain',
    },
    'one line of modprobe': {
      evidence: { 'note.txt': 'modprobe: FATAL: Module cifs not found in directory /lib/modules/6.5.0-13-generic\n' },
      confidence: 'certain',
    },
    'a flexvolume script': {
      evidence: {
        'describe.txt': events('').replace(
          /rpc error[\s\S]*/,
          'mount command failed, status: Failure, reason: mount.cifs: command not found\n',
        ),
        'host.txt': '[root@plover-1 ~]# which mount.cifs\n/usr/bin/which: no mount.cifs in (/usr/sbin:/usr/bin)\n',
      },
      confidence: 'certain',
      cites: ['host.txt:2'],
    },
  },
  rulesOut: {
    'wrong password': {
      evidence: {
        'describe.txt': events('mount error(13): Permission denied\nRefer to the mount.cifs(8) manual page'),
        'old.txt': events(helper),
      },
      by: 'helperSpeaks',
    },
  },
  asks: { 'what the host has': { evidence: { 'describe.txt': events(helper) }, for: 'host.tool' } },
});
