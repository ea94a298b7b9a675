import { defineCause, excludes, excludesEverywhere, line, minutes, needs, proves, supports } from '../../define-cause.ts';

const busy = line(
  ['already mounted or mount point busy', 'is apparently in use by the system', 'multipathd is running with a known issue'],
  ['pod-events', 'container-log', 'kubelet-log'],
  /(?:(?<device>\/dev\/[^\s\\":]{1,200}) already mounted or mount point busy|(?<used>\/dev\/[^\s\\":]{1,200}) is apparently in use by the system|multipathd is running with a known issue)/,
);
/** Drivers format what they have just made or attached. */
const freshDevice = line(
  ['already mounted or mount point busy', 'is apparently in use by the system'],
  ['pod-events', 'container-log', 'kubelet-log'],
  /\/dev\/longhorn\/[^\s\\":]{1,200} (?:already mounted|is apparently in use)|\/dev\/(?:drbd\d{1,6}|disk\/by-[^\s\\":]{1,200}|sd[a-z]{1,3}|nvme\d{1,3}n\d{1,3}) is apparently in use by the system; will not make a filesystem/,
);
const holder = line(
  ['multipath ', 'multipathd '],
  'host-tools',
  /(?:^|\s)multipathd?\s+\d{1,8}\s[\s\S]{0,120}\bBLK\b[\s\S]{0,80}(?<device>\/dev\/[\w/.-]{2,60})/,
);
const mapped = line(
  ['IET,VIRTUAL-DISK', 'IET     ,VIRTUAL-DISK'],
  'host-tools',
  /(?<!\S)(?<map>\S{1,80}) \(\S{1,80}\) dm-\d{1,4} IET\s{0,8},VIRTUAL-DISK/,
);
/** Any vendor's disk that a map has taken; it counts beside a device that is busy. */
const path = line(
  ['active ready running', 'active undef running'],
  'host-tools',
  /\d{1,5}:\d{1,5}:\d{1,5}:\d{1,10}\s{1,8}(?<disk>[a-z]{2,10}\d{0,4})\s{1,8}\d{1,5}:\d{1,6}\s{1,8}active (?:ready|undef)/,
);
const condition = line('multipathd is running with a known issue', 'objects');
const reallyMounted = line('is mounted; will not make a', ['container-log', 'pod-events'], /is mounted; will not make a filesystem here/);

export const cause = defineCause({
  id: 'multipathd-grabs-volume',
  area: 'storage',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'other-trouble'],

  text: {
    name: 'multipathd holds the volume',
    title: 'The daemon multipathd on {node} holds {device}',
    why: 'The daemon multipathd takes every new disk for a path to a SAN and puts a device-mapper device on top of it, {device} of the storage driver included. Then the disk is in use, and formatting or mounting it fails with "already mounted or mount point busy" or "apparently in use by the system", although no pod has it mounted.',
  },

  clues: {
    busy: needs(busy),
    holder: proves(holder),
    mapped: proves(mapped),
    condition: proves(condition),
    path: supports(path),
    freshDevice: supports(freshDevice),
    daemon: supports('unit.state', ({ unit, active }) => /^multipathd/.test(unit) && active === 'active'),
    reallyMounted: excludesEverywhere(excludes(reallyMounted)),
  },
  says: {
    busy: 'the device {device} is said to be in use',
    holder: 'multipathd has the disk open: {held}',
    mapped: 'multipath has made a map of a Longhorn disk: {map}',
    condition: 'Longhorn itself reports multipathd on this node',
    path: 'multipath has taken the disk {path} for a path of its own',
    freshDevice: 'it is a fresh device of the storage driver, which nobody else should use',
    daemon: 'multipathd runs on this node',
    reallyMounted: 'the device is really mounted somewhere on this host',
  },
  slots: (place, { busy: said, holder: open, mapped: mapping, path: taken }) => ({
    node: place.name,
    device: said.fields['device'] ?? said.fields['used'] ?? 'the disk',
    path: taken?.fields['disk'] ?? 'of the volume',
    held: open?.fields['device'] ?? 'the disk',
    map: mapping?.fields['map'] ?? 'a map',
  }),

  fixes: [
    {
      say: 'See whether multipath holds the disk on {node}',
      risk: 'reads-only',
      steps: [
        { say: 'maps it has made', run: 'multipath -ll; lsblk', on: 'node' },
        { say: 'who has the disk open', run: 'lsof {{device}}; systemctl is-active multipathd', on: 'node' },
      ],
    },
    {
      say: 'Blacklist the disks of the storage driver in /etc/multipath.conf',
      risk: 'touches-node',
      steps: [
        {
          say: 'a node with a real SAN needs a narrower rule than all sd disks: blacklist by vendor instead (Longhorn: vendor "IET", product "VIRTUAL-DISK")',
          run: 'printf \'blacklist {\\n    device {\\n        vendor "IET"\\n        product "VIRTUAL-DISK"\\n    }\\n}\\n\' >> /etc/multipath.conf && systemctl restart multipathd',
          on: 'node',
        },
        { say: 'the map that exists already', run: 'multipath -ll; multipath -f MAP', on: 'node' },
        { say: 'the kubelet tries again by itself; on every node the same', run: 'multipath -t | grep -n -A6 blacklist', on: 'node' },
      ],
      verified: 'multipath -ll no longer lists the disk, and the volume mounts',
    },
    {
      say: 'Or switch multipathd off on nodes without a SAN',
      risk: 'touches-node',
      steps: [
        {
          say: 'stop, disable and mask it',
          run: 'systemctl disable --now multipathd.socket multipathd.service && systemctl mask multipathd.service',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'longhorn knowledge base: troubleshooting volume with multipath',
    'longhorn-manager controller/monitor/environment_check_monitor.go',
    'longhorn issue 1210',
  ],
});
