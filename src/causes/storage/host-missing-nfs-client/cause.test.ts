import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (output: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/media-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.SetUp failed for volume "media" : mount failed: exit status 32
Mounting command: mount
Mounting arguments: -t nfs -o vers=4.1 stor.example:/srv/media /var/lib/kubelet/pods/5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11/volumes/kubernetes.io~nfs/media
Output: ${output}
`;
const modern =
  'mount: /var/lib/kubelet/pods/5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11/volumes/kubernetes.io~nfs/media: bad option; for several filesystems (e.g. nfs, cifs) you might need a /sbin/mount.<type> helper program.';
const old = `mount: wrong fs type, bad option, bad superblock on stor.example:/srv/media,
       missing codepage or helper program, or other error
       (for several filesystems (e.g. nfs, cifs) you might
       need a /sbin/mount.<type> helper program)`;

testCause(cause, {
  finds: {
    'the old words, cut off': {
      evidence: {
        'note.txt':
          'mount: wrong fs type, bad option, bad superblock on stor.example:/srv/media, missing codepage or helper program, or other error\n',
      },
      confidence: 'possible',
    },
    'a recent mount': {
      evidence: { 'describe.txt': events(modern) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'an old mount under systemd-run': {
      evidence: {
        'describe.txt': events(`Running scope as unit: run-r3a1.scope\n${old}`)
          .replace('Mounting command: mount', 'Mounting command: systemd-run')
          .replace('-t nfs -o', '--description=Kubernetes transient mount for /var/lib/kubelet/pods/5d0c --scope -- mount -t nfs -o'),
      },
      confidence: 'certain',
      place: 'node plover-1',
    },
    'the host says so as well': {
      evidence: {
        'describe.txt': events(modern),
        'host.txt':
          '[root@plover-1 ~]# which mount.nfs\n/usr/bin/which: no mount.nfs in (/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin)\n',
      },
      confidence: 'certain',
      cites: ['host.txt:2'],
    },
    'a driver that calls it by name': {
      evidence: {
        'describe.txt': `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/media-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.SetUp failed for volume "media" : rpc error: code = Internal desc = exec: "mount.nfs": executable file not found in $PATH
`,
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'mount.nfs is there, the server refuses': {
      evidence: {
        'describe.txt': events('mount.nfs: access denied by server while mounting stor.example:/srv/media'),
        'host.txt':
          '[root@plover-1 ~]# mount -t nfs stor.example:/srv/media /mnt\nmount: /mnt: bad option; for several filesystems (e.g. nfs, cifs) you might need a /sbin/mount.<type> helper program.\n',
        'old.txt': events(modern),
      },
      by: 'helperSpeaks',
    },
    'mounted since; the network fails': {
      evidence: {
        'describe.txt': `${events(modern)}  Warning  FailedCreatePodSandBox  2s  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "1d1f": plugin type="calico" failed (add): Unauthorized\n`,
      },
      by: 'sandbox',
    },
  },
  asks: {
    'what the host has': { evidence: { 'describe.txt': events(modern) }, for: 'host.tool' },
  },
});
