import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (output: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/scans-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.MountDevice failed for volume "scans" : rpc error: code = Internal desc = volume(scans) mount "//stor.example/scans" on "/var/lib/kubelet/plugins/x/globalmount" failed with mount failed: exit status 32
Mounting command: mount
Mounting arguments: -t cifs -o dir_mode=0777,<masked> //stor.example/scans /var/lib/kubelet/plugins/x/globalmount
Output: ${output}
`;
const denied =
  'mount error(13): Permission denied\nRefer to the mount.cifs(8) manual page (e.g. man mount.cifs) and kernel log messages (dmesg)';

testCause(cause, {
  finds: {
    'Azure Files from a network that is not let in': {
      evidence: {
        'describe.txt': events(
          'mount error(2): No such file or directory\nRefer to the mount.cifs(8) manual page (e.g. man mount.cifs)',
        ).replaceAll('stor.example', 'heron.file.core.windows.net'),
      },
      confidence: 'certain',
    },
    'wrong password': {
      evidence: { 'describe.txt': events(denied) },
      confidence: 'certain',
      place: 'StatefulSet shop/scans',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'no such share': { evidence: { 'describe.txt': events('mount error(2): No such file or directory') }, confidence: 'certain' },
    'one line': { evidence: { 'note.txt': 'mount error(13): Permission denied\n' }, confidence: 'certain' },
    'no such name': {
      evidence: { 'describe.txt': events('mount error: could not resolve address for stor.example: Unknown error') },
      confidence: 'certain',
    },
    'the kernel': {
      evidence: {
        'dmesg.txt':
          '[81234.112233] CIFS: Status code returned 0xc000006d STATUS_LOGON_FAILURE\n[81234.112240] CIFS: VFS: \\\\stor.example Send error in SessSetup = -13\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'no cifs in the kernel': {
      evidence: { 'describe.txt': events(`${denied}\nmount error: cifs filesystem not supported by the system`) },
      by: 'noKernel',
    },
  },
  asks: { 'the kernel log': { evidence: { 'describe.txt': events(denied) }, for: 'kernel-log' } },
});
