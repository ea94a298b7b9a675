import { defineCause, excludes, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

const timedOut = line(
  ['timed out waiting for external-attacher', 'Attach timeout for volume', 'attachment timeout for volume', 'attachdetachment timeout'],
  ['pod-events', 'control-plane-log'],
  withContext(
    /timed out waiting for external-attacher of (?<driver>[\w.-]{1,100}) CSI driver to attach volume (?<handle>[^\s\\"]{1,200})|attach(?:ment|detachment)? timeout for volume (?<id>[^\s\\"]{1,200})/,
    { may: [NAMED_VOLUME] },
  ),
);
const noAttachment = line(
  ['has GET error for volume attachment', 'watch error:unknown (get volumeattachments'],
  ['pod-events', 'control-plane-log'],
  withContext(
    /has GET error for volume attachment (?<attachment>csi-[\da-f]{1,80}): (?<reason>[^\n]{3,250})|watch error:unknown \(get volumeattachments/,
    {
      may: [NAMED_VOLUME],
    },
  ),
);
const forbidden = line(
  ['volumeattachments" in API group', 'volumeattachments/status" in API group', 'failed to mark as attached'],
  'container-log',
  /(?:User \\?"(?!system:node:)(?<user>[\w:.-]{1,200})\\?" cannot (?<verb>\w{2,20}) resource \\?"(?<resource>volumeattachments(?:\/status)?)\\?"|failed to mark as attached: (?<text>[^\n]{3,250}))/,
);
const driverSays = line(
  'AttachVolume.Attach failed for volume',
  ['pod-events', 'control-plane-log'],
  /AttachVolume\.Attach failed for volume \\?"(?<volume>[^"\\]{1,253})\\?" ?: (?:rpc error: code = (?<code>\w{2,30}) desc = )?(?![^\n]{0,250}(?:not ready for workloads| not scheduled,| with attachmentID csi-|AttachDiskWhileBeingDetached|currently being detached))(?!timed out waiting for external|volume \S{1,200} has GET error|[Aa]ttach)(?<text>[^\n]{3,300})/,
);
/** The driver looks up the machine behind the node by its name, provider id or UUID. */
const unknownMachine = line(
  [
    'VirtualMachine for node',
    "virtual machine wasn't found",
    'InvalidInstanceID.NotFound',
    'Empty List of Node VMs returned',
    'no instance found for node',
    'failed to find instance',
    'could not find instance',
    'failed to get azure instance id for node',
    'failed to get instance id from node',
  ],
  ['pod-events', 'control-plane-log', 'container-log', 'object-events'],
  withContext(
    /(?<reason>failed to find VirtualMachine for node: ?[\\"]{0,4}[\w.-]{1,253}|virtual machine wasn't found|InvalidInstanceID\.NotFound|Empty List of Node VMs returned|no instance found for node [\\"]{0,4}[\w.-]{1,253}|(?:failed to|could not) find instance [^\n"]{1,100}|failed to get azure instance id for node [\\"]{0,4}[\w.-]{1,253}(?=[\\"]{0,4} \(instance not found)|failed to get instance id from node [\\"]{0,4}[\w.-]{1,253})/i,
    { may: [NAMED_VOLUME] },
  ),
);
/** OpenStack asks for the machine by the name of the node, and does not choose between two. */
const twoMachines = line(
  ['multiple results where only one expected', 'Multiple resources were found', 'found multiple instances', 'multiple VMs found'],
  ['pod-events', 'control-plane-log', 'container-log', 'object-events'],
  withContext(/multiple results where only one expected|Multiple resources were found|found multiple instances|multiple VMs found/, {
    must: [/AttachVolume\.Attach failed|ControllerPublishVolume|attach volume/],
    may: [NAMED_VOLUME],
  }),
);
/** The attachment of before has to go first, and the driver does not finish the detach. */
const detaching = line(
  'volume attachment is being deleted',
  ['pod-events', 'control-plane-log', 'kubelet-log'],
  withContext(/volume attachment is being deleted/, { may: [NAMED_VOLUME] }),
);
// No channel: each of them settles it wherever it was printed.
const attached = line('AttachVolume.Attach succeeded for volume', []);
const elsewhere = line('Multi-Attach error for volume', []);

export const cause = defineCause({
  id: 'csi-attach-timeout',
  area: 'storage',
  at: 'Workload',
  maturity: 'stable',
  explains: ['creating', 'init-stuck'],
  effectOf: [
    'csi-driver-not-registered',
    'multi-attach-error',
    'longhorn-volume-not-ready',
    'ceph-cluster-unhealthy',
    'longhorn-iscsi-loopback-unreachable',
    'host-missing-iscsi-longhorn',
    'rbac-forbidden',
    'rbac-denied-in-app',
    'cloud-credentials-refused',
    'volume-attach-limit-reached',
    'disk-in-other-zone',
    'disk-type-unsupported-by-machine',
    'cloud-disk-missing-or-stuck',
    'replicated-volume-unavailable',
  ],

  text: {
    name: 'Volume is not attached',
    title: 'Volume {volume} is not attached to the node: {what}',
    why: 'Before the kubelet can mount volume {volume}, the external-attacher beside the controller plugin of {driver} must attach it to the node and mark its VolumeAttachment. {detail} The pod waits in ContainerCreating meanwhile; nothing is wrong with the pod or its node.',
  },

  clues: {
    timedOut: proves(timedOut),
    noAttachment: proves(noAttachment),
    forbidden: proves(forbidden),
    unknownMachine: proves(unknownMachine),
    twoMachines: proves(twoMachines),
    driverSays: supports(driverSays),
    detaching: supports(detaching),
    attached: excludes(attached),
    elsewhere: excludes(elsewhere),
  },
  says: {
    timedOut: 'Kubernetes gave up waiting for the attacher of {driver}',
    noAttachment: 'the VolumeAttachment cannot be read: {reason}',
    forbidden: 'the attacher may not {verb} {resource} (RBAC)',
    unknownMachine: 'the driver does not find the machine behind the node: {machine}',
    twoMachines: 'more than one machine of the cloud bears the name of the node',
    driverSays: 'attaching fails, in the words of the driver: {text}',
    detaching: 'its attachment of before is still being removed',
    attached: 'the volume was attached',
    elsewhere: 'the volume is attached to another node',
  },
  slots: (
    place,
    {
      timedOut: late,
      noAttachment: unread,
      forbidden: denied,
      unknownMachine: machine,
      twoMachines: twice,
      driverSays: said,
      detaching: leaving,
    },
  ) => {
    const driver = late?.fields['driver'];
    const text = said?.fields['text']?.trim();
    const rbac = denied
      ? `its service account may not ${denied.fields['verb'] ?? 'patch'} ${denied.fields['resource'] ?? 'volumeattachments/status'} (RBAC)`
      : undefined;
    return {
      workload: place.name,
      namespace: namesOf(place).namespace,
      volume:
        late?.fields['volume'] ??
        unread?.fields['volume'] ??
        machine?.fields['volume'] ??
        twice?.fields['volume'] ??
        said?.fields['volume'] ??
        leaving?.fields['volume'] ??
        late?.fields['handle'] ??
        late?.fields['id'] ??
        'of the claim',
      driver: driver ?? 'the CSI driver',
      grep: driver ?? 'csi',
      what:
        rbac ??
        (machine
          ? `its driver does not find the machine behind the node (${machine.fields['reason']?.replace(/[\\"]+/g, '') ?? 'not found'}); the name, provider id or UUID of the Node is not that of a machine it may see`
          : twice
            ? 'the cloud has two machines with the name of the node, and the driver cannot tell them apart'
            : late
              ? `the external-attacher of ${driver ?? 'its CSI driver'} does not answer`
              : unread
                ? 'its VolumeAttachment cannot be read'
                : (text ??
                  (leaving ? 'its attachment of before is still being removed, and the driver does not finish that' : 'attaching fails'))),
      detail: rbac
        ? `It works, but ${rbac}.`
        : machine
          ? 'For that the driver looks up the machine behind the Node, and finds none: the node is called otherwise than its machine, its providerID is missing (the cloud controller manager did not initialise it) or that of another, or the machine lies in a folder, project or region the account of the driver does not see.'
          : twice
            ? 'For that the driver asks the cloud for the machine by the name of the node, and gets more than one: an old machine of that name was left behind, or another cluster in the same project uses the same names.'
            : late
              ? 'It did not do so in time: its pod is not running or has lost its lease, the API of the storage or cloud is slow, throttles or refuses, or no driver of this name is installed.'
              : leaving && !text
                ? 'Before that the old VolumeAttachment has to go, and the driver has not finished the detach: it hangs, its node is gone, or the old node still has the volume mounted.'
                : `It fails: ${text ?? unread?.fields['reason'] ?? 'see its log'}.`,
      reason: unread?.fields['reason'] ?? 'forbidden or not found',
      verb: denied?.fields['verb'] ?? 'patch',
      resource: denied?.fields['resource'] ?? 'volumeattachments/status',
      machine: machine?.fields['reason']?.replace(/[\\"]+/g, '') ?? 'not found',
      text: text ?? 'see its log',
    };
  },

  fixes: [
    {
      say: 'Read what the attacher says about this volume',
      risk: 'reads-only',
      steps: [
        {
          say: 'the attachment and its error',
          run: 'kubectl get volumeattachment -o custom-columns=NAME:.metadata.name,DRIVER:.spec.attacher,PV:.spec.source.persistentVolumeName,NODE:.spec.nodeName,ATTACHED:.status.attached,ERROR:.status.attachError.message | grep -E "NAME|{{volume}}"',
          on: 'cluster',
        },
        {
          say: 'drivers that are installed, and their controller pods',
          run: 'kubectl get csidriver; kubectl get pods -A -o wide | grep -iE "csi|controller"',
          on: 'cluster',
        },
        {
          say: 'log of the attacher and of the driver',
          run: 'kubectl -n NAMESPACE logs CONTROLLER-POD -c csi-attacher --tail=50',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Bring the controller plugin of {driver} back',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'cure its pod first (image, node, rights, leader election), then restart it',
          run: 'kubectl -n NAMESPACE rollout restart deployment CSI-CONTROLLER',
          on: 'cluster',
        },
        {
          say: 'a driver that needs no attaching must say so: attachRequired: false in its CSIDriver object',
          run: 'kubectl get csidriver -o yaml | grep -n -B8 attachRequired',
          on: 'cluster',
        },
        {
          say: 'missing rights: the ClusterRole of the attacher needs patch on volumeattachments/status',
          run: 'kubectl get clusterrole | grep -iE "attacher|csi"',
          on: 'cluster',
        },
      ],
      verified: 'the VolumeAttachment shows attached true and the pod starts',
    },
    {
      say: 'Where the driver does not find the machine: compare the name and the providerID of the node with the machine at the provider',
      risk: 'reads-only',
      for: ['unknownMachine'],
      steps: [
        {
          say: 'what the cluster knows of it',
          run: 'kubectl get nodes -o custom-columns=NAME:.metadata.name,PROVIDER:.spec.providerID,UUID:.status.nodeInfo.systemUUID',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Where two machines bear one name: rename or delete the one that is not the node (names must be unique within the project)',
      risk: 'reads-only',
      steps: [
        { say: 'machines by name and id; the id of the node is in its providerID', run: 'openstack server list --long --sort-column Name' },
        {
          say: 'what the nodes are',
          run: 'kubectl get nodes -o custom-columns=NAME:.metadata.name,PROVIDER:.spec.providerID,UUID:.status.nodeInfo.systemUUID',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Check the storage itself: the volume exists, is free, and the cloud account may attach it (limits per machine, zone, IAM rights, throttling)',
      risk: 'reads-only',
      steps: [
        {
          say: 'what the volume is called there',
          run: 'kubectl get pv {{volume}} -o yaml | grep -A6 -E "csi:|volumeHandle"',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/volume/csi/csi_attacher.go',
    'kubernetes pull 108628',
    'kubernetes-csi/external-attacher',
    'linode-blockstorage-csi-driver issue 88',
  ],
});
