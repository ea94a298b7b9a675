import { defineCause, excludes, line, minutes, NAMED_VOLUME, proves, supports, withContext } from '../../define-cause.ts';

const SAID_BY = ['pod-events', 'kubelet-log', 'container-log'] as const;
const noDevice = line(
  [
    'failed to find device path',
    'Failed to find device path',
    'no device path for device',
    'could not find device path',
    'Unable to find device',
    'unable to find device path out of attempts',
    'disk not found by',
    'not attached to vm',
    'failed to find disk',
    'timeout waiting for device path',
    'Timeout waiting for mount paths to be created',
    'Could not find attached',
    'device not found with serial',
    'not attached to node',
    'findDiskByLun',
    'attached but not found',
    'disk attached but',
    'device path not found',
    'Failed to find device',
    'failed to get device path',
    'Could not find device path',
    'could not find attached disk',
  ],
  SAID_BY,
  withContext(
    /(?:(?:[Ff]ailed|could not|[Uu]nable) to find|(?:[Ff]ailed|could not|unable) find|could not find) (?:the )?(?:attached |device|disk)[^\n]{0,120}?(?<device>\/dev\/[^\s\\",.:]{2,120})|no device path for device \\*"(?<named>[^"\\\s]{2,120})|[Uu]nable to find device(?: path)?[^\n]{0,60}|disk not found by \w{2,20}[^\n]{0,60}|device not found with serial \w{4,80}|[Tt]imeout waiting for (?:device path|mount paths to be created)|failed to find disk[^\n]{0,80}|disk[^\n]{0,60}not attached to vm|desc = disk: (?<serial>[0-9a-f]{16,64}) not attached to node|findDiskByLun\((?<lun>\d{1,4})\) failed|[Ff]ailed to find device(?=$|[\s.,;"])|disk attached but not found(?: by serial (?<ali>[\w-]{4,80}))?|(?:disk|volume) (?<disk>[\w-]{4,80}) (?:is )?attached but not found|[Cc]ould not find attached disk/,
    { may: [NAMED_VOLUME] },
  ),
);
const enableUuid = line(
  ['disk.EnableUUID', 'disk UUID is not enabled', 'disk.enableUUID'],
  [...SAID_BY, 'control-plane-log'],
  /disk\.[eE]nableUUID|disk UUID is not enabled/,
);
const notAttached = line(['AttachVolume.Attach failed for volume', 'Multi-Attach error for volume'], []);

export const cause = defineCause({
  id: 'volume-device-not-found',
  area: 'storage',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'other-trouble'],
  effectOf: ['cloud-disk-missing-or-stuck'],

  text: {
    name: 'Disk does not appear',
    title: 'The disk of volume {volume} does not appear on {node} ({device})',
    why: 'The volume counts as attached, but the driver does not find its device {device} in the system of {node}: the cloud or hypervisor shows the disk under another name or serial number, udev has made no link yet (rules or /dev of the host not visible in the driver pod), the SCSI bus was not rescanned, or on vSphere disk.EnableUUID is not set for the virtual machine. So nothing can be mounted.',
  },

  clues: {
    noDevice: proves(noDevice),
    enableUuid: supports(enableUuid),
    notAttached: excludes(notAttached),
  },
  says: {
    noDevice: 'the driver does not find the device {device} on the node',
    enableUuid: 'the virtual machine lacks disk.EnableUUID',
    notAttached: 'the volume is not even attached',
  },
  slots: (place, { noDevice: said }) => ({
    node: place.name,
    volume: said?.fields['volume'] ?? 'of the pod',
    device:
      said?.fields['device'] ??
      said?.fields['named'] ??
      said?.fields['serial'] ??
      said?.fields['ali'] ??
      said?.fields['disk'] ??
      (said?.fields['lun'] ? `LUN ${said.fields['lun']}` : undefined) ??
      'by its serial number',
  }),

  fixes: [
    {
      say: 'Compare what is attached with what the node sees',
      risk: 'reads-only',
      steps: [
        {
          say: 'attachment as Kubernetes knows it',
          run: 'kubectl get volumeattachment -o wide | grep -E "NAME|{{volume}}"',
          on: 'cluster',
        },
        { say: 'disks and links of the node', run: 'lsblk -o NAME,SIZE,SERIAL,MOUNTPOINT; ls -l /dev/disk/by-id', on: 'node' },
        { say: 'messages of the kernel about new disks', run: 'dmesg -T | grep -iE "scsi|nvme|attached" | tail', on: 'node' },
      ],
    },
    {
      say: 'Let the node see it: rescan the bus, trigger udev',
      risk: 'touches-node',
      steps: [
        {
          say: 'harmless to disks in use',
          run: 'for h in /sys/class/scsi_host/host*/scan; do echo "- - -" > $h; done; udevadm trigger && udevadm settle',
          on: 'node',
        },
        { say: 'vSphere: power the machine off and set disk.EnableUUID=TRUE in its advanced settings' },
      ],
      verified: 'the link below /dev/disk/by-id exists and the volume mounts',
    },
    {
      say: 'Attach it anew: delete the pod so that the volume is detached and attached again, where the two views differ',
      risk: 'restarts-pods',
      steps: [{ say: 'then watch the attachment', run: 'kubectl get volumeattachment -w', on: 'cluster' }],
      changes: [{ do: 'restart-pods' }],
      verified: 'the link below /dev/disk/by-id exists and the volume mounts',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'aws-ebs-csi-driver pkg/driver/node_linux.go',
    'cloud-provider-openstack pkg/util/mount',
    'vsphere-csi-driver docs: prerequisites',
  ],
});
