import { defineCause, excludes, line, minutes, NAMED_VOLUME, proves, supports, withContext } from '../../define-cause.ts';

const foreign = line(
  'wrong fs type, bad option, bad superblock',
  ['pod-events', 'kubelet-log', 'container-log'],
  withContext(
    /-t (?<type>ext[234]|xfs|btrfs) (?:[^\n]{0,20})?-o (?<options>[^\s]{0,200}?(?:dir_mode|file_mode|uid|gid|nfsvers|vers|mfsymlinks|nolock|actimeo|cache|nobrl|sec)=[^\s]{0,200})[\s\S]{0,900}?wrong fs type, bad option/,
    { may: [NAMED_VOLUME] },
  ),
);
const kernelSays = line(
  ['Unrecognized mount option', 'unknown mount option', 'Unknown parameter', 'Unknown mount option', 'fuse: unknown option'],
  ['kernel-log', 'pod-events', 'kubelet-log', 'container-log'],
  /(?:EXT4-fs|XFS|BTRFS|CIFS|NFS|ext4|xfs|btrfs|cifs|nfs4?|ceph|libceph|fuse|tmpfs|9p)\b[^\n]{0,60}?(?:Unrecognized mount option|[Uu]nknown (?:mount )?(?:option|parameter)(?:\(s\))?)[: ]{1,2}[['"`]{0,2}-?-?(?<option>[\w.,:=-]{1,80})/,
);
const guess = line(
  'wrong fs type, bad option, bad superblock on /dev/',
  ['pod-events', 'kubelet-log'],
  /wrong fs type, bad option, bad superblock on (?<device>\/dev\/[^\s,\\"]{2,100})/,
);
const noHelper = line(
  ['Mounting arguments: -t', 'mount -t cifs', 'mount -t nfs', 'unknown filesystem type'],
  [],
  /-t (?:nfs4?|cifs|smb3) |unknown filesystem type/,
);

export const cause = defineCause({
  id: 'volume-mount-options-rejected',
  area: 'storage',
  at: 'Workload',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'other-trouble'],

  text: {
    name: 'Mount options rejected',
    title: 'The mount options of volume {volume} do not fit its file system{type}: {options}',
    why: 'The StorageClass or PersistentVolume passes mountOptions on to mount as they are, and the file system{type} does not know one of them ({options}). Options such as uid, gid, dir_mode and file_mode are for SMB (Azure Files, CIFS) only, nfsvers and nolock for NFS; a disk with ext4 or xfs refuses them with "wrong fs type, bad option, bad superblock". The disk itself is well.',
  },

  clues: {
    foreign: proves(foreign),
    kernelSays: proves(kernelSays),
    guess: supports(guess),
    noHelper: excludes(noHelper),
  },
  says: {
    foreign: 'options of another kind of volume are passed: {options}',
    kernelSays: 'the file system names the option it does not know: {options}',
    guess: 'mount says: wrong fs type, bad option or bad superblock',
    noHelper: 'a network file system: its helper or type is missing',
  },
  slots: (_place, { foreign: given, kernelSays: said }) => {
    return {
      volume: given?.fields['volume'] ?? 'of the pod',
      pv: given?.fields['volume'] ?? 'VOLUME',
      type: given?.fields['type'] ? ` (${given.fields['type']})` : '',
      options: said?.fields['option'] ?? given?.fields['options'] ?? 'see the mount arguments',
    };
  },

  fixes: [
    {
      say: 'See the options and who sets them',
      risk: 'reads-only',
      steps: [
        {
          say: 'of classes and volumes',
          run: 'kubectl get sc,pv -o custom-columns=KIND:.kind,NAME:.metadata.name,OPTIONS:.mountOptions,PVOPTIONS:.spec.mountOptions',
          on: 'cluster',
        },
        { say: 'the kernel names the option it refuses', run: 'dmesg -T | grep -iE "mount option|unknown parameter" | tail', on: 'node' },
      ],
    },
    {
      say: 'Remove the options that do not fit from mountOptions: of the PersistentVolume for this volume, of the StorageClass for later ones',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'this volume',
          run: 'kubectl patch pv {{pv}} --type json -p \'[{"op":"remove","path":"/spec/mountOptions"}]\'',
          on: 'cluster',
        },
        {
          say: 'a StorageClass cannot be edited: delete it and create it anew without them',
          run: 'kubectl get sc CLASS -o yaml > class.yaml',
          on: 'cluster',
        },
        { say: 'ownership on a disk is set by fsGroup and runAsUser in the securityContext of the pod, not by uid and gid options' },
      ],
      verified: 'the volume mounts at the next try of the kubelet',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes staging/src/k8s.io/mount-utils/mount_linux.go',
    'linux fs/ext4/super.c, fs/xfs/xfs_super.c',
    'kubernetes docs: mount options',
  ],
});
