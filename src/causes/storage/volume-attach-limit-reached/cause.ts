import { defineCause, excludes, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

/** In the words of EC2, GCE, Azure, OpenStack, Hetzner, QingCloud, DigitalOcean, Linode, Alibaba and Tencent Cloud. */
const limit = line(
  [
    'AttachmentLimitExceeded',
    'attachment limit exceeded',
    'maximum_persistent_disks',
    'maximum number of data disks',
    'maximum allowed number of disk devices',
    'maximum number of disk devices',
    'maximum number of volumes',
    'max number of volumes',
    'number of volume attachments',
    'volumes to one instance at most',
    'volumes per Droplet',
    'No free disk device names for prefix',
    'InstanceDiskLimitExceeded',
    'InstanceDiskNumber',
    'LimitExceeded.AttachedDisk',
    'too many EBS volumes attached',
    'disks attached to the instance',
    'volume limit has been reached',
    'disks count should be less than or equal to',
    'maximum limit of volume attachments',
  ],
  ['pod-events', 'container-log', 'control-plane-log', 'object-events'],
  withContext(
    /(?<error>You may attach up to \d{1,4} devices for this instance type|AttachmentLimitExceeded|attachment limit exceeded|[Ee]xceeded limit '?maximum_persistent_disks|maximum number of data disks allowed to be attached[^\n"]{0,60}|maximum (?:allowed )?number of disk devices \(?\d{0,4}\)?[^\n"]{0,40}|max(?:imum)? number of volumes(?: \(\d{1,4}\))? (?:already attached|allowed|attached|per)[^\n"]{0,40}|max(?:imum)? number of volume attachments|can only attach \[?\d{1,4}\]? volumes to one instance at most|volumes per Droplet[^\n"]{0,40}|No free disk device names for prefix|InstanceDisk(?:LimitExceeded|Number\w{0,20})|LimitExceeded\.AttachedDisk|volume limit has been reached[^\n"]{0,60}|Maximum [\w-]{2,40} disks count should be less than or equal to \[?\d{1,4}\]?|maximum limit of volume attachments[^\n"]{0,40}|too many EBS volumes attached|disks attached to the instance[^\n"]{0,40}(?:exceed|limit))/i,
    { may: [NAMED_VOLUME] },
  ),
);

// No channel: it settles it wherever it was printed.
const attached = line('AttachVolume.Attach succeeded for volume', []);

export const cause = defineCause({
  id: 'volume-attach-limit-reached',
  area: 'storage',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'crash-loop', 'restarts', 'other-trouble'],

  text: {
    name: 'Attach limit of the machine reached',
    title: 'Volume {volume} cannot be attached: the machine already has as many disks as it may have ({error})',
    why: 'A cloud machine takes a limited number of disks (and on some types network cards count too). The pod was placed on a node that has none left, so the storage provider refuses: {error}. The scheduler counts only what the driver announces (CSINode allocatable count); it places too many where the driver announces nothing, too much, where disks were attached past it (the root disk, other drivers, by hand), or where attachments of pods that are gone were left behind.',
  },

  clues: {
    limit: proves(limit),
    claim: supports('pod.volume', ({ type }) => /^PersistentVolumeClaim/i.test(type)),
    attached: excludes(attached),
  },
  says: {
    limit: 'the storage provider refuses one more disk: {error}',
    claim: 'it mounts {claim}',
    attached: 'the volume was attached since',
  },
  slots: (place, { limit: refused, claim }) => ({
    ...namesOf(place),
    volume: refused?.fields['volume'] ?? claim?.source ?? 'of the claim',
    error: (refused?.fields['error'] ?? 'the limit is reached').trim(),
    claim: claim ? `claim ${claim.source ?? claim.name}` : 'a claim',
  }),

  fixes: [
    {
      say: 'See how many volumes each node has and may have',
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
      ],
    },
    {
      say: 'Let the pod go to another node: delete it after cordoning the full one, or add nodes',
      risk: 'moves-pods',
      steps: [
        { say: 'where it is', run: 'kubectl -n {{namespace}} get pods -o wide', on: 'cluster' },
        { say: 'the full node takes no more pods for now', run: 'kubectl cordon NODE', on: 'cluster' },
      ],
      changes: [{ do: 'restart-pods' }],
      verified: 'the pod has the event SuccessfulAttachVolume',
    },
    {
      say: 'Tell the driver the true limit, so that the scheduler counts right (EBS: volumeAttachLimit or reservedVolumeAttachments of the chart), or take a machine type with more disks',
      risk: 'restarts-pods',
      steps: [{ say: 'the node plugin announces it anew', run: 'kubectl get csidrivers,csinodes', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'aws-ebs-csi-driver pkg/cloud/cloud.go (AttachmentLimitExceeded), docs on node-allocatable',
    'gcp-compute-persistent-disk-csi-driver pkg/gce-pd-csi-driver/node.go; hetznercloud csi-driver; openstack nova (max_disk_devices_to_attach)',
  ],
});
