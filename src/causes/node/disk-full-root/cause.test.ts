import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const df = (share: string, path: string) =>
  `[root@alder ~]# df -h\nFilesystem      Size  Used Avail Use% Mounted on\n/dev/vda1        40G   40G     0 ${share} ${path}\n`;
const containerd = (message: string) =>
  `Mar 04 08:10:57 alder containerd[650]: time="2026-03-04T08:10:57.118Z" level=error msg="${message}"\n`;
const shim = containerd(
  'failed to create task: open /run/containerd/io.containerd.runtime.v2.task/k8s.io/4f3b2a1c/log: no space left on device',
);

testCause(cause, {
  finds: {
    'the kubelet finds nothing to delete': {
      evidence: {
        'node.txt':
          '$ kubectl describe node alder\nName:               alder\nEvents:\n  Type     Reason               Age                     From     Message\n  ----     ------               ----                    ----     -------\n  Warning  FreeDiskSpaceFailed  2m46s (x3041 over 11d)  kubelet  failed to garbage collect required amount of images. Wanted to free 41585983488 bytes, but freed 0 bytes\n',
      },
      confidence: 'possible',
      place: 'node alder',
    },
    'images that cannot be deleted': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 alder kubelet[5119]: E0304 08:10:57.353673    5119 kubelet.go:1302] "Image garbage collection failed multiple times in a row" err="wanted to free 6607811379 bytes, but freed 0 bytes space with errors in image deletion: [rpc error: code = Unknown desc = conflict: unable to delete 8427ca8443f7]"\n',
      },
      confidence: 'possible',
      place: 'node alder',
    },
    'df shows it': { evidence: { 'df.txt': df('100%', '/') }, confidence: 'certain', place: 'node alder', cites: ['df.txt:3'] },
    'no inode is left': {
      evidence: {
        'df.txt':
          '[root@alder ~]# df -i\nFilesystem      Inodes   IUsed   IFree IUse% Mounted on\n/dev/vda1      2621440 2621440       0  100% /var\n',
      },
      confidence: 'certain',
    },
    'containerd cannot write': { evidence: { 'containerd.log': shim }, confidence: 'certain', place: 'node alder' },
    'the journal cannot be written': {
      evidence: {
        'messages.txt':
          'Mar 04 08:10:57 alder systemd-journald[310]: Failed to write entry (9 items, 312 bytes), ignoring: No space left on device\n',
      },
      confidence: 'certain',
    },
    'the shell says it': {
      evidence: { 'host.txt': '[root@alder ~]# mkdir /srv/x\nmkdir: cannot create directory ‘/srv/x’: No space left on device\n' },
      confidence: 'certain',
    },
    'nearly full': {
      evidence: {
        'df.txt': df('96%', '/'),
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'inotify says so': {
      evidence: { 'containerd.log': shim + containerd('inotify_add_watch /etc/cni/net.d: no space left on device') },
      by: 'watches',
    },
    'too many cgroups': {
      evidence: { 'containerd.log': `${shim}${containerd('mkdir /sys/fs/cgroup/memory/kubepods/pod1: no space left on device')}` },
      by: 'cgroups',
    },
    'no user namespaces': {
      evidence: { 'containerd.log': `${shim}${containerd('fork/exec /proc/self/exe: no space left on device')}` },
      by: 'namespaces',
    },
    'the shared memory of a database': {
      evidence: {
        'host.txt':
          '[root@alder ~]# tar: could not write: No space left on device\nERROR:  could not resize shared memory segment "/PostgreSQL.1182" to 8388608 bytes: No space left on device\n',
      },
      by: 'sharedMemory',
    },
  },
  asks: { 'how full it is': { evidence: { 'containerd.log': shim }, for: 'host-state' } },
});
