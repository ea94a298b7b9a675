import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['object-events', 'container-log', 'pod-events', 'prose'] as const;
const tooSoon = line(
  [
    'VolumeModificationRateExceeded',
    'maximum modification rate per volume',
    'IncorrectModificationState',
    'in modification state OPTIMIZING',
  ],
  SAID_BY,
  /(?<error>VolumeModificationRateExceeded|maximum modification rate per volume limit|IncorrectModificationState|cannot be modified in modification state \w{4,20})/,
);
const notByClass = line(
  ['only dynamically provisioned pvc can be resized'],
  SAID_BY,
  /(?<error>only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize)/i,
);
const smaller = line(
  ['field can not be less than'],
  SAID_BY,
  /(?<error>spec\.resources\.requests\.storage: Forbidden: field can not be less than (?:previous value|status\.capacity))/,
);
const inUse = line(
  [
    'Online volume expansion is only supported',
    'to extend, currently in-use',
    'while it is attached to running VM',
    'ChangeDiskSizeWhileAttachedNotAllowed',
    'cannot be resized while it is attached',
    'could not be resized online',
    'is not supported for in-use volume',
    'volume is currently published on a node',
    'only OFFLINE expansion',
    'offline volume expansion is supported',
  ],
  SAID_BY,
  /(?<error>Online volume expansion is only supported[^\n"]{0,60}|status must be [^\n]{3,60}to extend, currently in-use|Cannot resize disk [^\n]{0,200}?while it is attached to running VM|ChangeDiskSizeWhileAttachedNotAllowed|cannot be resized while it is attached|could not be resized online|is not supported for in-use volume|volume is currently published on a node|only offline (?:volume )?expansion)/i,
);
const said = line(
  ['failed to resize volume for volume', 'failed: rpc error: code =', 'error expanding volume'],
  ['object-events', 'pod-events', 'container-log'],
  /(?:resize volume [\\"]{1,4}(?<volume>[\w.-]{1,253})[\\"]{1,4} by resizer [\\"]{1,4}(?<driver>[\w.-]{1,120})[\\"]{1,4} failed: |NodeExpandVolume\.NodeExpandVolume failed (?:to resize volume )?for volume [\\"]{1,4}(?<node>[\w.-]{1,253})[\\"]{1,4} ?: |[Ee]rror expanding volume [\\"]{1,4}(?<claim>[\w./-]{1,253})[\\"]{1,4} of plugin [\\"]{0,4}[\w./-]{1,100}[\\"]{0,4} ?: )(?<text>[^\n]{3,300})/,
);
// No channel: each of them settles it wherever it was printed.
const done = line(['NodeExpandVolume succeeded for volume', 'Resize volume succeeded', 'FileSystemResizeSuccessful'], []);

export const cause = defineCause({
  id: 'volume-expansion-refused',
  area: 'storage',
  at: 'Namespace',
  maturity: 'sandbox',
  explains: ['volume-pending', 'pending', 'creating', 'not-ready', 'other-trouble'],

  text: {
    name: 'Volume is not enlarged',
    title: 'Volume {volume} is not enlarged (resized): {what}',
    why: 'The claim asks for more room than its volume has, and the resizer of the driver must enlarge the disk and then the file system on it. {detail} Until then the pods keep the room they have, and an operator that waits for the new size does not go on. The resizer tries again by itself.',
  },

  clues: {
    tooSoon: proves(tooSoon),
    notByClass: proves(notByClass),
    smaller: proves(smaller),
    inUse: proves(inUse),
    said: supports(said),
    done: excludes(done),
  },
  says: {
    tooSoon: 'the cloud allows no second change of the disk yet: {error}',
    notByClass: 'the class does not allow its volumes to grow',
    smaller: 'the claim was made smaller, which no volume can be',
    inUse: 'the disk can grow only while no machine uses it: {error}',
    said: 'the resizer says: {text}',
    done: 'the volume was enlarged since',
  },
  slots: (place, { tooSoon: soon, notByClass: fixed, smaller: less, inUse: used, said: words }) => {
    const text = words?.fields['text']?.replace(/\s+/g, ' ').trim().slice(0, 160);
    return {
      namespace: place.kind === 'Namespace' && !/ /.test(place.name) ? place.name : 'NAMESPACE',
      volume: words?.fields['volume'] ?? words?.fields['node'] ?? words?.fields['claim'] ?? 'of the claim',
      error: (soon ?? used)?.fields['error'] ?? 'refused',
      text: text ?? 'refused',
      what: soon
        ? 'the disk was changed a short while ago, and AWS allows one modification of an EBS disk in six hours (a limit per volume)'
        : fixed
          ? 'its StorageClass does not allow expansion (allowVolumeExpansion), or the volume was not made by a class'
          : less
            ? 'a claim can grow, but never shrink'
            : used
              ? 'the storage enlarges a disk only while it is not attached (offline)'
              : (text ?? 'the driver refuses'),
      detail: soon
        ? 'AWS takes the next change of an EBS disk only six hours after the last one, and none while that is still optimizing.'
        : fixed
          ? 'The API server takes the new size only where the StorageClass of the claim has allowVolumeExpansion: true.'
          : less
            ? 'Here the new request is below the old one.'
            : used
              ? 'This storage does that only while no machine has the disk attached.'
              : 'Here it fails; the message names the reason.',
      advice: soon
        ? 'Wait until six hours after the last change of the disk: the resizer then succeeds by itself; ask for enough at once'
        : fixed
          ? 'Let the class grow its volumes: set allowVolumeExpansion to true, then ask again'
          : less
            ? 'Set the request of the claim back to at least its present size; for a smaller volume make a new claim and copy the data'
            : used
              ? 'Scale the workload down so that the volume is detached, let it grow, and scale up again'
              : 'Do what the message of the resizer asks for',
    };
  },

  fixes: [
    {
      say: '{advice}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'sizes, conditions and events of the claims',
          run: "kubectl -n {{namespace}} get pvc -o custom-columns='NAME:.metadata.name,ASKED:.spec.resources.requests.storage,HAS:.status.capacity.storage,CLASS:.spec.storageClassName'; kubectl -n {{namespace}} get events --field-selector involvedObject.kind=PersistentVolumeClaim",
          on: 'cluster',
        },
        {
          say: 'a class that does not allow it yet (needs a driver that can)',
          run: `kubectl patch storageclass CLASS -p '{"allowVolumeExpansion":true}'`,
          on: 'cluster',
        },
        {
          say: 'a disk that grows only while it is detached',
          run: 'kubectl -n {{namespace}} scale statefulset NAME --replicas=0',
          on: 'cluster',
        },
      ],
      verified: 'the claim shows the new size and the event FileSystemResizeSuccessful',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'AWS EC2 API error codes (VolumeModificationRateExceeded)',
    'kubernetes plugin/pkg/admission/storage/persistentvolume/resize; pkg/apis/core/validation',
    'kubernetes-csi/external-resizer pkg/controller; vsphere-csi-driver; openstack cinder/volume/api.py (extend)',
  ],
});
