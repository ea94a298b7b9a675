import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = (message: string) => `$ kubectl -n shop describe pod cart-0
Name:             cart-0
Namespace:        shop
Node:             alder/10.7.0.9
Status:           Pending
Events:
  Type     Reason       Age                From     Message
  ----     ------       ----               ----     -------
  Warning  Failed       8s (x4 over 55s)   kubelet  ${message}
`;
const folder = described(
  'error making pod data directories: mkdir /var/lib/kubelet/pods/1b7cb0ee-7be7-4e7b-9df3-9f1f22a3c6a1: no space left on device',
);
const df = (share: string, path: string) =>
  `[root@alder ~]# df -h\nFilesystem      Size  Used Avail Use% Mounted on\n/dev/vda1        40G   40G     0 ${share} ${path}\n`;
const kubelet = (message: string) => `Mar 04 08:10:57 alder kubelet[901]: E0304 08:10:57.118402     901 ${message}\n`;

testCause(cause, {
  finds: {
    'a pod whose folder cannot be made': {
      evidence: { 'pod.txt': folder, 'df.txt': df('100%', '/') },
      confidence: 'certain',
      place: 'node alder',
      cites: ['pod.txt:9'],
    },
    'the event alone': { evidence: { 'pod.txt': folder }, confidence: 'certain', place: 'node alder' },
    'a checkpoint that cannot be written': {
      evidence: {
        'kubelet.log': kubelet(
          'state_checkpoint.go:158] "Failed to save checkpoint" err="could not write checkpoint: no space left on device"',
        ),
        'df.txt': df('100%', '/var'),
        'node.txt':
          '$ kubectl describe node alder\nName:               alder\nConditions:\n  Type             Status  LastHeartbeatTime                 LastTransitionTime                Reason                       Message\n  ----             ------  -----------------                 ------------------                ------                       -------\n  DiskPressure     True    Wed, 04 Mar 2026 08:10:11 +0000   Wed, 04 Mar 2026 08:00:11 +0000   KubeletHasDiskPressure       kubelet has disk pressure\n',
      },
      confidence: 'certain',
      place: 'node alder',
    },
    'a file of a projected volume': {
      evidence: {
        'kubelet.log': kubelet(
          'nestedpendingoperations.go:348] Operation for "kube-api-access-7x2lq" failed: MountVolume.SetUp failed for volume "conf" : write /var/lib/kubelet/pods/1b7cb0ee-7be7-4e7b-9df3-9f1f22a3c6a1/volumes/kubernetes.io~configmap/conf/..2026_03_04/app.conf: no space left on device',
        ),
        'df.txt': df('100%', '/'),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'inotify says so': {
      evidence: {
        'kubelet.log': kubelet(
          'x.go:1] inotify_add_watch /var/lib/kubelet/pki: no space left on device open /var/lib/kubelet/pki: no space left on device',
        ),
      },
      by: 'watches',
    },
    'too many cgroups': {
      evidence: {
        'kubelet.log':
          kubelet('x.go:1] mkdir /sys/fs/cgroup/memory/kubepods/burstable/pod7: no space left on device') +
          kubelet('x.go:1] error making pod data directories: no space left on device'),
      },
      by: 'cgroupFull',
    },
  },
  asks: { 'how full the disk is': { evidence: { 'pod.txt': folder }, for: 'host-state' } },
});
