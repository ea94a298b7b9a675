import { defineCause, excludes, line, minutes, NAMED_VOLUME, proves, supports, withContext } from '../../define-cause.ts';

const SAID_BY = ['pod-events', 'kubelet-log', 'container-log'] as const;
const noTool = line(
  [
    'executable file not found',
    'mkfs.xfs: not found',
    'mkfs.xfs: command not found',
    'mkfs.ext4: not found',
    'mkfs.ext4: command not found',
    'mkfs.btrfs: command not found',
  ],
  SAID_BY,
  withContext(
    /(?<tool>mkfs\.(?:xfs|ext[234]|btrfs|vfat)|fsck(?:\.\w{2,8})?|xfs_repair|xfs_growfs|resize2fs|blkid|e2fsck)[\\"“”']{0,8}: (?:executable file |command )?not found/,
    { may: [NAMED_VOLUME] },
  ),
);
const contains = line(
  ['it already contains', 'but it contains'],
  SAID_BY,
  withContext(/failed to mount the volume as \\*"(?<wanted>\w{2,20})\\*",? it already contains (?<found>[\w ,]{2,60}?)\./, {
    may: [NAMED_VOLUME],
  }),
);
const unknownType = line(
  'unknown filesystem type',
  SAID_BY,
  withContext(
    /unknown filesystem type [\\'"‘]{1,4}(?<type>xfs|ext[234]|btrfs|f2fs|ntfs3?|exfat|vfat|LVM2_member|crypto_LUKS|linux_raid_member|mpath_member|ceph_bluestore|zfs_member|ddf_raid_member|swap)['’"\\]/,
    {
      may: [NAMED_VOLUME],
    },
  ),
);
const features = line(
  ['Superblock has unknown', 'unsupported optional features', 'has unsupported feature(s)', 'unsupported version, feature'],
  ['kernel-log', 'pod-events', 'kubelet-log'],
  /XFS \((?<xfs>[\w-]{2,40})\): Superblock has unknown (?<kind>[\w -]{4,30}?) features|EXT4-fs \((?<ext>[\w-]{2,40})\): couldn't mount[^\n]{0,60}unsupported optional features|(?<part>\/dev\/[^\s:\\"]{2,60}) has unsupported feature\(s\)/,
);
const formatFails = line(
  ['format of disk', 'Failed to format and mount', 'failed to format'],
  SAID_BY,
  withContext(
    /format of disk \\*"(?<device>\/dev\/[^"\\\s]{1,150})\\*" failed:? ?type:\(\\*"(?<type>\w{2,20})\\*"\)[\s\S]{0,600}?errcode:\((?<error>[^)\n]{2,200})\)/,
    { may: [NAMED_VOLUME] },
  ),
);
const wrongType = line(
  'wrong fs type, bad option, bad superblock on',
  SAID_BY,
  withContext(/wrong fs type, bad option, bad superblock on (?<device>\/dev\/[^\s,\\"]{2,150})/, {
    may: [NAMED_VOLUME, /-t (?<type>ext[234]|xfs|btrfs)\b/],
  }),
);
// No channel: each speaks for another cause, wherever it was printed.
const inUse = line(['is apparently in use by the system', 'already mounted or mount point busy'], []);
const deviceRefuses = line(
  ['cannot open /dev/', 'Unable to open /dev/', 'could not open /dev/', 'while trying to determine filesystem size'],
  [],
  /(?:mkfs|mke2fs)[^\n]{0,200}?(?:(?:cannot|Unable to|could not) open \/dev\/[^\n]{0,300}?|determine filesystem size[^\n]{0,40}?)(?<error>Read-only file system|No such (?:file or directory|device[\w ]{0,20})|Input\/output error|Permission denied|Operation not permitted|No medium found)|(?:cannot|Unable to|could not) open \/dev\/[^\n]{0,300}?while setting up superblock/i,
);
const options = line(
  ['Unrecognized mount option', 'unknown mount option', 'Unknown parameter', 'dir_mode=', 'file_mode='],
  [],
  /(?:EXT4-fs|XFS|BTRFS)[^\n]{0,60}(?:Unrecognized|unknown) mount option|: Unknown parameter '|-t (?:ext[234]|xfs|btrfs) -o \S{0,200}(?:dir_mode|file_mode|uid|gid)=/i,
);

export const cause = defineCause({
  id: 'filesystem-tool-missing-or-wrong-fstype',
  area: 'storage',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'other-trouble'],
  effectOf: ['xfs-duplicate-uuid'],

  text: {
    name: 'File system tools or type',
    title: 'The volume {volume} cannot be formatted or mounted on {node}: {what}',
    why: 'At its first use a block volume is formatted with the mkfs of the node or of the driver, and then mounted with the file system type of its class (fsType). Here {detail}. So the pod stays in ContainerCreating, and trying again does not help.',
  },

  clues: {
    noTool: proves(noTool),
    contains: proves(contains),
    unknownType: proves(unknownType),
    features: proves(features),
    formatFails: proves(formatFails),
    wrongType: supports(wrongType),
    toolMissing: supports(
      'host.tool',
      ({ name, present }) => !present && /^(?:mkfs\.(?:xfs|ext4|btrfs)|xfsprogs|e2fsprogs|fsck|blkid)$/.test(name),
    ),
    inUse: excludes(inUse),
    deviceRefuses: excludes(deviceRefuses),
    options: excludes(options),
  },
  says: {
    noTool: '{tool} was called and is not there',
    contains: 'the volume was formatted with another type before: {type}',
    unknownType: 'the kernel cannot mount {type}',
    features: 'the file system was made by newer tools than this kernel knows',
    formatFails: 'formatting {device} as {type} fails',
    wrongType: 'mount does not take {device} for what it is told: wrong fs type',
    toolMissing: 'the host has no {absent}',
    inUse: 'something else holds the device',
    deviceRefuses: 'the device itself cannot be opened for writing on this node',
    options: 'the mount options do not fit the file system',
  },
  slots: (
    place,
    { noTool: tool, contains: other, unknownType: unknown, features: newer, formatFails: format, wrongType: wrong, toolMissing },
  ) => {
    const type = other?.fields['found']?.trim() ?? unknown?.fields['type'] ?? format?.fields['type'] ?? wrong?.fields['type'] ?? 'its type';
    const device = format?.fields['device'] ?? wrong?.fields['device'] ?? newer?.fields['part'] ?? 'the device';
    const name = tool?.fields['tool'] ?? 'mkfs';
    const member = /_member$|LUKS|swap|bluestore/.test(type);
    const what = tool
      ? `${name} (package ${packageOf(name)}) is missing`
      : other
        ? `it is asked for as ${other.fields['wanted']}, but contains ${type}`
        : unknown
          ? member
            ? `the device carries ${type}, no file system to mount`
            : `the kernel does not know the file system type ${type}`
          : newer
            ? 'its file system has features this kernel does not know'
            : format
              ? `formatting as ${type} fails`
              : 'wrong file system type, bad option or bad superblock';
    return {
      node: place.name,
      volume: [tool, other, unknown, format, wrong].find((fact) => fact?.fields['volume'] !== undefined)?.fields['volume'] ?? 'of the pod',
      tool: name,
      type,
      device,
      dev: device.startsWith('/') ? device : '/dev/DEVICE',
      package: tool && tool.channel !== 'container-log' && /^(?:xfs|e2fs)progs$/.test(packageOf(name)) ? packageOf(name) : '',
      absent: toolMissing?.name ?? name,
      what,
      detail: what.replace(/^its /, 'the '),
    };
  },

  fixes: [
    {
      say: 'See what is on the device, and what the node has',
      risk: 'reads-only',
      steps: [
        {
          say: 'type on the device; tools; types the kernel knows',
          run: 'blkid {{dev}}; lsblk -f; command -v mkfs.xfs mkfs.ext4; cat /proc/filesystems; uname -r',
          on: 'node',
        },
        { say: 'why mount says no', run: 'dmesg -T | tail -20', on: 'node' },
        { say: 'fsType of the class and of the volume', run: 'kubectl get sc,pv -o yaml | grep -n -iE "fstype|name:"', on: 'cluster' },
      ],
    },
    {
      say: 'Install the file system tools on {node} (for drivers that use those of the host)',
      risk: 'touches-node',
      for: ['noTool', 'toolMissing'],
      steps: [
        { say: 'Debian, Ubuntu', run: 'apt-get update && apt-get install -y xfsprogs e2fsprogs', on: 'node', family: 'debian' },
        { say: 'RHEL, Rocky, Alma, Fedora, Amazon', run: 'yum install -y xfsprogs e2fsprogs', on: 'node', family: 'rhel' },
        { say: 'SUSE', run: 'zypper install -y xfsprogs e2fsprogs', on: 'node', family: 'suse' },
        { say: 'Alpine', run: 'apk add xfsprogs e2fsprogs', on: 'node', family: 'alpine' },
        { say: 'Arch', run: 'pacman -S --noconfirm xfsprogs e2fsprogs', on: 'node', family: 'arch' },
      ],
      changes: [
        {
          do: 'package',
          names: { debian: '{{package}}', rhel: '{{package}}', suse: '{{package}}', alpine: '{{package}}', arch: '{{package}}' },
          command: '{{tool}}',
        },
      ],
      verified: 'the kubelet formats and mounts the volume by itself',
    },
    {
      say: 'Use the type that is on the device: set fsType of the class and volume to {type}, or give the claim a fresh volume',
      risk: 'moves-pods',
      for: ['contains', 'wrongType'],
      steps: [
        {
          say: 'the type of an existing PersistentVolume cannot be edited: with reclaim policy Retain make it anew',
          run: 'kubectl get pv PV -o yaml > pv.yaml',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'A disk with leftovers of LVM, LUKS or RAID: wipe it only when its data is not needed',
      risk: 'may-lose-data',
      steps: [{ say: 'shows the signatures; with -a it removes them for good', run: 'wipefs {{dev}}', on: 'node' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes staging/src/k8s.io/mount-utils/mount_linux.go (formatAndMount)',
    'util-linux sys-utils/mount.c',
    'linux fs/xfs/xfs_mount.c',
  ],
});

function packageOf(tool: string): string {
  if (/xfs/.test(tool)) return 'xfsprogs';
  if (/btrfs/.test(tool)) return 'btrfs-progs';
  return tool === 'blkid' ? 'util-linux' : 'e2fsprogs';
}
