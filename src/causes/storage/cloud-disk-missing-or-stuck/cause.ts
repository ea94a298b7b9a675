import { defineCause, excludes, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

const SAID_BY = ['pod-events', 'container-log', 'control-plane-log', 'object-events', 'objects'] as const;
const gone = line(
  [
    'InvalidVolume.NotFound',
    'not registered as CNS Volume',
    'not registered as a CNS volume',
    'could not be found',
    'DiskNotFound',
    'InvalidDiskId.NotFound',
    'Microsoft.Compute/disks/',
    "' was not found",
    'ControllerPublishVolume: the volume',
  ],
  SAID_BY,
  withContext(
    /(?<error>InvalidVolume\.NotFound|is not registered as a? ?CNS [Vv]olume|Volume [\da-f]{8}-[\da-f-]{20,40} could not be found|DiskNotFound|InvalidDiskId\.NotFound|The Resource 'Microsoft\.Compute\/disks\/[^'\n]{1,120}'[^\n]{0,80}was not found|disks\/[\w-]{1,100}' was not found|ControllerPublishVolume: the volume \S{1,200} not exists)/,
    { may: [NAMED_VOLUME] },
  ),
);
const stuck = line(
  ['status must be available', "status must be 'available'"],
  SAID_BY,
  withContext(
    /status must be '?available'?[^\n]{0,60}?(?:but the (?:current )?status is|[Cc]urrently (?:in )?) ?'?(?<state>(?!in-use)[a-z][\w-]{3,30})/,
    { may: [NAMED_VOLUME, /[Vv]olume (?<disk>[\da-f]{8}-[\da-f-]{20,40})/] },
  ),
);
/** EC2 took the order and never finished it: no slot is free, or the name of the device is still in use there. */
const attaching = line(
  ['expected device to be attached but was', 'expected attachment to be attached but', 'Volume still in attaching state'],
  SAID_BY,
  withContext(
    /expected (?:device|attachment) to be attached but (?:was|is) (?<state>attaching|busy|detaching)|still in (?<still>attaching) state/,
    {
      may: [NAMED_VOLUME, /(?<disk>vol-[\da-f]{6,30})/],
    },
  ),
);
// No channel: each of them settles it wherever it was printed.
const neverMade = line(['Could not create volume', 'to provision volume with StorageClass'], []);
const attached = line('AttachVolume.Attach succeeded for volume', []);

export const cause = defineCause({
  id: 'cloud-disk-missing-or-stuck',
  area: 'storage',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'other-trouble'],

  text: {
    name: 'Disk behind the volume is gone or stuck',
    title: 'Volume {volume} cannot be attached: {what}',
    why: 'A PersistentVolume (PV) is only a note of where the disk is; the disk itself is kept by the cloud or the hypervisor. There {what}. The driver asks for it again and again, and the pod waits in ContainerCreating; nothing is wrong with the pod or its node.',
  },

  clues: {
    gone: proves(gone),
    stuck: proves(stuck),
    attaching: proves(attaching),
    claim: supports('pod.volume', ({ type }) => /^PersistentVolumeClaim/i.test(type)),
    neverMade: excludes(neverMade),
    attached: excludes(attached),
  },
  says: {
    gone: 'the storage knows no such disk: {error}',
    stuck: 'the disk is in status {state}, from which it cannot be attached',
    attaching: 'the cloud took the order to attach it and does not finish: {state}',
    claim: 'it mounts {claim}',
    neverMade: 'the disk could not be made in the first place',
    attached: 'the volume was attached since',
  },
  slots: (place, { gone: missing, stuck: held, attaching: order, claim }) => ({
    ...namesOf(place),
    volume: missing?.fields['volume'] ?? held?.fields['volume'] ?? order?.fields['volume'] ?? claim?.source ?? 'of the claim',
    disk: held?.fields['disk'] ?? order?.fields['disk'] ?? 'VOLUME-ID',
    state: held?.fields['state'] ?? order?.fields['state'] ?? order?.fields['still'] ?? 'reserved',
    error: (missing?.fields['error'] ?? 'not found').trim(),
    what: held
      ? `the disk is stuck in status ${held.fields['state'] ?? 'reserved'}: an attach or detach before it was not finished`
      : order
        ? `the disk is stuck in status ${order.fields['state'] ?? 'attaching'}: the machine has no slot left (its limit counts network cards too), or its system still holds the name of the device`
        : `the disk does not exist or is not registered any more (${(missing?.fields['error'] ?? 'not found').trim()}): it was deleted or moved past Kubernetes, or the handle of the volume is wrong`,
    pv: missing?.fields['volume'] ?? held?.fields['volume'] ?? order?.fields['volume'] ?? 'PV',
    claim: claim ? `claim ${claim.source ?? claim.name}` : 'a claim',
  }),

  fixes: [
    {
      say: 'See which disk the volume names, and what the cloud says of it',
      risk: 'reads-only',
      steps: [
        {
          say: 'handle and error of the attachment',
          run: 'kubectl get pv {{pv}} -o yaml | grep -nE "volumeHandle|diskURI|volumeID|pdName"; kubectl describe volumeattachment | grep -E "Persistent Volume Name|Message"',
          on: 'cluster',
        },
        {
          say: 'the disk itself, with the tool of the cloud',
          run: 'openstack volume show DISK; aws ec2 describe-volumes --volume-ids DISK; az disk show --ids DISK; gcloud compute disks list',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Stuck in status {state}: make sure that no machine uses the disk, remove attachments left behind, and reset its state to available',
      risk: 'touches-node',
      for: ['stuck'],
      steps: [
        {
          say: 'OpenStack, as its administrator',
          run: 'openstack --os-volume-api-version 3.27 volume attachment list --volume-id {{disk}}; openstack volume set --state available {{disk}}',
          on: 'cluster',
        },
      ],
      verified: 'the disk is available, and the driver attaches it by itself',
    },
    {
      say: 'AWS, stuck in attaching: compare disks and network cards with the limit of the instance type, and let the pod run on another node',
      risk: 'moves-pods',
      for: ['attaching'],
      steps: [
        {
          say: 'what is attached to the machine, and how much the driver announces (--volume-attach-limit, --reserved-volume-attachments)',
          run: "aws ec2 describe-volumes --volume-ids {{disk}} --query 'Volumes[].Attachments'; kubectl get csinode -o custom-columns='NODE:.metadata.name,LIMIT:.spec.drivers[*].allocatable.count'",
          on: 'cluster',
        },
        {
          say: 'take the node out and start the pod elsewhere',
          run: 'kubectl cordon NODE && kubectl -n {{namespace}} delete pod POD',
          on: 'cluster',
        },
        {
          say: 'the disk stays stuck: detach it by force, and reboot the machine',
          run: 'aws ec2 detach-volume --force --volume-id {{disk}}',
          on: 'cluster',
        },
      ],
      verified: 'the pod gets SuccessfulAttachVolume and starts',
    },
    {
      say: 'Gone: restore it from a snapshot or backup and point a new PersistentVolume at it; vSphere: register the disk as a CNS volume again',
      risk: 'may-lose-data',
      steps: [
        { say: 'snapshots and backups', run: 'kubectl get volumesnapshot,volumesnapshotcontent -A', on: 'cluster' },
        { say: 'an attachment that holds on to the lost disk', run: 'kubectl get volumeattachment | grep {{pv}}', on: 'cluster' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'openstack cinder/volume/api.py (reserve), cinder/objects/volume.py',
    'AWS EC2 API error codes; vsphere-csi-driver (CNS); Azure Compute errors',
  ],
});
