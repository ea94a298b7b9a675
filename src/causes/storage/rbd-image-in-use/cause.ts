import { defineCause, excludes, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

const SAID_BY = ['pod-events', 'kubelet-log', 'container-log', 'control-plane-log'] as const;
const inUse = line(
  ['is locked by other nodes', 'maybe locked by other nodes', 'is still being used', 'image still has watchers', 'image has watchers'],
  SAID_BY,
  withContext(
    /rbd: image (?<locked>[^\s\\"]{1,250}) is locked by other nodes|rbd: failed to lock image (?<lock>[^\s\\"]{1,250}) \(maybe locked by other nodes\)|rbd image (?<used>[^\s\\"]{1,250}) is still being used|image (?:still )?has watchers/,
    { may: [NAMED_VOLUME] },
  ),
);
const kernelLock = line(
  ['failed to acquire lock:', 'breaking header lock owned by'],
  'kernel-log',
  /rbd: rbd\d{1,4}: (?:failed to acquire lock: (?<code>-\d{1,3})|breaking header lock owned by client(?<client>\d{1,20}))/,
);
const terminating = supports('pod.symptom', ({ symptom }) => symptom === 'stuck-terminating');
// No channel: mapped by now.
const mounted = line('MountVolume.SetUp succeeded for volume', []);

export const cause = defineCause({
  id: 'rbd-image-in-use',
  area: 'storage',
  at: 'Workload',
  maturity: 'stable',
  explains: ['creating', 'init-stuck'],
  effectOf: ['volume-stuck-unmounting', 'node-unreachable', 'csi-driver-not-registered'],

  text: {
    name: 'RBD image still mapped elsewhere',
    title: 'The RBD image {image} is still locked or mapped by another node',
    why: 'A Ceph block image that is written by one node must not be mapped by a second one. {image} still has a lock or a watcher: the node that had it before has not unmapped it (an old pod or container still holds it, its unmount hangs, or the node went down). The driver refuses to map it where {workload} runs now, and the pod stays in ContainerCreating.',
  },

  clues: {
    inUse: proves(inUse),
    kernelLock: supports(kernelLock),
    terminating,
    mounted: excludes(mounted),
  },
  says: {
    inUse: 'the image {image} is in use by another client',
    kernelLock: 'the kernel cannot get the lock of the image',
    terminating: 'an old pod of the workload hangs in Terminating',
    mounted: 'the volume was mounted since',
  },
  slots: (place, { inUse: said }) => {
    const image = said?.fields['locked'] ?? said?.fields['lock'] ?? said?.fields['used'];
    return {
      workload: place.kind === 'Workload' || place.kind === 'Pod' ? place.name : 'the pod',
      namespace: namesOf(place).namespace,
      image: image ?? (said?.fields['volume'] ? `of volume ${said.fields['volume']}` : 'of the volume'),
      name: image ?? 'POOL/IMAGE',
    };
  },

  fixes: [
    {
      say: 'Find the node that holds the image',
      risk: 'reads-only',
      steps: [
        { say: 'watchers with their addresses, and locks', run: 'rbd status {{name}}; rbd lock ls {{name}}', on: 'node' },
        { say: 'on the node with that address', run: 'rbd showmapped; lsblk | grep rbd; findmnt | grep rbd', on: 'node' },
        {
          say: 'old pods of the workload and their nodes',
          run: 'kubectl -n {{namespace}} get pods -o wide; kubectl get volumeattachment',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Release it there: stop the old pod or container that holds it, then unmount and unmap',
      risk: 'restarts-pods',
      steps: [
        { say: 'end the old pod in good order first', run: 'kubectl -n {{namespace}} delete pod OLD-POD', on: 'cluster' },
        { say: 'leftovers on the old node', run: 'umount /dev/rbdN && rbd unmap /dev/rbdN', on: 'node' },
      ],
      verified: 'rbd status shows no watcher, and the pod starts within two minutes',
    },
    {
      say: 'The old node is dead for certain: take its lock away',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'two writers destroy the file system: make sure that the node is off, and blocklist its address',
          run: 'ceph osd blocklist add OLD-ADDRESS && rbd lock rm {{name}} LOCK-ID LOCKER',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/volume/rbd/rbd_util.go, pull 48457', 'ceph-csi internal/rbd/rbd_util.go', 'ceph-csi issue 5150'],
});
