import { defineCause, excludes, line, minutes, NAMED_VOLUME, proves, supports, withContext } from '../../define-cause.ts';

const fsck = line(
  [
    'found errors on device',
    'RUN fsck MANUALLY',
    'Structure needs cleaning',
    "can't read superblock",
    'cannot mount unformatted disk',
    'Superblock checksum does not match superblock',
    "Couldn't find valid filesystem superblock",
    'Bad magic number in super-block',
    'Filesystem issues has been detected',
    'Filesystem corruption was detected',
    'filesystem is corrupted',
  ],
  ['pod-events', 'kubelet-log', 'container-log', 'kernel-log', 'system-log'],
  withContext(
    /(?:fsck|xfs_repair|e2fsck)'? found errors on device (?<device>\/dev\/[^\s\\"]{1,100})(?: but could not correct)?|(?:(?<part>\/dev\/[^\s:\\"]{1,100}): )?UNEXPECTED INCONSISTENCY; RUN fsck MANUALLY|Superblock checksum does not match superblock while trying to open (?<sum>\/dev\/[^\s\\"]{1,100})|(?<nosuper>Couldn't find valid filesystem superblock)|Bad magic number in super-block while trying to open (?<magic>\/dev\/[^\s\\"]{1,100})|(?<clean>Structure needs cleaning)|(?<refused>Filesystem issues has been detected and will not be repaired|Filesystem corruption was detected|filesystem is corrupted)|can't read superblock on (?<super>\/dev\/[^\s\\".]{1,100})|cannot mount unformatted disk (?<blank>\/dev\/[^\s\\"]{1,100}) as we are manipulating it in read-only/,
    { may: [NAMED_VOLUME] },
  ),
);
const resize = line(
  ['Permission denied to resize filesystem', 'errors in the filesystem, so online resizing', "Please run 'e2fsck -f"],
  ['pod-events', 'kubelet-log', 'container-log', 'kernel-log'],
  withContext(
    /Permission denied to resize filesystem|errors in the filesystem, so online resizing is not allowed|Please run 'e2fsck -f (?<device>\/dev\/[^\s'\\"]{1,100})/,
    { may: [NAMED_VOLUME, /Filesystem at (?<part>\/dev\/[^\s\\"]{1,100}) is mounted/] },
  ),
);
const kernelSays = line(
  [
    'EXT4-fs error (device',
    'Remounting filesystem read-only',
    'Aborting journal on device',
    'Metadata corruption detected',
    'Corruption of in-memory data',
    'Corruption warning: Metadata',
    'Internal error XFS_WANT_CORRUPTED',
    'Please unmount the filesystem and rectify',
    'forced readonly',
    'log mount/recovery failed',
    'xfs_do_force_shutdown',
    'Filesystem has been shut down',
    'log I/O error',
  ],
  ['kernel-log', 'system-log'],
  /EXT[34]-fs error \(device (?<error>[\w-]{2,40})\)|EXT[34]-fs \((?<remount>[\w-]{2,40})\): Remounting filesystem read-only|Aborting journal on device (?<journal>[\w-]{2,40})|XFS \((?<xfs>[\w-]{2,40})\): (?:Metadata corruption|Corruption (?:of in-memory data|warning|detected)|Internal error|Please unmount|log mount\/recovery failed|log I\/O error|xfs_do_force_shutdown|[^\n]{0,60}Filesystem has been shut down)|BTRFS[^\n]{0,20}\(device (?<btrfs>[\w-]{2,40})[^\n]{0,200}forced readonly/,
);
/** What the kubelet says of a mount has causes of its own. */
const appCannot = line(
  ['Read-only file system', 'Input/output error', 'disk I/O error'],
  'container-log',
  /^(?![\s\S]*?MountVolume\.)[\s\S]*?(?:(?<data>could not (?:read|write|fsync|extend|access|open) (?:from |to )?(?:log segment|file|block|directory)|append[- ]only file|RDB file|pg_wal|postmaster\.pid|ibdata1|mongod\.lock|WiredTiger)[^\n]{0,160}?(?<state>Read-only file system(?!\?)|Input\/output error)|(?<sqlite>disk I\/O error)|could not (?:read|write|fsync|extend|access|open) [^\n]{0,200}?: (?<eio>Read-only file system|Input\/output error)|(?<=^|[\s"'‘(=])(?<path>\/(?!(?:proc|sys|dev)\/)[^\s'"‘’:(),]{1,200})['"’:]{0,3} [^\n/]{0,60}?(?<what>Read-only file system(?!\?)|Input\/output error))/i,
);
/** A journal that was not closed has to be replayed, which writes: a device that takes no writes cannot be mounted so. */
const unreplayed = line(
  ['recovery required on readonly filesystem', 'recovery required on read-only device', 'write access unavailable'],
  ['kernel-log', 'system-log', 'pod-events', 'kubelet-log', 'prose'],
  withContext(
    /(?:EXT[34]-fs|XFS) \((?<device>[\w-]{2,40})\): (?:INFO: )?(?:recovery required on read-?only (?:filesystem|device)|write access (?:unavailable|will be enabled))/,
    { may: [NAMED_VOLUME] },
  ),
);
const refusedReadOnly = line(
  ['cannot mount /dev/'],
  ['pod-events', 'kubelet-log', 'prose'],
  withContext(/cannot mount (?<path>\/dev\/[^\s\\"]{1,100}) read-only\./, { may: [NAMED_VOLUME] }),
);
const clean = line('filesystem successfully repaired', []);
/** A replica that may not be written on this node cannot be read either: the file system on it is not at fault. */
const notPrimary = line(['not in Primary role', 'Auto-promote failed'], [], /drbd[^\n]{0,200}(?:not in Primary role|Auto-promote failed)/);

export const cause = defineCause({
  id: 'filesystem-corrupt-or-readonly',
  area: 'storage',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'crash-loop', 'restarts', 'not-ready', 'failed', 'other-trouble'],
  effectOf: ['disk-io-error', 'iscsi-login-or-initiator-conflict', 'ceph-cluster-unhealthy'],

  text: {
    name: 'File system damaged',
    title: 'The file system on {device} is {state} ({node})',
    why: '{how} To protect the data, the kernel refuses to mount a damaged file system or sets a mounted one read-only; programs on it then fail with "Read-only file system" or "Input/output error". It comes from a lost connection to the storage, a disk that fails, a node that went down while writing, or two nodes that had the volume mounted at once.',
  },

  clues: {
    fsck: proves(fsck),
    kernelSays: proves(kernelSays),
    resize: supports(resize),
    unreplayed: proves(unreplayed),
    refusedReadOnly: supports(refusedReadOnly),
    appCannot: supports(appCannot),
    clean: excludes(clean),
    notPrimary: excludes(notPrimary),
  },
  says: {
    fsck: 'mounting stops at the check of the file system on {device}',
    kernelSays: 'the kernel found errors in the file system on {device}',
    resize: 'it cannot be grown: the file system has errors (e2fsck)',
    unreplayed: 'its journal is to be replayed, and the device takes no writes',
    refusedReadOnly: 'mount cannot even mount it read-only',
    appCannot: 'a program cannot write {path}: {what}',
    clean: 'the file system was repaired since',
    notPrimary: 'DRBD does not open the volume on this node',
  },
  slots: (place, { fsck: check, kernelSays: said, unreplayed, refusedReadOnly, appCannot: app }) => {
    const dirty = unreplayed ?? refusedReadOnly;
    const unclean = dirty?.fields['path'] ?? (dirty?.fields['device'] ? `/dev/${dirty.fields['device']}` : undefined);
    const device = deviceIn(check?.fields ?? {}, said?.fields ?? {}) ?? unclean;
    const volume = check?.fields['volume'] ?? dirty?.fields['volume'];
    const blank = check?.fields['blank'] !== undefined;
    return {
      node: place.name,
      device: device ?? (volume ? `volume ${volume}` : 'the volume'),
      path: app?.fields['path'] ?? app?.fields['data'] ?? 'its files',
      what: app?.fields['what'] ?? app?.fields['state'] ?? app?.fields['eio'] ?? app?.fields['sqlite'] ?? 'read-only',
      dev: device ?? '/dev/DEVICE',
      state: blank
        ? 'not there: an unformatted disk is to be mounted read-only'
        : said || check
          ? 'damaged or set read-only'
          : dirty
            ? 'not clean, and cannot be mounted read-only'
            : 'read-only or fails',
      how: blank
        ? `The disk ${device ?? ''} has no file system yet, and the volume is mounted read-only, so the kubelet may not format it.`
        : check
          ? `The check (fsck) before mounting found errors on ${device ?? 'the device'} that it cannot correct by itself.`
          : dirty
            ? 'The file system was not closed cleanly: its journal must be replayed, which writes, and the device or the mount is read-only (readOnly in the pod or volume, a snapshot, a disk attached read-only, or a second node that may only read). Mount it once writable, or with the option noload (ext4) or norecovery (xfs).'
            : said
              ? `The kernel met errors in the file system on ${device ?? 'the device'}.`
              : `A program gets "${app?.fields['what'] ?? 'Read-only file system'}" on its volume.`,
    };
  },

  fixes: [
    {
      say: 'See what the kernel says about the device, and whether the storage below is well',
      risk: 'reads-only',
      steps: [
        { say: 'errors of file systems and disks', run: 'dmesg -T | grep -iE "ext4|xfs|btrfs|I/O error|read-only" | tail -40', on: 'node' },
        {
          say: 'which volume it is, and how it is mounted',
          run: 'lsblk -f; findmnt -o TARGET,SOURCE,OPTIONS | grep -E "kubelet|longhorn"',
          on: 'node',
        },
        { say: 'read-only check', run: 'fsck -n {{dev}}', on: 'node' },
      ],
    },
    {
      say: 'Only a short break of the connection: restart the pods, so that the volume is mounted anew',
      risk: 'restarts-pods',
      steps: [
        { say: 'a read-only mount stays read-only until it is mounted again', run: 'kubectl -n NAMESPACE delete pod POD', on: 'cluster' },
      ],
    },
    {
      say: 'Stop all pods that use the volume and repair it unmounted, after a snapshot or copy',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'scale the workload to 0 and take a snapshot of the volume first',
          run: 'kubectl -n NAMESPACE scale deployment/NAME --replicas=0',
          on: 'cluster',
        },
        { say: 'ext4', run: 'fsck.ext4 -f -y {{dev}}', on: 'node' },
        {
          say: 'xfs: mount once to replay the log; -L throws the log away and may lose the last writes',
          run: 'xfs_repair {{dev}}',
          on: 'node',
        },
      ],
      verified: 'the volume mounts read-write and the kernel stays quiet',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes staging/src/k8s.io/mount-utils/mount_linux.go (checkAndRepairFilesystem, formatAndMount)',
    'linux fs/ext4/super.c, fs/xfs/xfs_fsops.c',
  ],
});

function deviceIn(check: Readonly<Record<string, string>>, said: Readonly<Record<string, string>>): string | undefined {
  const path = check['device'] ?? check['part'] ?? check['super'] ?? check['blank'];
  if (path !== undefined) return path;
  const name = said['error'] ?? said['remount'] ?? said['journal'] ?? said['xfs'] ?? said['btrfs'];
  return name === undefined ? undefined : `/dev/${name.replace(/-8$/, '')}`;
}
