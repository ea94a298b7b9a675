import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const SAID = ['pod-events', 'kubelet-log'] as const;
const podFolder = line(
  ['error making pod data directories', 'unable to make pod data directories'],
  SAID,
  /making pod data directories[\s\S]{0,300}?(?:(?<path>\/[^\s:"\\]{3,200}): )?(?<error>no space left on device|disk quota exceeded)/i,
);
const written = line(
  ['no space left on device', 'disk quota exceeded'],
  SAID,
  /(?:write|mkdir|open|rename|symlink|create|link|sync|mkdirat|copy|chmod|creating)\s[\\"]{0,4}(?<path>\/\S{0,80}\/kubelet\/(?!pods\/[\w-]{8,60}\/volumes\/kubernetes\.io~(?:csi|nfs|iscsi|rbd|cephfs|glusterfs|local-volume))[^\s:"\\]{0,200})[\\"]{0,4}:? (?<error>no space left on device|disk quota exceeded)/i,
);
const checkpoint = line(
  ['save checkpoint', 'store state to checkpoint', 'write checkpoint', 'write to checkpoint'],
  'kubelet-log',
  /(?:save|store state to|write(?: to)?) checkpoint[\s\S]{0,300}?no space left on device/i,
);
const watches = line('inotify_add_watch', [], /inotify_add_watch[\s\S]{0,200}no space left on device/i);
const cgroupFull = line('/sys/fs/cgroup/', [], /\/sys\/fs\/cgroup\/[^\n]{0,300}no space left on device/);

const KUBELET_DISK = /^\/(?:|var|var\/lib|var\/lib\/kubelet)$/;

export const cause = defineCause({
  id: 'kubelet-disk-root-full',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: [
    'creating',
    'create-error',
    'config-error',
    'pending',
    'failed',
    'node-not-ready',
    'kubelet-down',
    'init-stuck',
    'stuck-terminating',
    'other-trouble',
  ],
  effectOf: ['disk-full-root', 'container-log-disk-or-rotation'],

  text: {
    name: 'Kubelet folder is full',
    title: 'No space left on the disk of the kubelet on {where}: it cannot write {path}',
    why: 'The kubelet makes a folder for every pod, its volumes and its own checkpoints below /var/lib/kubelet. On {where} that filesystem has no space or no inodes left ({error}), so no new pod of the node gets past ContainerCreating, and the kubelet may not even start.',
  },

  clues: {
    podFolder: proves(podFolder, notByContainers),
    written: proves(written, notByContainers),
    checkpoint: proves(checkpoint, notByContainers),
    pressure: supports('node.condition', ({ type, status }) => type === 'DiskPressure' && status === 'True'),
    full: supports(
      'host.filesystem',
      ({ path, usedShare = 0, inodesUsedShare = 0 }) => KUBELET_DISK.test(path) && Math.max(usedShare, inodesUsedShare) >= 0.97,
    ),
    watches: excludes(watches),
    cgroupFull: excludes(cgroupFull),
  },
  says: {
    podFolder: 'the folders of a pod cannot be made: {error}',
    written: 'the kubelet cannot write {path}: {error}',
    checkpoint: 'the kubelet cannot write its checkpoint: {error}',
    pressure: 'the node reports DiskPressure',
    full: 'the filesystem {disk} is {share} full',
    watches: 'the limit of inotify watches says the same words',
    cgroupFull: 'the kernel has no room for more cgroups, the disk is not full',
  },
  slots: (place, { podFolder: folder, written: file, checkpoint: state, full }) => ({
    where: place.kind !== 'Node' || place.name.includes(' ') ? 'this node' : `node ${place.name}`,
    path: folder?.fields['path'] ?? file?.fields['path'] ?? (state ? 'its checkpoint' : 'below /var/lib/kubelet'),
    error: folder?.fields['error'] ?? file?.fields['error'] ?? 'no space left on device',
    disk: full?.path ?? '/',
    share: full ? `${Math.round(Math.max(full.usedShare ?? 0, full.inodesUsedShare ?? 0) * 100)} %` : 'nearly',
  }),

  fixes: [
    {
      say: 'Free space on {where}: find the full filesystem and what fills it',
      risk: 'touches-node',
      steps: [
        { say: 'bytes and inodes', run: 'df -h / /var /var/lib/kubelet; df -i / /var/lib/kubelet', on: 'node' },
        {
          say: 'the largest below it: logs, images, emptyDir of pods, core dumps',
          run: 'du -xhd2 /var 2>/dev/null | sort -h | tail -15; du -xsh /var/lib/kubelet/pods/*/volumes/kubernetes.io~empty-dir 2>/dev/null | sort -h | tail',
          on: 'node',
        },
        {
          say: 'safe to delete: unused images, old journal, packages',
          run: 'crictl rmi --prune; journalctl --vacuum-size=200M',
          on: 'node',
        },
        { say: 'a deleted file that is still open frees nothing until its process ends', run: 'lsof +L1 2>/dev/null | head', on: 'node' },
      ],
      verified: 'df shows room, and new pods of {where} start',
    },
    {
      say: 'Keep it from filling again: limits of ephemeral-storage, log rotation, a larger disk or one of its own for /var/lib/kubelet',
      risk: 'touches-node',
      steps: [
        {
          say: 'eviction thresholds of the kubelet',
          run: "grep -nE -A5 'evictionHard|containerLogMax|imageGC' /var/lib/kubelet/config.yaml",
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['kubernetes pkg/kubelet/kubelet.go (makePodDataDirs)', 'kubernetes pkg/kubelet/checkpointmanager'],
});
