import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (output: string, options = 'vers=3') => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/media-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.SetUp failed for volume "media" : mount failed: exit status 32
Mounting command: mount
Mounting arguments: -t nfs -o ${options} stor.example:/srv/media /var/lib/kubelet/pods/5d0c/volumes/kubernetes.io~nfs/media
Output: ${output}
`;
const statd = `mount.nfs: rpc.statd is not running but is required for remote locking.
mount.nfs: Either use '-o nolock' to keep locks local, or start statd.
mount.nfs: an incorrect mount option was specified`;

testCause(cause, {
  finds: {
    'no rpc.statd': {
      evidence: {
        'describe.txt': events(statd),
        'host.txt':
          'plover-1 $ systemctl status rpc-statd\n● rpc-statd.service - NFS status monitor\n     Loaded: loaded\n     Active: inactive (dead)\n',
      },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'the version is not supported': {
      evidence: { 'describe.txt': events('mount.nfs: Protocol not supported', 'vers=4.1') },
      confidence: 'certain',
      place: 'node plover-1',
    },
    'one bare line': {
      evidence: {
        'note.txt':
          'Mar 04 08:10:57 plover-1 kubelet[1204]: Output: mount.nfs: requested NFS version or transport protocol is not supported\n',
      },
      confidence: 'certain',
    },
    'an option only': {
      evidence: { 'describe.txt': events('mount.nfs: an incorrect mount option was specified', 'vers=4.9') },
      confidence: 'possible',
    },
    'locks fail in the program': {
      evidence: { 'note.txt': 'OSError: [Errno 37] No locks available\n' },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'the server is out of reach by now': {
      evidence: {
        'describe.txt': `${events(statd)}  Warning  FailedMount  3s  kubelet  MountVolume.SetUp failed for volume "media" : mount failed: exit status 32 Output: mount.nfs: Connection timed out\n`,
      },
      by: 'refuses',
    },
  },
  asks: { 'the services of the node': { evidence: { 'describe.txt': events(statd) }, for: 'unit.state' } },
});
