import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  9m                 default-scheduler  Successfully assigned web/front-84b6c7d9f-p9x2v to pine-2
  Warning  Failed     9s (x31 over 5m)   kubelet            ${message}
`;
const found = (message: string) =>
  ({
    evidence: { 'events.txt': events(message) },
    confidence: 'certain',
    place: 'node pine-2',
    cites: ['events.txt:5'],
    victims: 1,
  }) as const;
const gone =
  'Error: failed to create containerd container: failed to create prepare snapshot dir: failed to create temp dir: stat /data/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots: no such file or directory';
const layer =
  'Error: failed to create containerd container: failed to stat parent: stat /var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/21/fs: no such file or directory';
const df = `[root@pine-2 ~]# df -h
Filesystem      Size  Used Avail Use% Mounted on
/dev/sda2        40G   12G   28G  30% /
/dev/nvme1n1    200G  1.5G  199G   1% /var/lib/containerd
`;

testCause(cause, {
  finds: {
    'no snapshot folder': found(gone),
    'Docker cannot write a blob': found(
      'Failed to pull image "registry.example.net/web/front:3": rpc error: code = Unknown desc = open /var/lib/docker/tmp/GetImageBlob314159: no such file or directory',
    ),
    'containerd cannot take in content': found(
      'Failed to pull image "registry.example.net/web/front:3": failed to copy: mkdir /var/lib/containerd/io.containerd.content.v1.content/ingest/77aa10: no such file or directory',
    ),
    'layers gone, and a disk mounted there': {
      evidence: {
        'events.txt': events(layer),
        'pine-2.txt': df,
        'journal.txt': 'Jun 03 10:11:12 pine-2 systemd[1]: Mounted /var/lib/containerd.\n',
      },
      confidence: 'probable',
      place: 'node pine-2',
    },
    'the folder was moved': {
      evidence: {
        'events.txt': events(gone),
        'config.toml': 'version = 2\nroot = "/data/containerd"\nstate = "/run/containerd"\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the disk is full': {
      evidence: {
        'events.txt': `${events(gone)}  Warning  Failed  3s  kubelet  Error: failed to create containerd container: mkdir /var/lib/containerd/x: no space left on device\n`,
      },
      by: 'full',
    },
  },
  asks: { 'what is mounted': { evidence: { 'events.txt': events(gone) }, for: 'host-state' } },
});
