import {
  accountsForAll,
  defineCause,
  excludes,
  leadsAmongOthers,
  leadsIn,
  line,
  minutes,
  namesOf,
  needs,
  othersIn,
  proves,
  supports,
} from '../../define-cause.ts';

const refused = line(
  [
    'volume node affinity conflict',
    "didn't match PersistentVolume's node affinity",
    'no available volume zone',
    'NoVolumeZoneConflict',
    'NoVolumeNodeConflict',
  ],
  ['pod-events', 'pod-status', 'control-plane-log'],
  /(?<refusal>(?:\d{1,6}\/\d{1,6} )?nodes are available[^\n]{0,4000}|\d{1,6} node\(s\) had volume node affinity conflict[^\n]{0,1000})/,
);
const placed = line(['Successfully assigned ', 'Started container', 'Container started', 'Pulling image "'], 'pod-events');

const OWN =
  /volume node affinity conflict|PersistentVolume's node affinity|no available volume zone|NoVolumeZoneConflict|NoVolumeNodeConflict/;

export const cause = defineCause({
  id: 'sched-volume-node-affinity-conflict',
  area: 'scheduling',
  at: 'Workload',
  maturity: 'stable',
  explains: ['pending'],
  effectOf: ['node-unreachable'],

  text: {
    name: 'Volume tied to other node',
    title: 'The volume of {name} is tied to a zone or node that has no place: volume node affinity conflict on {count} nodes',
    why: 'A PersistentVolume of this pod ({claim}) can only be reached from certain nodes, as a zonal disk or a local disk can. {count} nodes are not among them, so the pod stays Pending until a node of that zone, or that very node, can take it.{rest}',
  },

  clues: {
    pending: needs('pod.symptom', ({ symptom }) => symptom === 'pending'),
    leading: needs('pod.unschedulable', leadsIn(OWN)),
    sole: proves('pod.unschedulable', accountsForAll(OWN)),
    message: supports(refused),
    beside: supports('pod.unschedulable', leadsAmongOthers(OWN)),
    claim: supports('pod.volume', ({ type }) => /^PersistentVolumeClaim/i.test(type)),
    placed: excludes(placed),
  },
  says: {
    pending: 'the pod waits for a node',
    leading: 'no other reason holds back more of the nodes it may use',
    sole: 'this reason alone keeps it from all nodes',
    message: 'the scheduler says: the volume does not belong to {count} nodes',
    beside: 'nodes are out for other reasons too: {others}',
    claim: 'it mounts {claim}',
    placed: 'it has been placed since; the refusals are over',
  },
  slots: (place, { leading, beside, claim }) => {
    const all = leading?.reasons ?? [];
    const of = leading?.nodes ? ` of ${leading.nodes}` : '';
    const rest = all.filter(({ text }) => !OWN.test(text)).map(({ count, text }) => `${count} ${text}`);
    return {
      others: othersIn(beside ?? leading, OWN),
      ...namesOf(place),
      name: place.name,
      count: `${all.find(({ text }) => OWN.test(text))?.count ?? 'all'}${of}`,
      claim: claim ? `claim ${claim.source ?? claim.name}` : 'one of its claims',
      claimName: claim?.source ?? 'CLAIM',
      rest: rest.length > 0 ? ` The nodes that may reach it are out for another reason: ${rest.join(', ')}.` : '',
    };
  },

  fixes: [
    {
      say: 'Bring back or add a node in the same zone as the volume (or the very node of a local volume)',
      risk: 'moves-pods',
      steps: [
        {
          say: 'where the volume belongs',
          run: "kubectl get pv $(kubectl -n {{namespace}} get pvc {{claimName}} -o jsonpath='{.spec.volumeName}') -o jsonpath='{.spec.nodeAffinity}'",
          on: 'cluster',
        },
        {
          say: 'which node stands in which zone, and which are cordoned',
          run: 'kubectl get nodes -L topology.kubernetes.io/zone',
          on: 'cluster',
        },
        { say: 'add or uncordon a node in that zone; a node group per zone keeps the autoscaler from choosing another', on: 'cluster' },
      ],
      verified: 'the pod has the event Scheduled',
    },
    {
      say: 'Move the data: create a volume in a zone that has nodes (or zone-redundant storage) from a snapshot or backup',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'keep the old volume whatever happens',
          run: `kubectl patch pv VOLUME -p '{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}'`,
          on: 'cluster',
        },
        {
          say: 'restore a snapshot into a new claim whose StorageClass has volumeBindingMode: WaitForFirstConsumer, then let the pod use that claim',
          on: 'cluster',
        },
      ],
      verified: 'the pod is Ready with its data',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['kubernetes pkg/scheduler/framework/plugins/volumebinding/volume_binding.go, plugins/volumezone/volume_zone.go'],
});
