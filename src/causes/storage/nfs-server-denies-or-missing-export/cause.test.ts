import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (output: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/media-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.SetUp failed for volume "media" : mount failed: exit status 32
Mounting command: mount
Mounting arguments: -t nfs stor.example:/srv/media /var/lib/kubelet/pods/5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11/volumes/kubernetes.io~nfs/media
Output: ${output}
`;
const denied = 'mount.nfs: access denied by server while mounting stor.example:/srv/media';

testCause(cause, {
  finds: {
    'a cloud file system with a policy': {
      evidence: {
        'describe.txt': events(
          `Could not start amazon-efs-mount-watchdog, unrecognized init system "aws-efs-csi-dri"\nb'mount.nfs4: access denied by server while mounting 127.0.0.1:/'`,
        ).replace('-t nfs', '-t efs'),
      },
      confidence: 'certain',
    },
    'a cloud file system, half a paste': {
      evidence: { 'note.txt': 'Could not start amazon-efs-mount-watchdog, unrecognized init system "aws-efs-csi-dri"\n' },
      confidence: 'possible',
    },
    'access denied': {
      evidence: { 'describe.txt': events(denied) },
      confidence: 'certain',
      place: 'StatefulSet shop/media',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'no such directory': {
      evidence: {
        'describe.txt': events('mount.nfs: mounting stor.example:/srv/media failed, reason given by server: No such file or directory'),
      },
      confidence: 'certain',
      place: 'StatefulSet shop/media',
    },
    'through a CSI driver': {
      evidence: {
        'describe.txt': `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/media-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.SetUp failed for volume "pvc-1f2e" : rpc error: code = Internal desc = mount failed: exit status 32 Mounting command: mount Mounting arguments: -t nfs 10.4.0.90:/export/a /var/lib/kubelet/pods/5d0c/volumes/kubernetes.io~csi/pvc-1f2e/mount Output: mount.nfs: access denied by server while mounting 10.4.0.90:/export/a
`,
      },
      confidence: 'certain',
    },
    'not permitted': { evidence: { 'describe.txt': events('mount.nfs: Operation not permitted') }, confidence: 'possible' },
  },
  rulesOut: {
    'the server is out of reach by now': {
      evidence: {
        'describe.txt': `${events(denied)}  Warning  FailedMount  3s  kubelet  MountVolume.SetUp failed for volume "media" : mount failed: exit status 32 Output: mount.nfs: Connection timed out\n`,
      },
      by: 'unreachable',
    },
    'the mount helper does not get as far': {
      evidence: {
        'note.txt':
          'Could not start amazon-efs-mount-watchdog, unrecognized init system "aws-efs-csi-dri"\nFailed to locate an available port in the range [20049, 20449], try specifying a different port range\n',
      },
      by: 'otherReason',
    },
  },
  asks: {
    'the events, after a line of the kubelet': {
      evidence: { 'note.log': `Mar 04 08:10:57 plover-1 kubelet[1204]: Output: ${denied}\n` },
      for: 'pod-events',
    },
  },
});
