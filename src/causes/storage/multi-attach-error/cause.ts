import { defineCause, excludes, isOneOf, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

const multiAttach = line(
  'Multi-Attach error for volume',
  ['pod-events', 'control-plane-log'],
  /Multi-Attach error for volume [\\"“”]{0,8}(?<volume>[^\s\\"“”]{1,200})[\\"“”]{0,8}(?:[\s\S]{0,400}?Volume is already (?:exclusively attached to one node|used by pod\(s\) (?<pods>[^\n\\"]{1,300}))|)/,
);

const held = line(
  [
    'AttachDiskWhileBeingDetached',
    'disk is currently being detached',
    'could not be attached to node',
    'VolumeInUse: ',
    'is already attached to an instance',
    'RESOURCE_IN_USE_BY_ANOTHER_RESOURCE',
    'is already being used by',
    'cannot be attached, it is attached to',
    'already attached to server',
    'DiskInUse',
    'Volume is attached on another node',
    'is currently attached to different node',
    'volume is already attached to node',
    'since it is already attached to the node',
    'is already attached to another',
    'already attached to a different',
    'is attached to another node',
    'is already published at',
    'is different from previous spec',
    'types.ResourceInUse',
    'please detach it first',
    'already attached to instance',
    'is attached to wrong droplet',
    'already attached to Linode',
    'in non-shareable mode',
    'but the current status is in-use',
  ],
  ['pod-events', 'control-plane-log', 'container-log'],
  withContext(
    /AttachDiskWhileBeingDetached|disk is currently being detached|disk\((?<azure>[^)\s]{1,300})\) already attached to node\((?<node>[^)\s]{1,253})\), could not be attached to node|VolumeInUse: (?<aws>vol-\w{1,30})|(?<vol>vol-\w{1,30}) is already attached to an instance|RESOURCE_IN_USE_BY_ANOTHER_RESOURCE|disk resource '[^'\n]{1,300}' is already being used by '(?<gce>[^'\n]{1,300})'|[Vv]olume \S{1,200} cannot be attached, it is attached to (?<cinder>[\w.-]{1,253})|already attached to server (?<server>[\w.-]{1,253})|Code=[\\"]{0,4}DiskInUse|Volume is attached on another node|volume is (?:currently attached to different|already attached to) node (?<other>[\w.-]{1,253})|since it is already attached to the node (?<longhorn>[\w.-]{1,253})|is (?:already )?attached to another (?:node|server|instance|machine|vm)|already attached to a different (?:node|server|instance|droplet|machine)|volume[^\n]{0,80}is already published at|failed to attach (?:cns volume|disk)[^\n]{0,300}types\.ResourceInUse|already attached to a server, please detach it first|already attached to instances? [\\"']{0,4}(?<instance>[\w.-]{1,253})|is attached to wrong droplet ?\(?(?<droplet>\d{1,20})?|already attached to Linode (?<linode>\d{1,20})|already attached (?:to[^\n]{0,120} )?in non-shareable mode|status must be available[^\n]{0,40} to reserve, but the current status is in-use|Node to be attached [\w.-]{1,253} is different from previous spec (?<spec>[\w.-]{1,253})/,
    { may: [NAMED_VOLUME] },
  ),
);

export const cause = defineCause({
  id: 'multi-attach-error',
  area: 'storage',
  at: 'Workload',
  maturity: 'stable',
  explains: ['creating', 'init-stuck'],
  effectOf: ['csi-driver-not-registered', 'volume-stuck-unmounting', 'finalizer-blocks-deletion'],

  text: {
    name: 'Volume attached elsewhere',
    title: 'Volume {volume} is still attached to another node',
    why: 'Volume {volume} is ReadWriteOnce: it can be attached to one node at a time. Kubernetes wants to attach it to the node of the new pod while the attachment to the old node ({holder}) still stands: an old pod that still runs or hangs in Terminating, a node that went down, or a rolling update that starts the new pod before the old one has ended.',
  },

  clues: {
    multiAttach: proves(multiAttach),
    held: proves(held),
    oldPod: supports('pod.symptom', isOneOf('stuck-terminating')),
    started: excludes('pod.event', ({ reason }) => reason === 'Started' || reason === 'Pulled'),
  },
  says: {
    multiAttach: 'the volume {volume} cannot be attached to a second node',
    held: 'the cloud still holds the disk at another machine, or detaches it',
    oldPod: 'an old pod of the workload hangs in Terminating: {old}',
    started: 'its containers were started since: the volume came free',
  },
  slots: (place, { multiAttach: said, held: cloud, oldPod }) => ({
    workload: place.kind === 'Workload' || place.kind === 'Pod' ? place.name : 'the pod',
    namespace: namesOf(place).namespace,
    volume: said?.fields['volume'] ?? cloud?.fields['volume'] ?? cloud?.fields['aws'] ?? cloud?.fields['vol'] ?? 'of the claim',
    old: oldPod?.about.split('/').at(-1) ?? 'the old pod',
    holder: said?.fields['pods']
      ? `used by ${said.fields['pods'].trim()}`
      : (holderOf(cloud?.fields) ?? oldPod?.about.split('/').at(-1) ?? 'see the VolumeAttachment'),
  }),

  fixes: [
    {
      say: 'See who holds the volume',
      risk: 'reads-only',
      steps: [
        { say: 'the node it is attached to', run: 'kubectl get volumeattachment | grep {{volume}}', on: 'cluster' },
        {
          say: 'pods of the namespace with their nodes, and the state of the nodes',
          run: 'kubectl -n {{namespace}} get pods -o wide; kubectl get nodes',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Let the old pod end; the volume follows by itself (up to six minutes after its node fell silent)',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'the old node lives: delete the old pod in good order and see why it does not end',
          run: 'kubectl -n {{namespace}} delete pod {{old}}',
          on: 'cluster',
        },
        {
          say: 'for a Deployment with one ReadWriteOnce volume use strategy Recreate, so that this does not come back',
          run: 'kubectl -n {{namespace}} patch deployment {{workload}} -p \'{"spec":{"strategy":{"type":"Recreate","rollingUpdate":null}}}\'',
          on: 'cluster',
        },
      ],
      verified: 'the pod gets SuccessfulAttachVolume and starts',
    },
    {
      say: 'No pod and no VolumeAttachment has it, but the cloud still holds it at a machine: detach it there',
      risk: 'may-lose-data',
      steps: [
        { say: 'what the disk is called there', run: 'kubectl get pv {{volume}} -o jsonpath={.spec.csi.volumeHandle}', on: 'cluster' },
        {
          say: 'only when that machine no longer mounts it; the console of the cloud does the same',
          run: 'aws ec2 detach-volume --volume-id ID || openstack server remove volume SERVER ID || hcloud volume detach ID',
        },
      ],
    },
    {
      say: 'If the old node is dead for certain (powered off), tell the cluster so',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'two writers on one file system destroy it: make sure that the node is off, not just NotReady',
          run: 'kubectl taint node OLD-NODE node.kubernetes.io/out-of-service=nodeshutdown:NoExecute',
          on: 'cluster',
        },
        {
          say: 'take the taint away when the node comes back',
          run: 'kubectl taint node OLD-NODE node.kubernetes.io/out-of-service-',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/controller/volume/attachdetach/reconciler/reconciler.go (reportMultiAttachError)',
    'kubernetes docs: non-graceful node shutdown',
  ],
});

/** Where the cloud says that the disk is: a machine, by name, id or path. */
function holderOf(fields: Readonly<Record<string, string>> | undefined): string | undefined {
  const machine =
    fields?.['node'] ??
    fields?.['gce'] ??
    fields?.['cinder'] ??
    fields?.['server'] ??
    fields?.['other'] ??
    fields?.['longhorn'] ??
    fields?.['instance'] ??
    fields?.['droplet'] ??
    fields?.['linode'] ??
    fields?.['spec'];
  return machine?.replace(/^.*\//, '');
}
