import { defineCause, excludes, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

/** The kubelet compares how the pod uses the volume with what the volume is. */
const misused = line(
  ['has volumeMode Block, but is specified in volumeMounts', 'has volumeMode Filesystem, but is specified in volumeDevices'],
  ['pod-events', 'kubelet-log'],
  /volume (?<volume>[\w.-]{1,253}) has volumeMode (?<mode>Block|Filesystem), but is specified in volume(?:Mounts|Devices)/,
);
const driver = line(
  [
    'no mount capability',
    'block volume provisioning is not supported',
    'does not support block',
    'Block volumes are not supported',
    'block volume not supported',
    'block access type not supported',
    'block access type is not supported',
    'Raw block volume is not supported',
    'Block volume capability not supported',
    'does not support volumeMode',
    'volumeMode Block is not supported',
  ],
  ['pod-events', 'object-events', 'kubelet-log', 'container-log'],
  withContext(
    /(?<error>no mount capability|block volume provisioning is not supported|does not support (?:raw )?block(?: volumes?| volume provisioning| mode)?|(?:raw )?block volumes? (?:capability )?(?:is |are )?not supported|block access type (?:is )?not supported|does not support volumeMode \w{1,20}|volumeMode Block is not supported)/i,
    { may: [NAMED_VOLUME] },
  ),
);

// No channel: it settles it wherever it was printed.
const mapped = line(['MapVolume.MapPodDevice succeeded for volume', 'MapVolume.SetUpDevice succeeded for volume'], []);

export const cause = defineCause({
  id: 'volume-mode-unsupported',
  area: 'storage',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'volume-pending', 'pending', 'other-trouble'],

  text: {
    name: 'Volume mode does not fit',
    title: 'Volume {volume} cannot be used as it is asked for: {error}',
    why: 'A claim asks for a volume as a file system (volumeMode Filesystem, the default, used by volumeMounts) or as a raw device (Block, used by volumeDevices). Here the two sides do not fit: {error}. Not every driver makes raw devices, and a pod must use the volume the way its claim says. The pod waits until one of them changes.',
  },

  clues: {
    misused: proves(misused),
    driver: proves(driver),
    claim: supports('pod.volume', ({ type }) => /^PersistentVolumeClaim/i.test(type)),
    mapped: excludes(mapped),
  },
  says: {
    misused: 'the pod uses the volume in another way than its claim says: {error}',
    driver: 'the storage driver does not know that mode: {error}',
    claim: 'it uses {claim}',
    mapped: 'the device was handed over since',
  },
  slots: (place, { misused: used, driver: refuses, claim }) => ({
    ...namesOf(place),
    volume: used?.fields['volume'] ?? refuses?.fields['volume'] ?? 'of the claim',
    claim: claim ? `claim ${claim.source ?? claim.name}` : 'a claim',
    error: used
      ? `it has volumeMode ${used.fields['mode']}, and the pod names it under ${used.fields['mode'] === 'Block' ? 'volumeMounts' : 'volumeDevices'}`
      : (refuses?.fields['error']?.trim() ?? 'the mode is not supported'),
  }),

  fixes: [
    {
      say: 'See what claim, class and pod say',
      risk: 'reads-only',
      steps: [
        {
          say: 'the mode and the class of each claim',
          run: 'kubectl -n {{namespace}} get pvc -o custom-columns=NAME:.metadata.name,MODE:.spec.volumeMode,CLASS:.spec.storageClassName',
          on: 'cluster',
        },
        {
          say: 'how the pod uses it',
          run: 'kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A4 "volumeMounts|volumeDevices"',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Make both sides fit: volumeMounts for a file system, volumeDevices for a device, and a StorageClass whose driver offers it',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'the mode of a claim cannot be changed: a new claim with volumeMode Filesystem (or another class), then the pod template',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: 'the volume is mounted or mapped, and the container starts',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/volumemanager/populator/desired_state_of_world_populator.go',
    'local-path-provisioner provisioner.go; csi spec VolumeCapability (block, mount)',
  ],
});
