import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['object-events', 'pod-events', 'control-plane-log', 'container-log', 'prose'] as const;
const attached = line(
  [
    'is still attached to node',
    'is still being used',
    'delete volume: VolumeInUse',
    'could not delete volume',
    'is already being used by',
    'still has dependent',
    'is currently attached to',
    'has snapshots',
  ],
  SAID_BY,
  /persistentvolume (?<volume>[\w.-]{1,253}) is still attached to node (?<node>[\w.-]{1,253})|rbd (?:image )?(?<image>\S{1,200}) is still being used|(?:[Cc]ould not delete volume|DeleteVolume)[^\n]{0,300}?(?<used>VolumeInUse: [^\n"]{1,160}|currently attached to [\w.-]{1,100}|is already being used by[^\n]{1,200})|(?<snapshots>(?:volume|image)[^\n]{0,120}? (?:still )?has (?:dependent )?snapshots)/,
);
const hostPath = line(
  ['host_path deleter only supports'],
  SAID_BY,
  /host_path deleter only supports \/tmp\/\.\+ but received provided (?<path>[^\s"\\]{1,300})/,
);
const noPlugin = line(
  ['error getting deleter volume plugin', 'no volume plugin matched', 'no deletable volume plugin matched'],
  SAID_BY,
  /(?:getting deleter volume plugin for volume [\\"]{1,4}(?<volume>[\w.-]{1,253})[\\"]{1,4}: )?no (?:deletable )?volume plugin matched/i,
);
const gone = line(['VolumeDelete succeeded', 'deleted persistentvolume'], []);

export const cause = defineCause({
  id: 'volume-not-deleted',
  area: 'storage',
  at: 'Namespace',
  maturity: 'sandbox',
  explains: ['stuck-terminating', 'other-trouble'],
  effectOf: ['cloud-credentials-refused', 'ceph-cluster-unhealthy', 'longhorn-volume-not-ready'],
  wakesOn: [on('object.event', { reason: 'VolumeFailedDelete' }), on('pod.event', { reason: 'VolumeFailedDelete' })],

  text: {
    name: 'Volume is not deleted',
    title: 'PersistentVolume {volume} is not deleted (VolumeFailedDelete): {what}',
    why: 'The claim of the volume is gone and its reclaim policy is Delete, so the provisioner removes the storage behind it, and tries again until that works. {detail} The volume stays Released or Failed meanwhile and keeps its room; a new claim gets a new volume and does not wait for it.',
  },

  clues: {
    attached: proves(attached),
    hostPath: proves(hostPath),
    noPlugin: proves(noPlugin),
    said: supports('object.event', ({ reason }) => reason === 'VolumeFailedDelete'),
    // An event pasted without its object looks like one of a pod.
    row: supports('pod.event', ({ reason }) => reason === 'VolumeFailedDelete'),
    gone: excludes(gone),
  },
  says: {
    attached: 'it is still in use: {used}',
    hostPath: 'Kubernetes deletes no hostPath folders outside /tmp ({path})',
    noPlugin: 'nothing in the cluster knows how to delete this type of volume',
    said: 'the provisioner says: {text}',
    row: 'the provisioner says: {text}',
    gone: 'the volume was deleted since',
  },
  slots: (_, { attached: held, hostPath: folder, noPlugin: none, said: told, row: pasted }) => {
    const node = held?.fields['node'];
    const used = node
      ? `attached to node ${node}`
      : held?.fields['snapshots']
        ? 'snapshots of it are left'
        : held?.fields['image']
          ? `image ${held.fields['image']} is mapped on some node`
          : (held?.fields['used'] ?? 'attached to a machine');
    const text =
      (told ?? pasted)?.message
        .replace(/^rpc error: code = \w{2,30} desc = /, '')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, 140) ?? 'see its events';
    return {
      volume: held?.fields['volume'] ?? none?.fields['volume'] ?? 'of the claim',
      pv: held?.fields['volume'] ?? none?.fields['volume'] ?? 'PV',
      path: folder?.fields['path'] ?? '/PATH',
      used,
      text,
      what: held
        ? used
        : folder
          ? `a hostPath volume (${folder.fields['path'] ?? '/PATH'}) has to be cleared by hand`
          : none
            ? 'no plugin or provisioner deletes this type of volume'
            : text,
      detail: held
        ? 'Storage that is attached, mapped, mounted or the base of a snapshot cannot be deleted: a pod, a VolumeAttachment that hangs, a node that was lost, or somebody outside the cluster still holds it.'
        : folder
          ? 'For hostPath volumes the only deleter is one for tests, and it touches nothing outside /tmp.'
          : none
            ? 'The volume was made by hand or by a provisioner that is no longer installed; its policy should be Retain.'
            : 'The storage refuses.',
    };
  },

  fixes: [
    {
      say: 'See who still holds the volume',
      risk: 'reads-only',
      steps: [
        {
          say: 'volume, its policy and its attachment',
          run: 'kubectl describe pv {{pv}}; kubectl get volumeattachment | grep {{pv}}',
          on: 'cluster',
        },
        { say: 'snapshots that hang on it', run: 'kubectl get volumesnapshotcontent', on: 'cluster' },
      ],
    },
    {
      say: 'Let it go where it is held: delete the pod or snapshot that uses it; where the node is gone for good, remove that Node object so that the volume is detached',
      risk: 'moves-pods',
      steps: [{ say: 'pods that mount the claim', run: 'kubectl get pods -A -o wide', on: 'cluster' }],
      verified: 'the PersistentVolume disappears by itself',
    },
    {
      say: 'Storage that nothing deletes by itself: keep the policy Retain, clear the data by hand, then delete the object',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'first, so that nothing is deleted meanwhile',
          run: 'kubectl patch pv {{pv}} -p \'{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}\'',
          on: 'cluster',
        },
        { say: 'after the data is saved or not needed', run: 'kubectl delete pv {{pv}}', on: 'cluster' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/controller/volume/persistentvolume/pv_controller.go (deleteVolumeOperation)',
    'kubernetes pkg/volume/hostpath/host_path.go (hostPathDeleter)',
    'sigs.k8s.io/sig-storage-lib-external-provisioner controller/controller.go',
  ],
});
