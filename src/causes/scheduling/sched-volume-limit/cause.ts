import {
  accountsForAll,
  defineCause,
  excludes,
  leadsAmongOthers,
  leadsIn,
  line,
  minutes,
  namesOf,
  on,
  othersIn,
  proves,
  supports,
  withContext,
} from '../../define-cause.ts';

const LIMIT = /exceed max volume count|MaxVolumeCount|MaxEBSVolumeCount|MaxGCEPDVolumeCount|MaxAzureDiskVolumeCount|MaxCSIVolumeCount/;
const OWN = /max volume count|VolumeCount|ReadWriteOncePod|no available disk|NoDiskConflict|enough free storage/;
const REFUSAL = /(?<refusal>(?:\d{1,6}\/\d{1,6} )?nodes are available[^\n]{0,4000})/;

const tooMany = line(
  ['exceed max volume count', 'VolumeCount', 'reached its volume attachment limit', 'VolumeAttachmentLimitExceeded'],
  ['pod-events', 'pod-status', 'control-plane-log', 'kubelet-log'],
  /(?<refusal>(?:\d{1,6}\/\d{1,6} )?nodes are available[^\n]{0,4000})|(?<count>\d{1,6}) node\(s\) exceed max volume count|reached its volume attachment limit|VolumeAttachmentLimitExceeded|exceed max volume count/,
);
const rejected = line(
  ['reached its volume attachment limit', 'VolumeAttachmentLimitExceeded'],
  ['pod-events', 'pod-status', 'kubelet-log'],
);
const inUse = line(
  ['ReadWriteOncePod access mode already in-use', 'had no available disk', 'NoDiskConflict'],
  ['pod-events', 'pod-status', 'control-plane-log'],
  withContext(/(?<rwop>ReadWriteOncePod access mode already in-use by another pod)|(?<disk>had no available disk|NoDiskConflict)/, {
    may: [REFUSAL],
  }),
);
const noCapacity = line(
  ['did not have enough free storage'],
  ['pod-events', 'pod-status', 'control-plane-log'],
  withContext(/did not have enough free storage/, { may: [REFUSAL] }),
);
const placed = line(['Successfully assigned ', 'Started container', 'Container started', 'Pulling image "'], []);

export const cause = defineCause({
  id: 'sched-volume-limit',
  area: 'scheduling',
  at: 'Workload',
  maturity: 'stable',
  explains: ['pending', 'failed', 'not-ready', 'creating', 'other-trouble'],
  wakesOn: [on('pod.status', { status: 'VolumeAttachmentLimitExceeded' })],

  text: {
    name: 'Volume limit of nodes reached',
    title: 'No node can attach or use the volume of {name}: {what}',
    why: 'A pod is placed only where all of its volumes can be attached and used. {mechanism}',
  },

  clues: {
    sole: proves('pod.unschedulable', accountsForAll(OWN)),
    rejected: proves(rejected),
    tooMany: supports(tooMany),
    inUse: supports(inUse),
    noCapacity: supports(noCapacity),
    beside: supports('pod.unschedulable', leadsAmongOthers(OWN)),
    counted: supports('pod.unschedulable', ({ reasons }) => reasons.some(({ text, leads }) => leads && LIMIT.test(text))),
    claim: supports('pod.volume', ({ type }) => /^PersistentVolumeClaim/i.test(type)),
    placed: excludes(placed),
    otherLeads: excludes('pod.unschedulable', (refusal) => refusal.reasons.some(({ leads }) => leads) && !leadsIn(OWN)(refusal)),
  },
  says: {
    sole: 'this reason alone keeps it from all nodes',
    rejected: 'the kubelet rejects it: no more volumes can be attached there',
    tooMany: 'no more volumes can be attached to the nodes',
    inUse: '{used}',
    noCapacity: 'no node has enough free storage for a volume of the claim',
    beside: 'nodes are out for other reasons too: {others}',
    counted: 'no other reason holds back more of the nodes it may use ({count})',
    claim: 'it mounts {claim}',
    placed: 'it has been placed since; the refusals are over',
    otherLeads: 'another reason holds back more nodes',
  },
  slots: (place, { inUse: taken, noCapacity: full, counted, beside, claim }) => {
    const own = counted?.reasons.find(({ text }) => LIMIT.test(text));
    const count = own ? `${own.count}${counted?.nodes ? ` of ${counted.nodes}` : ''} nodes` : 'its nodes';
    const used = taken?.fields['rwop']
      ? 'its ReadWriteOncePod claim is in use by another pod'
      : 'its disk is mounted by another pod of the node';
    const { what, mechanism } = taken
      ? {
          what: used,
          mechanism: taken.fields['rwop']
            ? 'A claim with the access mode ReadWriteOncePod may be used by one pod of the cluster only. Another pod still has it: an old replica that has not ended, or a second one of a rolling update.'
            : 'That kind of disk can be mounted by one pod of a node only, unless all mount it read-only; another pod there has it.',
        }
      : full
        ? {
            what: 'not enough free storage for its claim',
            mechanism:
              'The storage driver publishes how much room each node or zone has left (CSIStorageCapacity), and none of them has enough for a new volume of that size.',
          }
        : {
            what: `${count} have reached their max volume count`,
            mechanism:
              'Each node can attach a limited number of volumes: the limit comes from the storage driver (CSINode allocatable count) and from the machine type, and disks, network cards and stale attachments may share it. All slots are taken, so a pod with one more volume stays Pending although cpu and memory are free.',
          };
    return {
      others: othersIn(beside, OWN),
      ...namesOf(place),
      name: place.name,
      what,
      mechanism,
      used,
      count,
      claim: claim ? `claim ${claim.source ?? claim.name}` : 'a claim',
    };
  },

  fixes: [
    {
      say: 'See the limit and who uses it',
      risk: 'reads-only',
      steps: [
        {
          say: 'the limit per node and driver',
          run: 'kubectl get csinode -o custom-columns=NODE:.metadata.name,DRIVERS:.spec.drivers[*].name,LIMIT:.spec.drivers[*].allocatable.count',
          on: 'cluster',
        },
        {
          say: 'attachments per node; those of nodes or volumes that are gone are stale',
          run: 'kubectl get volumeattachments -o jsonpath=\'{range .items[*]}{.spec.nodeName}{"\\n"}{end}\' | sort | uniq -c; kubectl get volumeattachments',
          on: 'cluster',
        },
        { say: 'who uses its claims', run: "kubectl -n {{namespace}} describe pvc | grep -E '^Name:|Used By|Access Modes'", on: 'cluster' },
      ],
    },
    {
      say: 'Make room: add nodes, or move pods with many volumes to others',
      risk: 'moves-pods',
      steps: [
        { say: 'more nodes, or a machine type that attaches more disks' },
        { say: 'end the pod that still has the claim', run: 'kubectl -n {{namespace}} get pods -o wide', on: 'cluster' },
      ],
      verified: 'the pod has the event Scheduled',
    },
    {
      say: 'Not enough free storage: compare what the driver publishes with what its pool has, then enlarge the pool or ask for less',
      risk: 'reads-only',
      steps: [
        {
          say: 'room per class and node as the scheduler sees it; a node without an entry counts as full',
          run: 'kubectl get csistoragecapacities -A -o custom-columns=CLASS:.storageClassName,CAPACITY:.capacity,MAX:.maximumVolumeSize,NODES:.nodeTopology.matchLabels',
          on: 'cluster',
        },
        { say: 'what the pool really has (LVM, ZFS)', run: 'vgs; lvs; zpool list', on: 'node' },
        {
          say: 'where the driver publishes wrong figures (thin pools): a newer driver, or no figures at all',
          run: 'kubectl get csidriver -o custom-columns=NAME:.metadata.name,CAPACITY:.spec.storageCapacity',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Remove stale VolumeAttachments, after making sure that their volume is not mounted any more',
      risk: 'may-lose-data',
      steps: [
        { say: 'only for nodes that are gone or where findmnt shows no mount', run: 'kubectl delete volumeattachment NAME', on: 'cluster' },
      ],
      verified: 'the attachments of the node are below its limit',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/scheduler/framework/plugins/nodevolumelimits/csi.go, plugins/volumerestrictions, plugins/volumebinding',
    'kubernetes pkg/kubelet/lifecycle/predicate.go (VolumeAttachmentLimitExceeded)',
  ],
});
