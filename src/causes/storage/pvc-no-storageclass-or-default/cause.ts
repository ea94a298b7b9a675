import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const noClass = line(
  'no persistent volumes available for this claim',
  ['object-events', 'pod-events'],
  /no persistent volumes available for this claim and no storage class is set/,
);
const classMissing = line(
  ['storageclass.storage.k8s.io', 'StorageClass "'],
  ['object-events', 'pod-events'],
  /(?:storageclass(?:es)?\.storage\.k8s\.io|StorageClass) [\\"“”']{1,8}(?<class>[^\s\\"“”']{1,200})[\\"“”']{1,8} not found/i,
);
// No channel: a claim that cannot be bound needs no word of a scheduler to be certain.
const otherReason = line(
  ['nodes are available', 'nodes available to schedule'],
  [],
  /^(?![\s\S]*(?:volume|storage ?class))[\s\S]*nodes (?:are )?available/i,
);
const unbound = line('unbound immediate PersistentVolumeClaims', 'pod-events');

const isClaim = (about: string) => about.startsWith('Object/PersistentVolumeClaim/');

export const cause = defineCause({
  id: 'pvc-no-storageclass-or-default',
  area: 'storage',
  at: 'Namespace',
  maturity: 'stable',
  explains: ['pending', 'volume-pending'],
  wakesOn: [on('object.status', { status: 'Pending' })],

  text: {
    name: 'No StorageClass for the claim',
    title: 'Claim {claim} cannot be bound: {short}',
    why: 'A PersistentVolumeClaim (PVC) gets its volume from a provisioner, which its StorageClass names. {claim} cannot have one: {what}. So it stays Pending, and pods that use it cannot be scheduled ("unbound immediate PersistentVolumeClaims").',
  },

  clues: {
    classMissing: proves(classMissing),
    noClass: proves(noClass),
    classless: proves(
      'object.status',
      ({ about, status, detail }) => isClaim(about) && status === 'Pending' && !/storage ?class/i.test(detail ?? ''),
    ),
    unbound: supports(unbound),
    available: supports('object.status', ({ about, status }) => about.startsWith('Object/PersistentVolume/') && status === 'Available'),
    bound: excludes('object.status', ({ about, status }) => isClaim(about) && status === 'Bound'),
    otherReason: excludes(otherReason),
  },
  says: {
    classMissing: 'the StorageClass "{class}" does not exist',
    noClass: 'the claim names no StorageClass and there is no default one',
    classless: 'the claim {claim} is Pending and names no StorageClass',
    unbound: 'the scheduler waits for a claim to be bound',
    available: 'a volume is Available, and does not fit the claim: {volume}',
    bound: 'the claim is Bound: the class was made, or a volume found, since',
    otherReason: 'the scheduler names another reason, not a claim',
  },
  slots: (place, { classMissing: missing, noClass: none, classless, available: free }) => {
    const about = [missing, none, classless].find((fact) => fact !== undefined && isClaim(fact.about))?.about.split('/') ?? [];
    const name = about[3] === undefined || about[3] === '?' ? undefined : about[3];
    const className = missing?.fields['class'];
    const volume = free?.about.split('/')[3];
    const isUnfit =
      className !== undefined &&
      volume !== undefined &&
      new RegExp(`STORAGECLASS ${className.replace(/[^\\w-]/g, '.')}(?:,|$)`).test(free?.detail ?? '');
    return {
      claim: name ?? 'of the pod',
      claimName: name ?? 'CLAIM',
      namespace: place.kind === 'Namespace' && !/ /.test(place.name) ? place.name : 'NAMESPACE',
      class: className ?? 'of the claim',
      volume: volume ?? 'of the listing',
      short: isUnfit
        ? `the volume ${volume} of class "${className}" does not fit it (access mode, size, selector), and there is no StorageClass "${className}" to make one`
        : className === undefined
          ? 'no StorageClass named, and no default StorageClass'
          : `no StorageClass "${className}"`,
      what: isUnfit
        ? `volumes of class "${className}" are made by hand, and ${volume} is Available but differs in access mode, size, volume mode or labels`
        : className === undefined
          ? 'it names no StorageClass, the cluster has no default StorageClass, and no PersistentVolume fits'
          : `it asks for the StorageClass "${className}", which does not exist in this cluster`,
    };
  },

  fixes: [
    {
      say: 'See which classes exist, and which one is the default',
      risk: 'reads-only',
      steps: [
        { say: 'classes; the default one is marked', run: 'kubectl get storageclass', on: 'cluster' },
        { say: 'the claim and its events', run: 'kubectl -n {{namespace}} describe pvc {{claimName}}', on: 'cluster' },
      ],
    },
    {
      say: 'Make an existing StorageClass the default one, for claims that name none',
      risk: 'reads-only',
      for: ['noClass', 'classless'],
      steps: [
        {
          say: 'mark it; Kubernetes 1.28 and later apply it to waiting claims as well, older ones only to new claims',
          run: 'kubectl patch storageclass NAME -p \'{"metadata":{"annotations":{"storageclass.kubernetes.io/is-default-class":"true"}}}\'',
          on: 'cluster',
        },
      ],
      verified: '{claim} becomes Bound and the pods are scheduled',
    },
    {
      say: 'Use a StorageClass that exists: make the claim anew with the right storageClassName',
      risk: 'restarts-pods',
      for: ['classMissing'],
      steps: [
        { say: 'a Pending claim holds no data: delete it', run: 'kubectl -n {{namespace}} delete pvc {{claimName}}', on: 'cluster' },
        {
          say: 'correct storageClassName in the claim, the chart values or the volumeClaimTemplates (a StatefulSet must be deleted with --cascade=orphan and applied again)',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Or provide storage: create the missing StorageClass, install a provisioner, or create a PersistentVolume by hand',
      risk: 'reads-only',
      steps: [
        {
          say: 'on bare metal there is none by itself: local-path-provisioner, NFS, Longhorn, OpenEBS …',
          run: 'kubectl apply -f https://raw.githubusercontent.com/rancher/local-path-provisioner/master/deploy/local-path-storage.yaml',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/controller/volume/persistentvolume/pv_controller.go',
    'kubernetes pkg/scheduler/framework/plugins/volumebinding',
  ],
});
