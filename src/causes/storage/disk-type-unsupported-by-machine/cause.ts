import { defineCause, excludes, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

/** In the words of Azure, GCE and Alibaba Cloud. */
const misfit = line(
  [
    'does not support the storage account type',
    'additionalCapabilities.ultraSSDEnabled',
    'disk type cannot be used by',
    'features are not compatible for creating instance',
    'NotSupportDiskCategory',
    'does not support this disk category',
    'is not supported by the instance type',
  ],
  ['pod-events', 'container-log', 'control-plane-log', 'object-events', 'prose'],
  withContext(
    /(?<error>VM size \S{1,60} does not support the storage account type \w{3,40}|additionalCapabilities\.ultraSSDEnabled|disk type cannot be used by [\w-]{3,60} machine type|features are not compatible for creating instance|NotSupportDiskCategory|does not support this disk category|is not supported by the instance type)/,
    { may: [NAMED_VOLUME] },
  ),
);
// No channel: it settles it wherever it was printed.
const attached = line('AttachVolume.Attach succeeded for volume', []);

export const cause = defineCause({
  id: 'disk-type-unsupported-by-machine',
  area: 'storage',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'other-trouble'],

  text: {
    name: 'Machine does not take this type of disk',
    title: 'Volume {volume} cannot be attached: the machine type of the node does not support its type of disk ({error})',
    why: 'Clouds pair kinds of disks with kinds of machines: premium and ultra disks want sizes made for them, the newest machine families take only the newest disks. The disk was made as the StorageClass asks, but the instance type of the node the pod was placed on does not support it, and the cloud refuses to attach it: {error}.',
  },

  clues: {
    misfit: proves(misfit),
    claim: supports('pod.volume', ({ type }) => /^PersistentVolumeClaim/i.test(type)),
    attached: excludes(attached),
  },
  says: {
    misfit: 'the cloud says that this machine does not take this disk: {error}',
    claim: 'it mounts {claim}',
    attached: 'the volume was attached since',
  },
  slots: (place, { misfit: refused, claim }) => ({
    ...namesOf(place),
    volume: refused?.fields['volume'] ?? claim?.source ?? 'of the claim',
    error: (refused?.fields['error'] ?? 'not supported').trim(),
    claim: claim ? `claim ${claim.source ?? claim.name}` : 'a claim',
  }),

  fixes: [
    {
      say: 'Compare the type of the disk with the machine types of the nodes',
      risk: 'reads-only',
      steps: [
        {
          say: 'the disk type each class asks for',
          run: "kubectl get storageclass -o custom-columns='NAME:.metadata.name,PROVISIONER:.provisioner,PARAMETERS:.parameters'",
          on: 'cluster',
        },
        { say: 'machine types of the nodes', run: 'kubectl get nodes -L node.kubernetes.io/instance-type', on: 'cluster' },
      ],
    },
    {
      say: 'Let the pod run on machines that take the disk: a node pool of such a type, chosen by a node selector',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'pin the workload to that type',
          run: `kubectl -n {{namespace}} patch {{target}} --type merge -p '{"spec":{"template":{"spec":{"nodeSelector":{"node.kubernetes.io/instance-type":"TYPE"}}}}}'`,
          on: 'cluster',
        },
      ],
      verified: 'the pod has the event SuccessfulAttachVolume',
    },
    {
      say: 'Or use a StorageClass whose disk type the machines support, and move the data: the type of a disk that exists is changed at the cloud, or by a snapshot and a new claim',
      risk: 'reads-only',
      steps: [{ say: 'claim and class', run: 'kubectl -n {{namespace}} get pvc; kubectl get storageclass', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'Azure Compute errors (storage account type and VM size)',
    'GCE documentation: machine families and disk types',
    'Alibaba Cloud ECS API error codes',
  ],
});
