import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const IMAGE = 'registry.example.net/shop/cart:14';
const events = (reason: string, message: string) => `Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  5m                 default-scheduler  Successfully assigned shop/cart-84b6c7d9f-p9x2v to elm-3
  Warning  ${reason}     3m (x4 over 5m)    kubelet            ${message}
`;
const found = (reason: string, message: string) =>
  ({
    evidence: { 'events.txt': events(reason, message) },
    confidence: 'certain',
    place: 'node elm-3',
    cites: ['events.txt:5'],
    victims: 1,
  }) as const;
const digest = `Failed to pull image "${IMAGE}": failed to pull and unpack image "${IMAGE}": failed to commit layer: unexpected commit digest sha256:0b1c9f, expected sha256:77aa10: failed precondition`;

testCause(cause, {
  finds: {
    'an archive whose layers have other ids': {
      evidence: {
        'paste.txt':
          '$ ctr -n k8s.io images import cart.tar\nctr: wrong diff id calculated on extraction "sha256:3f1c0d9be6f1a4dd5d4b5e2f1f0a9c8b7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a"\n',
      },
      confidence: 'certain',
    },
    'a layer that unpigz cannot unpack': found(
      'Failed',
      `Failed to pull image "${IMAGE}": failed to pull and unpack image "${IMAGE}": failed to extract layer sha256:7a6b5c4d3e2f: exit status 1: unpigz: skipping: <stdin>: corrupted -- crc32 mismatch`,
    ),
    'the digest does not match': found('Failed', digest),
    'Docker cannot link a layer': found(
      'Failed',
      `Failed to pull image "${IMAGE}": rpc error: code = Unknown desc = failed to register layer: symlink ../0b1c2d/diff /var/lib/docker/overlay2/l/ABCDEFGHIJ: no such file or directory`,
    ),
    'cut short on the way': found(
      'Failed',
      `Failed to pull image "${IMAGE}": failed to copy: unexpected commit size 1044480, expected 31357624: failed precondition`,
    ),
    'Docker, a layer is not what it should be': found(
      'Failed',
      `Failed to pull image "${IMAGE}": rpc error: code = Unknown desc = filesystem layer verification failed for digest sha256:77aa10`,
    ),
    'a parent snapshot without its folder': found(
      'Failed',
      'Error: failed to create containerd container: failed to stat parent: stat /var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/214/fs: no such file or directory',
    ),
    'a snapshot the index does not know': found(
      'Failed',
      'Error: failed to create containerd container: error unpacking image: parent snapshot sha256:77aa10b4 does not exist: not found',
    ),
    'a sandbox without the pause layer': found(
      'FailedCreatePodSandBox',
      'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to create containerd container: failed to create snapshot: missing parent "k8s.io/9/sha256:e171" bucket: not found',
    ),
    'Docker, the overlay folder is broken': found(
      'InspectFailed',
      `Failed to inspect image "${IMAGE}": rpc error: code = Unknown desc = Error response from daemon: readlink /var/lib/docker/overlay2: invalid argument`,
    ),
    'CRI-O, a layer is not known': found('Failed', 'Error: creating read-write layer with ID "5d1e": layer not known'),
    'an archive cut short': found(
      'Failed',
      `Failed to pull image "${IMAGE}": failed to extract layer sha256:77aa10: flate: corrupt input before offset 5`,
    ),
    'an archive that is no archive, to this runtime': {
      ...found(
        'Failed',
        `Failed to pull image "${IMAGE}": failed to extract layer sha256:77aa10: archive/tar: invalid tar header: unknown`,
      ),
      confidence: 'possible' as const,
    },
    'an empty library, and a disk with errors': {
      evidence: {
        'pods.txt': `NAMESPACE   NAME     READY   STATUS             RESTARTS      AGE   IP         NODE
shop        cart-0   0/1     CrashLoopBackOff   6 (1m ago)    9m    10.0.0.7   elm-3
`,
        'log.txt': `$ kubectl -n shop logs cart-0\n/app/cart: error while loading shared libraries: libssl.so.3: file too short\n`,
        'elm-3-dmesg.txt': `[root@elm-3 ~]# dmesg -T | tail -2
[Fri Aug  9 03:10:44 2024] EXT4-fs error (device sda2): ext4_lookup:1705: inode #131: comm cart: iget: checksum invalid
`,
      },
      confidence: 'probable',
      place: 'node elm-3',
    },
  },
  rulesOut: {
    'the disk is full': {
      evidence: {
        'events.txt': `${events('Failed', digest)}  Warning  Failed     2m    kubelet            Failed to pull image "${IMAGE}": failed to extract layer sha256:0d1e: write /var/lib/containerd/x: no space left on device: unknown\n`,
      },
      by: 'full',
    },
    'the whole store is gone': {
      evidence: {
        'events.txt': `${events('Failed', 'Error: failed to create containerd container: failed to stat parent: stat /data/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/7/fs: no such file or directory')}  Warning  Failed     2m    kubelet            Error: failed to create containerd container: failed to create prepare snapshot dir: failed to create temp dir: stat /data/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots: no such file or directory\n`,
      },
      by: 'wholeStore',
    },
  },
  asks: { 'what the program says': { evidence: { 'events.txt': events('Failed', digest) }, for: 'container-log' } },
});
