import { defineCause, excludes, line, minutes, NAMED_VOLUME, namesOf, proves, withContext } from '../../define-cause.ts';

const SAID_BY = ['pod-events', 'kubelet-log', 'container-log', 'prose'] as const;
const inUse = line(
  [
    'is in use. Cannot proceed with format',
    'which is in use (already mapped or mounted)',
    'luksOpen: Device ',
    'cryptsetup: Device ',
    'Cannot exclusively open',
  ],
  SAID_BY,
  withContext(
    /Device (?<device>\S{1,200}) is in use\. Cannot proceed with format|Cannot use device (?<used>\S{1,200}) which is in use \(already mapped or mounted\)|(?:luksOpen|cryptsetup)[^\n]{0,200}?Device (?<mapped>\S{1,200}) already exists|Cannot exclusively open (?<opened>[^\s,]{1,200}), device in use/,
    { may: [NAMED_VOLUME] },
  ),
);
const noKey = line(
  ['No key available with this passphrase', 'Nothing to read on input', 'missing encryption passphrase', 'failed to get passphrase'],
  SAID_BY,
  withContext(
    /(?<reason>No key available with this passphrase|Nothing to read on input|missing (?:the )?encryption passphrase[^\n]{0,100}|failed to get (?:the )?(?:encryption )?passphrase[^\n]{0,160})/,
    { may: [NAMED_VOLUME] },
  ),
);
const mounted = line('MountVolume.SetUp succeeded for volume', []);

export const cause = defineCause({
  id: 'volume-encryption-fails',
  area: 'storage',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'other-trouble'],
  effectOf: ['host-missing-kernel-module-storage', 'host-missing-lvm-or-dm', 'multipathd-grabs-volume'],

  text: {
    name: 'Encrypted volume cannot be opened',
    title: 'The encrypted volume {volume} (LUKS) cannot be opened: {what}',
    why: 'The storage driver calls cryptsetup on the node to set up or open the encryption of volume {volume} before it mounts it. {detail} The pod waits in ContainerCreating until that works.',
  },

  clues: {
    inUse: proves(inUse),
    noKey: proves(noKey),
    mounted: excludes(mounted),
  },
  says: {
    inUse: 'cryptsetup finds the device {device} in use',
    noKey: 'the passphrase does not open it: {reason}',
    mounted: 'the volume was mounted since',
  },
  slots: (place, { inUse: used, noKey: key }) => {
    const device = used?.fields['device'] ?? used?.fields['used'] ?? used?.fields['mapped'] ?? used?.fields['opened'];
    return {
      namespace: namesOf(place).namespace,
      volume: used?.fields['volume'] ?? key?.fields['volume'] ?? 'of the pod',
      device: device ?? '/dev/DEVICE',
      reason: key?.fields['reason'] ?? 'not found',
      what: used
        ? `its device ${device ?? ''} is in use already: an old mapping, a mount or multipath holds it`
        : 'the passphrase in its Secret is not the one it was encrypted with, or is empty',
      detail: used
        ? 'Here the device, or the mapping of that name, is taken: left over from an earlier mount that was not closed, claimed by multipathd or LVM of the host, or still mounted by another pod.'
        : 'Here the key does not fit: the Secret was made anew or changed after the volume was encrypted, is not the one the StorageClass names, or has a line break at its end.',
    };
  },

  fixes: [
    {
      say: 'See who holds the device and which mappings are open',
      risk: 'reads-only',
      steps: [
        { say: 'disks, mappings and mounts', run: 'lsblk -o NAME,TYPE,FSTYPE,SIZE,MOUNTPOINT {{device}}; dmsetup ls --tree', on: 'node' },
        { say: 'tool and module', run: 'command -v cryptsetup; lsmod | grep dm_crypt', on: 'node' },
        {
          say: 'which Secret the class names for the passphrase',
          run: "kubectl get storageclass -o yaml | grep -iE 'name:|secret|encrypt'",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'A mapping nobody uses any more: close it; the kubelet opens it again at its next try',
      risk: 'touches-node',
      for: ['inUse'],
      steps: [{ say: 'only where lsblk shows no mount below it', run: 'cryptsetup close MAPPING', on: 'node' }],
      verified: 'the kubelet mounts the volume',
    },
    {
      say: 'A passphrase that changed: put the old one back into the Secret',
      risk: 'restarts-pods',
      for: ['noKey'],
      steps: [
        {
          say: 'from a backup; without it the data cannot be read by anybody',
          run: 'kubectl -n {{namespace}} get secrets --sort-by=.metadata.creationTimestamp',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['cryptsetup lib/utils_device.c, lib/setup.c', 'longhorn/longhorn-manager csi/crypto'],
});
