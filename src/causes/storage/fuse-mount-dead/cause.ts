import { defineCause, excludes, isWell, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

/** ENOTCONN of a path: only a FUSE mount whose process has ended says so. */
const dead = line(
  ['transport endpoint is not connected', 'software caused connection abort'],
  ['pod-events', 'kubelet-log', 'container-log', 'pod-status', 'host-state'],
  withContext(
    /(?:^|[\s'"‘(])(?<path>\/[^\s'"’:]{1,300})['"’]?: (?<error>[Tt]ransport endpoint is not connected|[Ss]oftware caused connection abort)/,
    { may: [NAMED_VOLUME] },
  ),
);
/** A folder that is there and yet cannot be looked at: stat fails, so the kubelet tries to make it. */
const unseen = line(
  [': file exists'],
  ['pod-events', 'kubelet-log', 'pod-status'],
  withContext(
    /mkdir (?<path>\/[^\s:"']{0,120}kubelet\/(?:plugins\/kubernetes\.io\/csi\/[^\s:"']{1,300}\/globalmount|pods\/[^\s:"']{1,300}kubernetes\.io~(?!nfs)[^\s:"']{1,200})): file exists/,
    { may: [NAMED_VOLUME] },
  ),
);

export const cause = defineCause({
  id: 'fuse-mount-dead',
  area: 'storage',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'create-error', 'crash-loop', 'restarts', 'not-ready', 'stuck-terminating', 'other-trouble'],
  effectOf: ['oom-container-limit', 'csi-driver-not-registered'],

  text: {
    name: 'Mount has lost its file system process',
    title: 'The mount {path} is dead: its file system process has ended ({error})',
    why: 'File systems in user space (FUSE: s3fs, goofys, geesefs, mountpoint-s3, JuiceFS, GlusterFS, CephFS by ceph-fuse, blobfuse, rclone) are served by a process, usually in the pod of the driver. That process has ended or was restarted (memory limit, upgrade of the driver, eviction, crash), and the kernel keeps the mount {path} without anybody behind it: every access fails. Pods on it do not recover by themselves, and new ones cannot be set up over it.',
  },

  clues: {
    dead: proves(dead),
    unseen: supports(unseen),
    claim: supports('pod.volume', ({ type }) => /^(?:PersistentVolumeClaim|CSI|FlexVolume|Glusterfs)/i.test(type)),
    well: excludes('pod.status', isWell),
  },
  says: {
    dead: 'the kernel has the mount {path}, and nobody serves it',
    unseen: 'the folder {path} is there and cannot be looked at: a mount without its file system',
    claim: 'it mounts {claim}',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { dead: known, unseen: stale, claim }) => ({
    ...namesOf(place),
    path: (known ?? stale)?.fields['path'] ?? 'of the volume',
    folder: (known ?? stale)?.fields['path'] ?? 'PATH',
    error: stale && !known ? 'it is there and cannot be looked at' : 'transport endpoint is not connected',
    claim: claim ? `volume ${claim.source ?? claim.name}` : 'a volume',
  }),

  fixes: [
    {
      say: 'See why the process of the mount ended: pods of the driver on that node, their restarts and memory',
      risk: 'reads-only',
      steps: [
        {
          say: 'drivers and mount pods',
          run: 'kubectl get pods -A -o wide | grep -iE "csi|s3|juicefs|gluster|blob|fuse|rclone"',
          on: 'cluster',
        },
        { say: 'killed for memory?', run: 'dmesg -T | grep -iE "out of memory|killed process" | tail', on: 'node' },
        {
          say: 'mounts without a process',
          run: 'mount -t fuse,fuse.s3fs,fuse.juicefs,fuse.glusterfs; df 2>&1 | grep "not connected"',
          on: 'node',
        },
      ],
    },
    {
      say: 'Take the dead mount away and restart the pods that use it, so that the driver mounts anew',
      risk: 'touches-node',
      steps: [
        { say: 'the dead mount', run: 'umount -l {{folder}}', on: 'node' },
        { say: 'then the pods', run: 'kubectl -n {{namespace}} rollout restart {{target}}', on: 'cluster' },
      ],
      verified: 'the path can be listed again and the pod runs',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['Linux fs/fuse/dev.c (ENOTCONN, ECONNABORTED)', 'fuse(8)', 'documentation of JuiceFS CSI, mountpoint-s3 CSI and GlusterFS'],
});
