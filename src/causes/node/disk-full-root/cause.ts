import { defineCause, excludes, line, minutes, notByContainers, on, proves, supports, withContext } from '../../define-cause.ts';

const SYSTEM = /^\/(?:|var|var\/lib|var\/log|var\/lib\/(?:containerd|docker|containers|rancher|etcd|kubelet)|run|tmp)$/;
const FULL = 0.985;

const daemonSays = line(
  ['no space left on device', 'disk quota exceeded'],
  ['system-log', 'containerd-log', 'docker-log', 'kubelet-log', 'host-tools', 'control-plane-log', 'pod-events'],
  withContext(
    /(?<![\w.~-])(?<path>\/(?:var\/log|var\/lib\/(?:containerd|docker|containers|etcd|rancher|dpkg|apt|rpm|systemd|cni|calico)|run(?!\/user)|tmp|var\/tmp|var\/run)(?:\/[^\s:"'\\]{0,300})?)["'\\]{0,4}:? (?:[\w ]{0,20}: )?no space left on device/,
    { may: [/(?<pull>\bpull|extract layer|register layer|\bunpack)/] },
  ),
);
const journald = line(
  ['Failed to write entry', 'failed to create new system journal', 'Failed to open system journal'],
  'system-log',
  /(?:Failed to (?:write entry|create new system journal|open system journal|rotate))[^\n]{0,200}?No space left on device/i,
);
const shell = line(
  ['no space left on device', 'cannot create temp file for here-document', 'write error: No space'],
  'host-tools',
  /^(?:-?(?:ba|z)?sh: |cp: |mv: |tar: |mkdir: |touch: |cat: |tee: |dd: |apt-get: |E: |dpkg: |yum: |Error: )[^\n]{0,200}?no space left on device/im,
);
const uncollected = line(
  ['wanted to free ', 'failed to garbage collect required amount of images'],
  ['kubelet-log'],
  /wanted to free \d{3,20}(?: bytes)?, but (?:only )?freed \d{1,20}|failed to garbage collect required amount of images/i,
);
const watches = line(['inotify_add_watch', 'inotify watch', 'add watch'], [], /(?:inotify|add watch)[^\n]{0,200}no space left on device/i);
const cgroups = line(['/sys/fs/cgroup', 'cgroup.procs'], [], /(?:\/sys\/fs\/cgroup|cgroup\.procs)[^\n]{0,300}no space left on device/i);
const namespaces = line(
  ['/proc/self/exe: no space', 'unshare failed'],
  [],
  /(?:fork\/exec \/proc\/self\/exe|unshare failed): no space left on device/i,
);

const sharedMemory = line(
  ['could not resize shared memory', 'posix_fallocate', '/dev/shm'],
  [],
  /(?:shared memory segment|posix_fallocate|\/dev\/shm)[^\n]{0,300}no space left on device/i,
);

export const cause = defineCause({
  id: 'disk-full-root',
  area: 'node',
  at: 'Node',
  maturity: 'stable',
  explains: [
    'node-not-ready',
    'kubelet-down',
    'runtime-down',
    'control-plane-down',
    'creating',
    'create-error',
    'image-pull',
    'evicted',
    'failed',
    'pending',
    'crash-loop',
    'other-trouble',
  ],
  wakesOn: [on('host.filesystem'), on('node.event', { reason: 'FreeDiskSpaceFailed' })],

  text: {
    name: 'Disk of the host is full',
    title: 'The filesystem of {path} on {where} is full ({how}): no space left on device',
    why: 'A filesystem of the host that the system, the runtime or the kubelet writes to has no room left: {path} on {where} ({how}). Containers cannot be created, images not unpacked, logs, locks and states not written; the kubelet reports DiskPressure or ends.',
  },

  clues: {
    full: proves(
      'host.filesystem',
      ({ path, usedShare = 0, inodesUsedShare = 0 }) => SYSTEM.test(path) && Math.max(usedShare, inodesUsedShare) >= FULL,
    ),
    daemonSays: proves(daemonSays, (fact) => notByContainers(fact) && fact.fields['pull'] === undefined),
    journald: proves(journald),
    shell: proves(shell, notByContainers),
    nearly: supports(
      'host.filesystem',
      ({ path, usedShare = 0, inodesUsedShare = 0 }) => SYSTEM.test(path) && Math.max(usedShare, inodesUsedShare) >= 0.95,
    ),
    // The event says the same, and is one witness with its message.
    uncollected: supports(uncollected, ({ channel }) => !channel.endsWith('events')),
    garbage: supports(
      'node.event',
      ({ reason, message }) =>
        reason === 'FreeDiskSpaceFailed' || (reason === 'ImageGCFailed' && /wanted to free|required amount of images/i.test(message)),
    ),
    watches: excludes(watches),
    cgroups: excludes(cgroups),
    namespaces: excludes(namespaces),
    sharedMemory: excludes(sharedMemory),
  },
  says: {
    full: 'df shows the filesystem {path} full: {how}',
    daemonSays: 'a daemon of the host cannot write {file}: no space left on device',
    journald: 'the journal of the host cannot be written: no space left on device',
    shell: 'a command on the host says: no space left on device',
    nearly: 'df shows the filesystem {disk} at {share}',
    uncollected: 'the kubelet cannot free as much as it wants by deleting images',
    garbage: 'the kubelet finds too few unused images to delete (FreeDiskSpaceFailed)',
    watches: 'the limit of inotify watches says the same words',
    cgroups: 'the kernel has no room for more cgroups; the disk is not full',
    namespaces: 'user namespaces are forbidden on the host; the disk is not full',
    sharedMemory: 'the shared memory of the container (/dev/shm) is full, not a disk',
  },
  slots: (place, { full, daemonSays: said, nearly, garbage, uncollected: images }) => {
    const disk = full ?? nearly;
    const inodes = disk !== undefined && (disk.inodesUsedShare ?? 0) > (disk.usedShare ?? 0);
    const share = disk
      ? `${Math.round(Math.max(disk.usedShare ?? 0, disk.inodesUsedShare ?? 0) * 100)} %${inodes ? ' of its inodes' : ''}`
      : 'no room';
    return {
      where: place.kind !== 'Node' || place.name.includes(' ') ? 'this node' : `node ${place.name}`,
      path: full?.path ?? folderOf(said?.fields['path']) ?? nearly?.path ?? (garbage || images ? 'the container images' : '/'),
      file: said?.fields['path']?.slice(0, 120) ?? 'its files',
      how: disk ? `${share} used` : (garbage || images) && !said ? 'the kubelet cannot free enough by deleting images' : 'no space left',
      disk: nearly?.path ?? '/',
      share,
    };
  },

  fixes: [
    {
      say: 'Find what fills {path} and free space on {where}',
      risk: 'touches-node',
      steps: [
        { say: 'which filesystem, in bytes or in inodes', run: 'df -h; df -i', on: 'node' },
        { say: 'the largest folders on it', run: 'du -xhd2 / 2>/dev/null | sort -h | tail -20', on: 'node' },
        { say: 'files that are deleted but still open', run: 'lsof +L1 2>/dev/null | sort -k7 -n | tail', on: 'node' },
        {
          say: 'usual suspects: journal, container logs, unused images, core dumps',
          run: 'journalctl --disk-usage; journalctl --vacuum-size=200M; crictl rmi --prune; du -sh /var/log /var/lib/containerd /var/lib/docker /var/crash 2>/dev/null',
          on: 'node',
        },
      ],
      verified: 'df shows at least 15 % free, and the daemons write again',
    },
    {
      say: 'Start again what ended meanwhile',
      risk: 'restarts-pods',
      steps: [{ say: 'runtime first, then kubelet', run: 'systemctl restart containerd kubelet', on: 'node' }],
    },
    {
      say: 'Keep it so: rotate logs, limit ephemeral-storage, enlarge the disk or put /var/lib on one of its own',
      risk: 'touches-node',
      steps: [
        {
          say: 'limit the journal',
          run: "mkdir -p /etc/systemd/journald.conf.d && printf '[Journal]\\nSystemMaxUse=500M\\n' > /etc/systemd/journald.conf.d/size.conf && systemctl restart systemd-journald",
          on: 'node',
        },
        { say: 'grow the filesystem after the disk was enlarged', run: 'lsblk; df -hT /', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(30) },
  sources: ['Linux errno ENOSPC', 'kubernetes website: concepts/scheduling-eviction/node-pressure-eviction'],
});

/** The file itself says little; the filesystem is that of its first folders. */
function folderOf(path: string | undefined): string | undefined {
  return path?.split('/').slice(0, 4).join('/').slice(0, 120);
}
