import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (output: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/media-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.SetUp failed for volume "media" : mount failed: exit status 32
Mounting command: mount
Mounting arguments: -t nfs -o vers=4.1 stor.example:/srv/media /var/lib/kubelet/pods/5d0c/volumes/kubernetes.io~nfs/media
Output: ${output}
`;

testCause(cause, {
  finds: {
    'a cloud file system without a mount target': {
      evidence: {
        'describe.txt': events(
          'Failed to resolve "fs-0a1b2c3d.efs.eu-west-1.amazonaws.com" - check that your file system ID is correct, and ensure that the VPC has an EFS mount target for this file system ID.',
        ).replace('-t nfs', '-t efs'),
      },
      confidence: 'certain',
    },
    'a cloud file system that does not answer': {
      evidence: {
        'describe.txt': events('Mount attempt 1/3 failed due to timeout after 15 sec, wait 0 sec before next attempt.').replace(
          '-t nfs',
          '-t efs',
        ),
      },
      confidence: 'certain',
    },
    'a mount point that nobody can look into': {
      evidence: {
        'paste.txt':
          "error while creating mount source path '/var/lib/kubelet/pods/0a1b/volumes/kubernetes.io~nfs/shelf': mkdir /var/lib/kubelet/pods/0a1b/volumes/kubernetes.io~nfs/shelf: file exists\n",
      },
      confidence: 'possible',
    },
    'a timeout': {
      evidence: { 'describe.txt': events('mount.nfs: Connection timed out') },
      confidence: 'certain',
      place: 'StatefulSet shop/media',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'a name that does not resolve': {
      evidence: { 'describe.txt': events('mount.nfs: Failed to resolve server stor.example: Name or service not known') },
      confidence: 'certain',
    },
    'one bare line': { evidence: { 'note.txt': 'mount.nfs4: Connection refused\n' }, confidence: 'certain' },
    'a cloud file system': {
      evidence: {
        'describe.txt': events(
          'Connection to the mount target IP address 10.4.1.35 timeout. Please retry in 5 minutes if the mount target is newly created. Otherwise check your VPC and security group configuration to ensure your file system is reachable via TCP port 2049 from your instance.',
        ).replace('-t nfs', '-t efs'),
      },
      confidence: 'certain',
    },
    'the kernel waits': {
      evidence: { 'dmesg.txt': '[81234.112233] nfs: server 10.4.0.90 not responding, still trying\n' },
      confidence: 'certain',
    },
    'a provisioner cannot connect': {
      evidence: { 'note.txt': 'E0304 08:10:57.000000       1 mount.go:12] dial tcp 10.4.0.90:2049: connect: no route to host\n' },
      confidence: 'certain',
    },
    'stale handles': {
      evidence: { 'note.txt': "stat: cannot statx '/srv/media': Stale file handle\nclnt_create: RPC: Program not registered\n" },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it is back': {
      evidence: {
        'dmesg.txt': '[81234.112233] nfs: server 10.4.0.90 not responding, still trying\n[81240.112233] nfs: server 10.4.0.90 OK\n',
      },
      by: 'answersAgain',
    },
    'the server refuses by now': {
      evidence: {
        'describe.txt': `${events('mount.nfs: Connection timed out')}  Warning  FailedMount  3s  kubelet  MountVolume.SetUp failed for volume "media" : mount failed: exit status 32 Output: mount.nfs: access denied by server while mounting stor.example:/srv/media\n`,
      },
      by: 'refusesNow',
    },
  },
  asks: {
    'the kernel log': { evidence: { 'describe.txt': events('mount.nfs: Connection timed out') }, for: 'kernel-log' },
  },
});
