import { defineCause, excludes, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

/** In the words of EC2, Azure, OpenStack, GCE, Alibaba, Tencent Cloud and Hetzner. */
const elsewhere = line(
  [
    'InvalidVolume.ZoneMismatch',
    'not in the same availability zone',
    'not in the same availability_zone',
    'not in the same zone',
    'because it is not in zone',
    'must be in the same zone',
    'belongs to an Availability Set',
    'Code=ZoneNotMatch',
    'in different locations',
    'must be in the same region',
  ],
  ['pod-events', 'container-log', 'control-plane-log', 'object-events'],
  withContext(
    /(?<error>InvalidVolume\.ZoneMismatch|(?:is |are )?not in the same availability[ _]zone[^\n"]{0,60}|cannot be attached to the VM because it is not in (?:the same )?zone[^\n"]{0,80}|not in the same zone[^\n"]{0,60}|must be in the same (?:zone|region)[^\n"]{0,60}|because the resource belongs to an Availability Set|Code=ZoneNotMatch|(?:volume|disk) and (?:server|machine|instance) are in different locations)/,
    { may: [NAMED_VOLUME] },
  ),
);
// No channel: it settles it wherever it was printed.
const attached = line('AttachVolume.Attach succeeded for volume', []);

export const cause = defineCause({
  id: 'disk-in-other-zone',
  area: 'storage',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'other-trouble'],

  text: {
    name: 'Disk is in another zone',
    title: 'Volume {volume} cannot be attached: its disk is in another zone than the node ({error})',
    why: 'A disk of a cloud lives in one zone and can be attached only to machines of that zone. The pod was placed on a node of another one, and the cloud refuses: {error}. The scheduler heeds the zone only where the PersistentVolume (PV) names it in its node affinity. It does not where the PV was written by hand without one, where the StorageClass makes the disk at once (volumeBindingMode Immediate) in any zone, or where the nodes lack the topology labels the driver sets.',
  },

  clues: {
    elsewhere: proves(elsewhere),
    claim: supports('pod.volume', ({ type }) => /^PersistentVolumeClaim/i.test(type)),
    attached: excludes(attached),
  },
  says: {
    elsewhere: 'the cloud says that disk and machine are not in one zone: {error}',
    claim: 'it mounts {claim}',
    attached: 'the volume was attached since',
  },
  slots: (place, { elsewhere: refused, claim }) => ({
    ...namesOf(place),
    volume: refused?.fields['volume'] ?? claim?.source ?? 'of the claim',
    error: (refused?.fields['error'] ?? 'another zone').trim(),
    pv: refused?.fields['volume'] ?? 'PV',
    claim: claim ? `claim ${claim.source ?? claim.name}` : 'a claim',
  }),

  fixes: [
    {
      say: 'Compare the zone of the disk with the zones of the nodes',
      risk: 'reads-only',
      steps: [
        { say: 'zones of the nodes', run: 'kubectl get nodes -L topology.kubernetes.io/zone', on: 'cluster' },
        {
          say: 'what the volume says of its zone, and its handle at the cloud',
          run: 'kubectl get pv {{pv}} -o yaml | grep -nE -A12 "nodeAffinity:|volumeHandle:|zone"',
          on: 'cluster',
        },
        { say: 'binding mode of the classes', run: 'kubectl get storageclass', on: 'cluster' },
      ],
    },
    {
      say: 'Let the pod run in the zone of its disk: a node there, and nodeAffinity on the zone in the PV (or a node selector on the workload)',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'until the PV names its zone: pin the workload',
          run: `kubectl -n {{namespace}} patch {{target}} --type merge -p '{"spec":{"template":{"spec":{"nodeSelector":{"topology.kubernetes.io/zone":"ZONE"}}}}}'`,
          on: 'cluster',
        },
      ],
      verified: 'the pod has the event SuccessfulAttachVolume',
    },
    {
      say: 'For new volumes: a StorageClass with volumeBindingMode WaitForFirstConsumer, which makes the disk where the pod is placed',
      risk: 'reads-only',
      steps: [
        {
          say: 'a class cannot be edited: copy it under another name',
          run: 'kubectl get storageclass CLASS -o yaml > class.yaml',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'AWS EC2 API error codes; Azure Compute errors; openstack nova (cross_az_attach)',
    'Kubernetes documentation: storage classes, volume binding mode',
  ],
});
