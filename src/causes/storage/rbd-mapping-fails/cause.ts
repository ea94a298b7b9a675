import { defineCause, excludes, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

const CHANNELS = ['pod-events', 'object-events', 'kubelet-log', 'container-log'] as const;
const notFound = line(
  [
    'map failed: (2) No such file or directory',
    'rbd: error opening image',
    'rbd: error opening pool',
    'RBD image not found',
    'image not found: RBD',
    'not found in Ceph cluster',
    'pool not found:',
  ],
  CHANNELS,
  withContext(
    /(?<error>map failed: \(2\) No such file or directory|rbd: error opening image [\w./-]{1,200}: \(2\) No such file or directory|rbd: error opening pool '?(?<pool>[\w.-]{1,100})'?: \(2\)|RBD image not found|pool ID\(\d{1,12}\) not found in Ceph cluster|pool not found: [^\n"]{1,80})/,
    { may: [NAMED_VOLUME, /map(?:ping)?(?: image)? (?<image>[\w.-]{1,100}\/[\w.-]{1,200})/] },
  ),
);
const noDev = line(
  ['is not accessible, is host /dev mounted'],
  CHANNELS,
  withContext(/mapping succeeded but (?<device>\/dev\/rbd\d{1,4}) is not accessible, is host \/dev mounted/, { may: [NAMED_VOLUME] }),
);
/** The built-in driver calls the program of the host, or of the container that kube-controller-manager runs in. */
const noProgram = line(
  ['executable file not found in $PATH'],
  [...CHANNELS, 'control-plane-log'],
  withContext(/rbd[^\n]{0,120}?\(?executable file not found in \$PATH/, { may: [NAMED_VOLUME] }),
);
const failed = line(
  ['rbd: map failed', 'rbd: sysfs write failed'],
  [...CHANNELS, 'prose'],
  withContext(
    /(?<error>rbd: map failed: \((?!2\))\d{1,3}\) [^\n]{3,80}|rbd: map failed with error an error \(exit status \d{1,3}\)|rbd: map failed (?:exit status|with error) [^\n]{1,80}|rbd: sysfs write failed)/,
    { may: [NAMED_VOLUME, /(?<timeout>exit status 110\b|Connection timed out)/] },
  ),
);
// No channel: a mount that succeeds settles it wherever it was printed.
const mounted = line(['MountVolume.MountDevice succeeded for volume', 'successfully mounted'], [], /MountVolume\.MountDevice succeeded/);

export const cause = defineCause({
  id: 'rbd-mapping-fails',
  area: 'storage',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'volume-pending', 'other-trouble'],
  effectOf: ['ceph-client-not-authorized', 'ceph-cluster-unhealthy', 'kubelet-root-dir-nonstandard', 'rbd-image-features-unsupported'],

  text: {
    name: 'RBD image cannot be mapped',
    title: 'The Ceph image of volume {volume} cannot be mapped on the node: {what}',
    why: 'To mount a Ceph block volume (RBD) the node plugin maps its image to a device such as /dev/rbd0. Here {what}. {reason} The pod stays in ContainerCreating until that is cured.',
  },

  clues: {
    notFound: proves(notFound),
    noDev: proves(noDev),
    noProgram: supports(noProgram),
    failed: supports(failed),
    mounted: excludes(mounted),
  },
  says: {
    notFound: 'Ceph does not find the image or its pool: {error}',
    noProgram: 'the program rbd is called and is not there',
    noDev: 'the image is mapped, but the plugin does not see its device: {error}',
    failed: 'the kernel of the node does not map the image: {error}',
    mounted: 'the volume was mounted since',
  },
  slots: (place, { notFound: gone, noDev: unseen, noProgram: missing, failed: refused }) => {
    const lacks = missing !== undefined && !gone && !unseen;
    const unmapped = refused !== undefined && !gone && !unseen && !lacks;
    const late = refused?.fields['timeout'] !== undefined;
    const device = unseen?.fields['device'] ?? '/dev/rbd0';
    return {
      ...namesOf(place),
      volume:
        gone?.fields['volume'] ?? unseen?.fields['volume'] ?? missing?.fields['volume'] ?? refused?.fields['volume'] ?? 'of the claim',
      image: gone?.fields['image'] ?? 'POOL/IMAGE',
      error: unseen ? `${device} is not accessible` : ((gone ?? refused)?.fields['error']?.trim() ?? 'not found'),
      what: lacks
        ? 'the program rbd (package ceph-common) is missing'
        : unseen
          ? 'its device does not show up inside the plugin'
          : unmapped
            ? late
              ? 'the monitors or OSDs of Ceph do not answer the node (timeout)'
              : 'the kernel of the node refuses it; dmesg on the node says why'
            : 'Ceph does not find the image or the pool',
      reason: lacks
        ? 'The built-in RBD driver calls rbd on the node, or inside the container of kube-controller-manager or kubelet, which has its own programs: install ceph-common there, or use the CSI driver (ceph-csi), which brings its own.'
        : unseen
          ? 'The pod of the plugin needs /dev and /sys of the host and must be privileged; a distribution with paths of its own (MicroK8s, k0s, a snap) needs them in the manifest of the plugin.'
          : unmapped
            ? 'Most often the node does not reach the monitors (3300, 6789) or the OSDs (6800 to 7300) of Ceph, the image has features or a messenger version (msgr2) that its kernel does not know, or the key of the client is refused.'
            : 'The image or pool was deleted, renamed or is in another cluster or namespace than the volume says (clusterID and monitors of the driver, a restored PersistentVolume), or the user of the node may not see it.',
    };
  },

  fixes: [
    {
      say: 'Compare what the volume names with what Ceph has',
      risk: 'reads-only',
      steps: [
        {
          say: 'handle, pool and cluster of the volume',
          run: 'kubectl get pv {{volume}} -o yaml | grep -nE "volumeHandle|pool|clusterID|imageName"',
          on: 'cluster',
        },
        { say: 'images of the pool', run: 'kubectl -n rook-ceph exec deploy/rook-ceph-tools -- rbd ls -p POOL', on: 'cluster' },
        { say: 'devices and messages of the node', run: 'ls -l /dev/rbd*; dmesg | tail', on: 'node' },
      ],
    },
    {
      say: 'Where the device is missing: give the node plugin /dev and /sys of the host and the kubelet directory of this distribution',
      risk: 'restarts-pods',
      steps: [{ say: 'its DaemonSet', run: 'kubectl get daemonsets -A | grep -i rbd', on: 'cluster' }],
      verified: 'the pod starts with its volume',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['ceph src/tools/rbd/action/Kernel.cc, src/krbd.cc', 'ceph-csi internal/rbd/errors.go, internal/rbd/rbd_attach.go'],
});
