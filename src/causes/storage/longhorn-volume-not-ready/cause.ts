import { defineCause, excludes, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

const SAID_BY = ['container-log', 'pod-events', 'objects', 'object-events'] as const;
const noDisk = line(
  [
    "There's no available disk for replica",
    'No available disk candidates to create a new replica',
    'precheck new replica failed',
    'ReplicaSchedulingFailure',
    'unable to schedule replica',
    'not scheduled, code=Server Error',
  ],
  SAID_BY,
  withContext(
    /no available disk for replica (?<replica>[\w.-]{1,120}?), size (?<size>\d{3,18})|No available disk candidates to create a new replica of size (?<bytes>\d{3,18})|precheck new replica failed(?:[:;] ?(?<reason>[\w ;,]{3,80}))?|ReplicaSchedulingFailure|unable to schedule replica|unable to attach volume (?<attach>[\w.-]{1,120}) to [^\n]{1,100}? not scheduled/,
    { may: [NAMED_VOLUME, /volume=(?<named>[\w.-]{1,120})/] },
  ),
);
const faulted = line(
  [
    'All replicas are failed',
    'all replicas failed',
    'volume is faulted',
    'robustness: faulted',
    'Detached unexpectedly',
    'is in faulted state',
  ],
  SAID_BY,
  withContext(
    /[Aa]ll replicas (?:are )?failed|robustness: faulted|[Vv]olume (?<volume>[\w.-]{1,120})? ?(?:is faulted|is in faulted state|became faulted)/,
    {
      may: [/volume=(?<named>[\w.-]{1,120})/],
    },
  ),
);
const notReady = line(
  ['is not ready for workloads', 'staging path is no longer valid for volume', 'with attachmentID csi-'],
  ['pod-events', 'container-log'],
  /volume (?:(?<volume>[\w.-]{1,120})(?: in state (?<state>\w{3,20}))? )?is not ready for workloads|volume (?<waits>[\w.-]{1,120}) failed to attach to node (?<node>[\w.-]{1,253}) with attachmentID csi-|staging path is no longer valid for volume (?<staged>[\w.-]{1,120})/,
);
const noSession = line(['cannot make connection to', 'failed to execute iscsiadm', 'can not connect to iSCSI daemon'], []);

export const cause = defineCause({
  id: 'longhorn-volume-not-ready',
  area: 'storage',
  at: 'Workload',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'other-trouble'],
  effectOf: [
    'host-missing-iscsi-longhorn',
    'longhorn-iscsi-loopback-unreachable',
    'longhorn-webhook-inaccessible',
    'node-unreachable',
    'disk-full-root',
  ],

  text: {
    name: 'Longhorn volume not ready',
    title: 'The Longhorn volume {volume} is not ready: {what}',
    why: 'Longhorn attaches a volume only when its engine runs and enough replicas are placed and healthy. Here {what}. Replicas need a schedulable disk with free space above the reserve (storage minimal available, over-provisioning) on different nodes: three replicas by default need three nodes. Until then attaching fails and the pod stays in ContainerCreating.',
  },

  clues: {
    noDisk: proves(noDisk),
    faulted: proves(faulted),
    notReady: supports(notReady),
    noSession: excludes(noSession),
  },
  says: {
    noDisk: 'Longhorn finds no disk for a replica{size}',
    faulted: 'all replicas of the volume have failed',
    notReady: 'Longhorn says that volume {volume} is not ready for workloads',
    noSession: 'the iSCSI session between host and engine fails',
  },
  slots: (place, { noDisk: none, faulted: failed, notReady: loose }) => {
    const fields = none?.fields ?? {};
    const size = fields['size'] ?? fields['bytes'];
    const volume =
      fields['volume'] ??
      fields['named'] ??
      fields['attach'] ??
      fields['replica']?.replace(/-r-\w{4,12}$/, '') ??
      failed?.fields['volume'] ??
      failed?.fields['named'] ??
      loose?.fields['volume'] ??
      loose?.fields['staged'] ??
      loose?.fields['waits'];
    return {
      namespace: namesOf(place).namespace,
      volume: volume ?? 'of the pod',
      name: volume ?? 'VOLUME',
      size: size ? ` of ${(Number(size) / 1024 ** 3).toFixed(1)} Gi` : '',
      what: none
        ? 'its replicas cannot be scheduled: no disk with enough room on enough nodes'
        : failed
          ? 'all its replicas have failed (faulted)'
          : loose?.fields['staged']
            ? 'it was detached under a running mount, and its staging path is no longer valid'
            : `it is ${loose?.fields['state'] ?? 'not attached'} and not ready for workloads`,
    };
  },

  fixes: [
    {
      say: 'Look at volume, replicas and disks of Longhorn',
      risk: 'reads-only',
      steps: [
        {
          say: 'state and robustness',
          run: 'kubectl -n longhorn-system get volumes.longhorn.io {{name}} -o wide; kubectl -n longhorn-system get replicas.longhorn.io | grep {{name}}',
          on: 'cluster',
        },
        {
          say: 'disks: schedulable, space, conditions',
          run: 'kubectl -n longhorn-system get nodes.longhorn.io -o yaml | grep -nE "storageAvailable|storageScheduled|storageMaximum|allowScheduling|reason|message"',
          on: 'cluster',
        },
        {
          say: 'what the managers say',
          run: 'kubectl -n longhorn-system logs -l app=longhorn-manager --tail=200 | grep {{name}}',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Give the replicas room: fewer replicas, replica soft anti-affinity on small clusters, more disk, or less reserve',
      risk: 'reads-only',
      steps: [
        {
          say: 'number of replicas of this volume (and numberOfReplicas of the StorageClass for later ones)',
          run: 'kubectl -n longhorn-system patch volumes.longhorn.io {{name}} --type merge -p \'{"spec":{"numberOfReplicas":1}}\'',
          on: 'cluster',
        },
        {
          say: 'replicas of one volume on one node (setting replica-soft-anti-affinity)',
          run: 'kubectl -n longhorn-system patch settings.longhorn.io replica-soft-anti-affinity --type merge -p \'{"value":"true"}\'',
          on: 'cluster',
        },
      ],
      verified: 'the volume becomes attached and healthy, and the pod starts',
    },
    {
      say: 'A faulted volume: salvage the replica with the newest data, or restore from a backup',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'in the UI of Longhorn: Salvage, after the nodes and disks of its replicas are back',
          run: 'kubectl -n longhorn-system get replicas.longhorn.io -o wide | grep {{name}}',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'longhorn-manager scheduler/replica_scheduler.go',
    'longhorn-manager csi/controller_server.go',
    'longhorn issues 1632, 1722, 2886, 9441',
  ],
});
