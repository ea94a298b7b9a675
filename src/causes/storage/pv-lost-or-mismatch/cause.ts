import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['object-events', 'pod-events', 'control-plane-log'] as const;
const lost = line(
  ['Bound claim has lost its PersistentVolume', 'Bound claim has lost reference to PersistentVolume', 'Data on the volume is lost'],
  SAID_BY,
  /Bound claim has lost (?:its|reference to) PersistentVolume/,
);
const mismatch = line(
  'Cannot bind to requested volume',
  SAID_BY,
  /Cannot bind to requested volume \\*"(?<volume>[^"\\\s]{1,253})\\*": (?<reason>[^\n\\"]{3,200})/,
);
const taken = line(
  ['already bound to a different claim', 'Two claims are bound to the same volume'],
  SAID_BY,
  /(?:volume \\*"(?<volume>[^"\\\s]{1,253})\\*" )?already bound to a different claim|Two claims are bound to the same volume/,
);
const gone = line(
  ['bound to non-existent persistentvolume', 'pvc(s) bound to non-existent pv(s)'],
  ['pod-events', 'control-plane-log'],
  /bound to non-existent persistentvolume \\*"(?<volume>[^"\\\s]{1,253})|pvc\(s\) bound to non-existent pv\(s\)/,
);
const otherReason = line(
  ['nodes are available', 'nodes available to schedule'],
  [],
  /^(?![\s\S]*(?:volume|storage ?class|pvc))[\s\S]*nodes (?:are )?available/i,
);
const isClaim = (about: string) => about.startsWith('Object/PersistentVolumeClaim/');

export const cause = defineCause({
  id: 'pv-lost-or-mismatch',
  area: 'storage',
  at: 'Namespace',
  maturity: 'stable',
  explains: ['volume-pending', 'pending', 'creating'],
  wakesOn: [on('object.status', { status: 'Lost' }), on('object.status', { status: 'Pending' })],

  text: {
    name: 'Claim lost its volume',
    title: 'The claim {claim} and its volume {volume} do not come together: {reason}',
    why: 'A claim and a PersistentVolume (PV) are bound to each other by name, one to one. {claim} {meaning}. Kubernetes does not choose another volume for it by itself, so the claim stays {state} and its pods wait.',
  },

  clues: {
    lost: proves(lost),
    statusLost: proves('object.status', ({ about, status }) => isClaim(about) && status === 'Lost'),
    mismatch: proves(mismatch),
    taken: proves(taken),
    gone: supports(gone),
    released: supports(
      'object.status',
      ({ about, status }) => about.startsWith('Object/PersistentVolume/') && /^(?:Released|Failed)$/.test(status),
    ),
    otherReason: excludes(otherReason),
    bound: excludes('object.status', ({ about, status }) => isClaim(about) && /^Bound\b/.test(status)),
  },
  says: {
    lost: 'the claim was bound, and its PersistentVolume is gone',
    statusLost: 'the claim {claim} is Lost',
    mismatch: 'the volume {volume} does not fit the claim: {reason}',
    taken: 'the volume {volume} belongs to another claim already',
    gone: 'the scheduler finds no PersistentVolume {volume}',
    released: 'a volume is {freed}: it still remembers an earlier claim',
    otherReason: 'the scheduler names another reason, not a claim',
    bound: 'the claim is Bound by now',
  },
  slots: (place, { lost: away, statusLost, mismatch: unfit, taken: used, gone: none, released: free }) => {
    const claim = [away, statusLost, unfit, used].find((fact) => fact !== undefined && isClaim(fact.about))?.about.split('/')[3];
    const known = claim === undefined || claim === '?' ? undefined : claim;
    const volume = unfit?.fields['volume'] ?? used?.fields['volume'] ?? none?.fields['volume'] ?? free?.about.split('/')[3];
    const isLost = away !== undefined || statusLost !== undefined || none !== undefined;
    return {
      namespace: place.kind === 'Namespace' && !/ /.test(place.name) ? place.name : 'NAMESPACE',
      claim: known ?? 'of the pod',
      claimName: known ?? 'CLAIM',
      volume: volume ?? 'it was bound to',
      volumeName: volume ?? 'VOLUME',
      freed: free?.status ?? 'Released',
      state: isLost ? 'Lost' : 'Pending',
      reason: isLost
        ? 'the PersistentVolume is gone'
        : unfit
          ? (unfit.fields['reason'] ?? 'it does not fit')
          : free && !used
            ? `the volume is ${free.status} and keeps the claimRef of an earlier claim`
            : 'the volume is bound to a different claim',
      meaning: isLost
        ? 'was bound to a PersistentVolume that does not exist any more: somebody deleted it, or it was made anew under another name'
        : unfit
          ? `asks for the volume ${unfit.fields['volume'] ?? ''} by name, and it does not fit: ${unfit.fields['reason'] ?? 'size, access mode or class differ'}`
          : free && !used
            ? 'finds no free volume: a volume with reclaim policy Retain becomes Released when its claim is deleted, and is not given out again while its claimRef names the old claim'
            : 'asks for a volume whose claimRef names another claim, often an earlier one of the same name with another uid (volume Released)',
    };
  },

  fixes: [
    {
      say: 'Compare claim and volume before anything is deleted',
      risk: 'reads-only',
      steps: [
        {
          say: 'volumes with their claims and states',
          run: 'kubectl get pv -o wide; kubectl -n {{namespace}} describe pvc {{claimName}}',
          on: 'cluster',
        },
        { say: 'what the volume is and whom it remembers', run: 'kubectl get pv {{volumeName}} -o yaml', on: 'cluster' },
        { say: 'whether the data is still there, in the storage itself (disk, export, image)' },
      ],
    },
    {
      say: 'A volume that does not fit: give claim and volume the same storageClassName, access mode, volume mode, and a size that suffices',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'a Pending claim holds no data: delete it and create it anew',
          run: 'kubectl -n {{namespace}} delete pvc {{claimName}}',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'A Released volume with good data: forget the old claim, so that the new one can bind',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'first protect it from being deleted',
          run: 'kubectl patch pv {{volumeName}} -p \'{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}\'',
          on: 'cluster',
        },
        {
          say: 'remove the reference',
          run: 'kubectl patch pv {{volumeName}} --type json -p \'[{"op":"remove","path":"/spec/claimRef"}]\'',
          on: 'cluster',
        },
      ],
      verified: '{claim} becomes Bound and the pods start',
    },
    {
      say: 'A lost volume: create a PersistentVolume of the same name for the same storage, or restore from a backup into a new claim',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'the name the claim is bound to',
          run: "kubectl -n {{namespace}} get pvc {{claimName}} -o jsonpath='{.spec.volumeName}'",
          on: 'cluster',
        },
        {
          say: 'write a PV of that name with the handle or path of the storage, reclaim policy Retain and claimRef to this claim, and apply it',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/controller/volume/persistentvolume/pv_controller.go (syncBoundClaim, syncUnboundClaim)',
    'kubernetes pkg/controller/volume/persistentvolume/index.go',
  ],
});
