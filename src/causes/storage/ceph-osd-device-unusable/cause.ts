import { defineCause, excludes, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const noDevice = line(
  [
    'failed to read label for',
    '_read_bdev_label failed to open',
    'no disk found with OSD ID',
    'unable to mount object store',
    'erroring opening db',
  ],
  'container-log',
  /failed to read label for (?<path>\/[^\s:]{1,200}): \(2\) No such file or directory|_read_bdev_label failed to open (?<block>\/[^\s:]{1,200}): \(2\) No such file or directory|no disk found with OSD ID (?<osd>\d{1,6})|OSD:init: (?<init>unable to mount object store)|bluestore\((?<store>\/[^)\n]{1,200})\) _open_db erroring opening db/,
);
const otherCluster = line(
  ['belonging to a different ceph cluster', 'belongs to a different ceph cluster', 'osd fsid does not match'],
  'container-log',
  /(?:skipping osd\.(?<osd>\d{1,6}): [\\"]{0,4}[\w-]{1,60}[\\"]{0,4} )?belong(?:ing|s) to a different ceph cluster(?: [\\"]{1,4}(?<cluster>[\w-]{1,60}))?/,
);
const used = line(
  [
    'because it contains a filesystem',
    'Has BlueStore device label',
    'because it has a filesystem',
    'has a filesystem',
    'Insufficient space (',
    'because it is in use',
  ],
  'container-log',
  /skipping device [\\"]{1,4}(?<device>[\w./-]{1,200})[\\"]{1,4} because it contains a filesystem [\\"]{1,4}(?<fs>[\w-]{1,40})|Has BlueStore device label|(?:skipping )?device [\\"]{1,4}(?<skipped>[\w./-]{1,200})[\\"]{1,4}[^\n]{0,80}?(?:Has a FileSystem|Insufficient space \(|because it is in use)/i,
);
const none = line(
  ['no devices matched the storage settings for this node'],
  'container-log',
  /skipping OSD configuration as no devices matched the storage settings for this node [\\"]{0,4}(?<node>[\w.-]{0,253})/,
);
// No channel: it settles it wherever it was printed.
const prepared = line(['prepare done for device', 'ceph-volume lvm activate successful for osd'], []);

export const cause = defineCause({
  id: 'ceph-osd-device-unusable',
  area: 'storage',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'init-crash', 'not-ready', 'failed', 'other-trouble'],

  text: {
    name: 'Ceph cannot use the disk',
    title: 'Ceph has no disk for its OSD: {what}',
    why: 'An OSD (the storage daemon of Ceph) needs a whole disk of its own: an empty one to be made, and the same one again at each start. Here {what}. Without OSDs the cluster has no room, and volumes on it are not made or do not answer.',
  },

  clues: {
    noDevice: proves(noDevice),
    otherCluster: proves(otherCluster),
    used: supports(used),
    none: supports(none),
    prepared: excludes(prepared),
  },
  says: {
    noDevice: 'the disk of the OSD is not there: {path}',
    otherCluster: 'the disk still carries an OSD of another Ceph cluster',
    used: 'it skips {device}, since there is a file system or label on it',
    none: 'no disk of the node fits the storage settings',
    prepared: 'the disk was taken into use since',
  },
  slots: (place, { noDevice: gone, otherCluster: foreign, used: taken, none: nothing }) => ({
    ...namesOf(place),
    path: gone?.fields['path'] ?? gone?.fields['block'] ?? 'of its id',
    device: taken?.fields['device'] ?? taken?.fields['skipped'] ?? 'a disk',
    disk: (taken?.fields['device'] ?? taken?.fields['skipped'])?.replace(/^(?!\/)/, '/dev/') ?? '/dev/DISK',
    what: gone
      ? `the disk of the OSD (${gone.fields['path'] ?? gone.fields['block'] ?? 'of its id'}) is not there: its volume group is not active, or the disk was removed, wiped or failed`
      : foreign
        ? 'the disk still carries an OSD of another, earlier Ceph cluster and was not wiped'
        : taken
          ? `${taken.fields['device'] ?? taken.fields['skipped'] ?? 'the disk'} is skipped because it is not empty (${taken.fields['fs'] ?? (taken.fields['skipped'] ? 'a file system, or too small' : 'a label of an earlier OSD')})`
          : nothing
            ? 'no disk of the node fits the settings: none is empty, or the filter names others'
            : 'no usable disk',
  }),

  fixes: [
    {
      say: 'See the disks of the node, what is on them, and whether the volume groups are active',
      risk: 'reads-only',
      steps: [
        { say: 'disks, file systems, LVM', run: 'lsblk -f; pvs; lvs -o lv_name,vg_name,lv_active; wipefs /dev/DISK', on: 'node' },
        { say: 'errors of the disk', run: 'dmesg -T | grep -iE "I/O error|ata|nvme|offline" | tail', on: 'node' },
        {
          say: 'what the cluster asks for',
          run: 'kubectl -n {{namespace}} get cephcluster -o yaml | grep -nE -A25 "storage:"',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'The disk is there, its volume group is not active: activate it and let the OSD start again',
      risk: 'touches-node',
      steps: [
        { say: 'activate all', run: 'vgscan --mknodes; vgchange -ay', on: 'node' },
        { say: 'then the OSD', run: 'kubectl -n {{namespace}} delete pod -l app=rook-ceph-osd', on: 'cluster' },
      ],
      verified: 'ceph osd tree shows the OSD up',
    },
    {
      say: 'A disk of an earlier cluster or with old data that nobody needs: wipe it, remove /var/lib/rook of the earlier cluster, and restart the operator',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'everything on the disk is lost',
          run: 'sgdisk --zap-all {{disk}}; wipefs --all {{disk}}; dd if=/dev/zero of={{disk}} bs=1M count=100 oflag=direct,dsync',
          on: 'node',
        },
        {
          say: 'the operator prepares it anew',
          run: 'kubectl -n {{namespace}} rollout restart deployment rook-ceph-operator',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['ceph src/os/bluestore/BlueStore.cc (_read_bdev_label), ceph-volume', 'rook pkg/daemon/ceph/osd/daemon.go, volume.go'],
});
