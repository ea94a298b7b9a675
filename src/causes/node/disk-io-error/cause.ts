import { defineCause, excludes, line, minutes, notByContainers, on, proves, supports } from '../../define-cause.ts';

const block = line(
  [
    'I/O error, dev ',
    'blk_update_request: I/O error',
    'blk_update_request: critical',
    'Buffer I/O error on',
    'critical medium error, dev',
    'Medium Error',
    'Unrecovered read error',
    'Disk failure on',
    'lost page write due to I/O error',
    'Detected IO errors while flushing',
  ],
  'kernel-log',
  /(?:I\/O error, dev (?<device>(?!fd\d|sr\d)[\w-]{1,40})(?:,|\s)|critical (?:medium|target|nexus|space allocation) error, dev (?<critical>(?!fd\d|sr\d)[\w-]{1,40})|Buffer I\/O error on (?:dev|device) (?<buffer>(?!fd\d|sr\d)[\w-]{1,40})|\[(?<scsi>[a-z0-9]{2,12})\][^\n]{0,40}(?:Sense Key : Medium Error|Unrecovered read error)|Disk failure on (?<raid>(?!fd\d|sr\d)[\w-]{1,40})|lost page write due to I\/O error on (?<page>(?!fd\d|sr\d)[\w-]{1,40})|Detected IO errors while flushing file data on (?<flush>[\w-]{1,40}))/i,
);
const bus = line(
  [
    'timeout, aborting',
    'timeout, reset controller',
    'controller is down; will reset',
    'failed command: READ',
    'failed command: WRITE',
    'ata bus error',
    'exception Emask',
    'rejecting I/O to offline device',
    'rejecting I/O to dead device',
    'Device not ready; aborting reset',
    'FAILED Result: hostbyte=',
    'commands to complete for scsi',
  ],
  'kernel-log',
  /(?:(?<nvme>nvme\d{1,3}): I\/O [\w() ]{1,40} timeout, (?:aborting|reset)|timeout, (?:aborting|reset controller)|controller is down; will reset|Device not ready; aborting reset|failed command: (?:READ|WRITE)|exception Emask|rejecting I\/O to (?:offline|dead) device|FAILED Result: hostbyte=DID_(?!OK)\w{2,30}|(?<raid>[a-z_]{3,20}sas) [\w:.]{3,20}: \[ {0,4}\d{1,4}\] ?waiting for \d{1,5} commands to complete for scsi)/,
);
const filesystem = line(
  [
    'EXT4-fs error',
    'metadata I/O error',
    'Corruption of in-memory data',
    'Corruption detected',
    'Remounting filesystem read-only',
    'BTRFS error',
    'BTRFS critical',
    'Aborting journal on device',
    'Filesystem has been shut down',
    'I/O Error Detected',
  ],
  'kernel-log',
  /(?:EXT4-fs error \(device (?<ext>[\w-]{1,40})\)|EXT4-fs \((?<readonly>[\w-]{1,40})\): Remounting filesystem read-only|Aborting journal on device (?<journal>[\w-]{1,40})|XFS \((?<xfs>[\w-]{1,40})\): [^\n]{0,80}?(?:metadata I\/O error|I\/O Error Detected|Corruption (?:of in-memory data )?detected|Filesystem has been shut down)|BTRFS (?:error|critical) \(device (?<btrfs>[\w-]{1,40})[^)\n]{0,60}\))/i,
);
const daemon = line(
  ['input/output error', 'read-only file system'],
  ['kubelet-log', 'containerd-log', 'docker-log', 'system-log', 'pod-events'],
  /(?<path>(?:\/(?:var|run)|(?<!mkdir )\/(?:etc|data))\/[^\s:"\\]{1,300})[\\"]{0,4}: (?<error>input\/output error|read-only file system)/i,
);
const smart = line(
  [
    'SMART overall-health self-assessment test result',
    'SMART Health Status',
    'FAILED SMART self-check',
    'Currently unreadable (pending) sectors',
    'Offline uncorrectable sectors',
  ],
  ['host-tools', 'system-log'],
  /self-assessment test result: FAILED|Health Status: (?!OK)|FAILED SMART self-check|\d{1,9} (?:Currently unreadable \(pending\)|Offline uncorrectable) sectors/i,
);
const network = line(
  ['detected conn error', 'session recovery timed out', 'not responding, still trying', 'not responding, timed out', 'rbd: rbd0'],
  [],
  /(?:connection\d{1,4}:\d{1,4}: detected conn error|session\d{1,6}: session recovery timed out|nfs: server \S{1,100} not responding|rbd: rbd\d{1,4}: (?:read|write) [^\n]{0,60}result -)/,
);

export const cause = defineCause({
  id: 'disk-io-error',
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
    'crash-loop',
    'restarts',
    'not-ready',
    'stuck-terminating',
    'image-pull',
    'failed',
    'other-trouble',
  ],
  wakesOn: [on('node.condition', { type: 'ReadonlyFilesystem', status: 'True' })],

  text: {
    name: 'Disk is failing',
    title: '{disk} of {where} fails: {what}',
    why: 'The kernel of {where} cannot read from or write to {device}: {what}. Whatever needs that disk hangs, fails with "input/output error" or finds its filesystem remounted read-only: images, container folders, etcd, the kubelet itself. Usually the disk, its cable or controller, or the virtual disk below is broken.',
  },

  clues: {
    block: proves(block, notByContainers),
    filesystem: supports(filesystem, notByContainers),
    bus: supports(bus, notByContainers),
    smart: proves(smart),
    daemon: supports(daemon, notByContainers),
    readOnly: supports('host.filesystem', ({ readOnly }) => readOnly === true),
    detector: supports(
      'node.condition',
      ({ type, status }) => /^(?:ReadonlyFilesystem|DiskReadonly|XfsShutdown|Ext4Error)/.test(type) && status === 'True',
    ),
    network: excludes(network),
  },
  says: {
    block: 'the kernel reports I/O errors on {device}',
    filesystem: 'the kernel finds the filesystem on {device} damaged or shuts it down',
    bus: 'commands to the disk time out or are refused ({device})',
    smart: 'the disk reports itself as failing (SMART)',
    daemon: 'a daemon gets: {error} ({path})',
    readOnly: 'a filesystem of the host is mounted read-only: {mount}',
    detector: 'the node problem detector reports: {condition}',
    network: 'a network disk has lost its connection; the local disk is not at fault',
  },
  slots: (place, { block: errors, filesystem: damaged, bus: slow, daemon: said, readOnly, detector }) => {
    const named = [errors, damaged, slow]
      .flatMap((fact) => (fact ? Object.values(fact.fields) : []))
      .find((value) => value !== undefined && value !== '');
    return {
      where: place.kind !== 'Node' || place.name.includes(' ') ? 'this node' : `node ${place.name}`,
      condition: detector?.type ?? 'ReadonlyFilesystem',
      device: named ?? 'a disk',
      disk: named ? `Disk ${named}` : 'A disk',
      what: errors
        ? 'the kernel reports I/O errors'
        : damaged
          ? 'the kernel reports filesystem and I/O errors'
          : slow
            ? 'its commands time out or fail'
            : said
              ? `programs get "${said.fields['error']?.toLowerCase() ?? 'input/output error'}"`
              : detector
                ? 'a filesystem of the host has turned read-only'
                : 'its self-test (SMART) says so',
      error: said?.fields['error']?.toLowerCase() ?? 'input/output error',
      path: said?.fields['path']?.slice(0, 120) ?? 'its files',
      mount: readOnly?.path ?? '/',
    };
  },

  fixes: [
    {
      say: 'Look at the errors and at the health of the disk',
      risk: 'reads-only',
      steps: [
        {
          say: 'which device, since when',
          run: "dmesg -T | grep -iE 'I/O error|medium error|ext4-fs error|XFS|nvme|ata[0-9]' | tail -30; lsblk -o NAME,SIZE,TYPE,MOUNTPOINT,MODEL",
          on: 'node',
        },
        {
          say: 'health (package smartmontools, nvme-cli)',
          run: 'smartctl -H -A /dev/sda; nvme smart-log /dev/nvme0 2>/dev/null',
          on: 'node',
        },
      ],
    },
    {
      say: 'Move the pods off {where} and back up what lies only there (etcd, local volumes)',
      risk: 'moves-pods',
      steps: [{ say: 'cordon and drain', run: 'kubectl drain NODE --ignore-daemonsets --delete-emptydir-data', on: 'cluster' }],
    },
    {
      say: 'Replace the disk {device} (or the virtual machine) and check the filesystem while it is not mounted',
      risk: 'may-lose-data',
      steps: [
        { say: 'never on a mounted filesystem; xfs_repair for XFS', run: 'fsck -n /dev/DEVICE', on: 'node' },
        { say: 'then install the node anew or mount it again and uncordon' },
      ],
      verified: 'dmesg stays free of I/O errors under load',
    },
  ],

  verify: { quietForMinutes: minutes(60) },
  sources: ['Linux block/blk-core.c, fs/ext4/super.c, fs/xfs/xfs_fsops.c, drivers/nvme/host/pci.c'],
});
