import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason                  Age                From               Message
  ----     ------                  ----               ----               -------
  Normal   Scheduled               9m                 default-scheduler  Successfully assigned web/front-84b6c7d9f-p9x2v to pine-2
  Warning  FailedCreatePodSandBox  9s (x31 over 5m)   kubelet            ${message}
`;
const found = (message: string) =>
  ({
    evidence: { 'events.txt': events(message) },
    confidence: 'certain',
    place: 'node pine-2',
    cites: ['events.txt:5'],
    victims: 1,
  }) as const;
const mount =
  'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to create containerd task: failed to mount rootfs component &{overlay overlay [workdir=/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/37/work upperdir=/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/37/fs lowerdir=/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/1/fs]}: invalid argument: unknown';

testCause(cause, {
  finds: {
    'containerd, without the mount in it': found(
      'Failed to create pod sandbox: failed to create shim task: failed to mount rootfs component: no such device: unknown',
    ),
    'XFS without ftype, as containerd says it in a terminal': {
      evidence: {
        'paste.txt':
          'WARN[2024-05-27T22:53:37.502861403+02:00] could not use snapshotter overlayfs in metadata plugin  error="/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs does not support d_type. If the backing filesystem is xfs, please reformat with ftype=1 to enable d_type support"\n',
      },
      confidence: 'certain',
    },
    containerd: found(mount),
    Docker: found(
      'Error: Error response from daemon: error creating overlay mount to /var/lib/docker/overlay2/77aa-init/merged: invalid argument',
    ),
    'the kernel names it': {
      evidence: {
        'events.txt': events(mount),
        'kernel.txt':
          "Jun 03 10:11:12 pine-2 kernel: overlayfs: filesystem on '/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/10/fs' not supported as upperdir\n",
      },
      confidence: 'certain',
      place: 'node pine-2',
      cites: ['kernel.txt:1'],
    },
    'k3s does not start': {
      evidence: {
        'k3s.log':
          'Jun 03 10:11:12 pine-2 k3s[880]: time="2024-06-03T10:11:12Z" level=fatal msg="\\"overlayfs\\" snapshotter cannot be enabled for \\"/var/lib/rancher/k3s/agent/containerd\\", try using \\"fuse-overlayfs\\" or \\"native\\": failed to mount overlay: operation not permitted"\n',
      },
      confidence: 'certain',
    },
    'Docker does not start': {
      evidence: {
        'docker.log':
          'Jun 03 10:11:12 pine-2 dockerd[880]: failed to start daemon: error initializing graphdriver: overlay2: the backing xfs filesystem is formatted without d_type support, which leads to incorrect behavior. Reformat the filesystem with ftype=1 to enable d_type support.\n',
      },
      confidence: 'certain',
      place: 'node pine-2',
    },
    'no module': {
      evidence: {
        'journal.txt': 'Jun 03 10:11:12 pine-2 modprobe[880]: FATAL: Module overlay not found in directory /lib/modules/5.10.0\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a layer is gone': {
      evidence: {
        'events.txt': `${events(mount)}  Warning  Failed  3s  kubelet  Error: failed to create containerd container: failed to stat parent: stat /var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/1/fs: no such file or directory\n`,
      },
      by: 'damaged',
    },
  },
  asks: { 'the kernel log': { evidence: { 'events.txt': events(mount) }, for: 'kernel-log' } },
});
