import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['object-events', 'container-log', 'objects'] as const;
const noClass = line(
  [
    'cannot find default snapshot class',
    'no default VolumeSnapshotClass',
    'failed to get snapshot class',
    'default snapshot classes were found',
  ],
  SAID_BY,
  /(?<error>cannot find default snapshot class|no default VolumeSnapshotClass for driver (?<driver>[\w.-]{1,120})|\d{1,3} default snapshot classes were found|failed to get snapshot class (?<class>[\w.-]{1,200}))/,
);
const noClaim = line(
  [
    'cannot get claim from snapshot',
    'is not yet bound to a PV',
    'failed to retrieve PVC',
    'cannot find CSI PersistentVolumeSource for volume',
  ],
  SAID_BY,
  /(?<error>cannot get claim from snapshot|the PVC (?<claim>\S{1,253}) is not yet bound to a PV|failed to retrieve PVC (?<missing>\S{1,253})|cannot find CSI PersistentVolumeSource for volume (?<volume>\S{1,253}))/,
);
const refused = line(
  ['failed to take snapshot of the volume', 'Failed to create snapshot: '],
  SAID_BY,
  /(?:failed to take snapshot of the volume (?<handle>[^\s:\\"]{1,200})|Failed to create snapshot): [\\"]{0,4}(?:rpc error: code = (?<code>\w{2,30}) desc = )?(?<text>[^\n]{3,240})/,
);
// No channel: a snapshot that is there settles it.
const made = line('is ready to use', [], /[Ss]napshot \S{1,253} is ready to use/);

export const cause = defineCause({
  id: 'volume-snapshot-not-made',
  area: 'storage',
  at: 'Namespace',
  maturity: 'sandbox',
  explains: ['volume-pending', 'pending', 'other-trouble'],
  effectOf: ['cloud-credentials-refused', 'crd-missing'],

  text: {
    name: 'Snapshot is not made',
    title: 'The VolumeSnapshot is not made: {what}',
    why: 'The snapshot controller looks up the claim and the VolumeSnapshotClass of a VolumeSnapshot, and the csi-snapshotter beside the driver then takes it. {detail} Until it is cured, READYTOUSE stays false, backups that wait for it do not go on, and claims restored from it stay Pending.',
  },

  clues: {
    noClass: proves(noClass),
    noClaim: proves(noClaim),
    refused: supports(refused),
    made: excludes(made),
  },
  says: {
    noClass: 'no VolumeSnapshotClass is found: {error}',
    noClaim: 'its claim cannot be used: {error}',
    refused: 'the driver refuses the snapshot: {text}',
    made: 'the snapshot is ready by now',
  },
  slots: (place, { noClass: unclassed, noClaim: unclaimed, refused: said }) => {
    const error = (unclassed ?? unclaimed)?.fields['error']?.trim() ?? 'refused';
    const text =
      said?.fields['text']
        ?.replace(/[\\"]{1,4}$/, '')
        .trim()
        .slice(0, 160) ?? 'refused';
    return {
      namespace: place.kind === 'Namespace' && !/ /.test(place.name) ? place.name : 'NAMESPACE',
      error,
      text,
      what: unclassed
        ? `no VolumeSnapshotClass fits (${error})`
        : unclaimed
          ? unclaimed.fields['volume']
            ? 'its volume is not of a CSI driver, and only those can be snapshotted'
            : `its claim is missing or not bound (${error})`
          : `the driver refuses: ${text}`,
      detail: unclassed
        ? 'Here it names no class, and there is none (or more than one) marked as default for the driver of its claim.'
        : unclaimed
          ? 'Here the claim it names is not there, not Bound yet, or its volume was not made by a CSI driver.'
          : 'Here the driver says why not.',
      advice: unclassed
        ? 'Make a VolumeSnapshotClass for the driver of the claim, mark one as default, or name it in the snapshot (volumeSnapshotClassName)'
        : unclaimed
          ? 'Name a claim that exists in the same namespace and is Bound, on a volume of a CSI driver that can take snapshots'
          : 'Cure what the driver says, then let it try again (it does by itself)',
    };
  },

  fixes: [
    {
      say: '{advice}',
      risk: 'reads-only',
      steps: [
        {
          say: 'snapshots with their contents, classes with their driver, and the claims',
          run: 'kubectl -n {{namespace}} get volumesnapshot,pvc; kubectl get volumesnapshotcontent,volumesnapshotclass; kubectl get storageclass',
          on: 'cluster',
        },
        {
          say: 'make a class the default one',
          run: `kubectl patch volumesnapshotclass CLASS --type merge -p '{"metadata":{"annotations":{"snapshot.storage.kubernetes.io/is-default-class":"true"}}}'`,
          on: 'cluster',
        },
        {
          say: 'what the driver says',
          run: 'kubectl -n {{namespace}} describe volumesnapshot; kubectl get pods -A | grep -iE "snapshot|csi.*controller"',
          on: 'cluster',
        },
      ],
      verified: 'READYTOUSE of the VolumeSnapshot is true',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes-csi/external-snapshotter pkg/common-controller/snapshot_controller.go, pkg/sidecar-controller'],
});
