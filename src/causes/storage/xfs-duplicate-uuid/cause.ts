import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

const duplicate = line(
  ['Filesystem has duplicate UUID'],
  ['kernel-log', 'system-log', 'pod-events', 'kubelet-log'],
  /XFS \((?<device>[\w-]{2,40})\): Filesystem has duplicate UUID (?<uuid>[\da-fA-F-]{8,36})/,
);
// No channel: the same volume in use twice is another fault.
const sameVolume = line('Multi-Attach error for volume', []);

export const cause = defineCause({
  id: 'xfs-duplicate-uuid',
  area: 'storage',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'other-trouble'],

  text: {
    name: 'XFS volume is a copy of another',
    title: 'XFS on {device} has the same UUID as a file system that {node} has mounted already',
    why: 'XFS writes a UUID into each file system, and the kernel mounts no second one with the same. A volume restored from a snapshot or cloned from a claim is an exact copy and has the UUID {uuid} of its source; the two meet here because pods of both run on {node}. The data is whole, and mount says no more than "wrong fs type, bad option, bad superblock".',
  },

  clues: {
    duplicate: proves(duplicate),
    sameVolume: excludes(sameVolume),
    started: excludes('pod.event', ({ reason }) => reason === 'Started'),
  },
  says: {
    duplicate: 'the kernel refuses {device}: duplicate UUID {uuid}',
    sameVolume: 'it is the same volume, attached to two nodes',
    started: 'the containers were started since: the volume is mounted',
  },
  slots: (place, { duplicate: said }) => ({
    node: place.kind === 'Node' && !place.name.includes(' ') ? `node ${place.name}` : 'this node',
    device: `/dev/${said?.fields['device'] ?? 'DEVICE'}`,
    uuid: said?.fields['uuid'] ?? 'of its source',
  }),

  fixes: [
    {
      say: 'See which mount has the same UUID',
      risk: 'reads-only',
      steps: [
        { say: 'file systems with their UUID and mount point', run: 'lsblk -o NAME,FSTYPE,UUID,MOUNTPOINT | grep -i {{uuid}}', on: 'node' },
      ],
    },
    {
      say: 'Let the driver mount copies without that check: mountOptions nouuid in the StorageClass of the restored claims (or in the PersistentVolume)',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'mountOptions of a PersistentVolume can be added at once; for later claims put them into the class',
          run: `kubectl patch pv VOLUME --type merge -p '{"spec":{"mountOptions":["nouuid"]}}'`,
          on: 'cluster',
        },
        { say: 'start the pod anew', run: 'kubectl -n NAMESPACE delete pod POD', on: 'cluster' },
      ],
      verified: 'the volume mounts on the same node as its source',
    },
    {
      say: 'Or give the copy a UUID of its own, once, while it is not mounted',
      risk: 'touches-node',
      steps: [
        {
          say: 'a log that is not clean has to be replayed first: mount -o nouuid and unmount again',
          run: 'xfs_admin -U generate {{device}}',
          on: 'node',
        },
      ],
      verified: 'the volume mounts on the same node as its source',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'linux fs/xfs/xfs_mount.c (xfs_uuid_mount)',
    'xfs(5) nouuid; xfs_admin(8)',
    'aws-ebs-csi-driver and topolvm: nouuid for clones',
  ],
});
