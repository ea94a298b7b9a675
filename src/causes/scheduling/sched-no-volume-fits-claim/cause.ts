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

const message = line(
  ["didn't find available persistent volumes to bind", "didn't find available volumes to bind"],
  ['pod-events', 'pod-status', 'control-plane-log'],
  /didn't find available (?:persistent )?volumes to bind/,
);
const placed = line(['Successfully assigned ', 'Started container', 'Container started', 'Pulling image "'], 'pod-events');

const OWN = /didn't find available (?:persistent )?volumes to bind/;

export const cause = defineCause({
  id: 'sched-no-volume-fits-claim',
  area: 'scheduling',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['pending'],
  effectOf: ['pv-lost-or-mismatch', 'pvc-provisioning-fails', 'pvc-no-storageclass-or-default'],

  text: {
    name: 'No volume fits the claim',
    title: 'No PersistentVolume fits the claim of {name} on {count} nodes ({claim})',
    why: 'The StorageClass of {claim} binds when the first pod comes (WaitForFirstConsumer), and nothing makes its volumes by itself, or not for these nodes: with provisioner kubernetes.io/no-provisioner somebody has to create a PersistentVolume for each claim. None that is Available has the class, the size, the access mode and the node affinity asked for; a volume that is Released counts as taken. So no node can be chosen.{rest}',
  },

  clues: {
    pending: needs('pod.symptom', ({ symptom }) => symptom === 'pending'),
    leading: needs('pod.unschedulable', leadsIn(OWN)),
    sole: proves('pod.unschedulable', accountsForAll(OWN)),
    message: supports(message),
    beside: supports('pod.unschedulable', leadsAmongOthers(OWN)),
    claimed: supports('pod.volume', ({ type }) => /^PersistentVolumeClaim/i.test(type)),
    placed: excludes(placed),
  },
  says: {
    pending: 'the pod waits for a node',
    leading: 'no other reason holds back more of the nodes it may use',
    sole: 'this reason alone keeps it from all nodes',
    message: 'the scheduler finds no volume to bind on {count} nodes',
    beside: 'nodes are out for other reasons too: {others}',
    claimed: 'it mounts {claim}',
    placed: 'it has been placed since; a volume was found',
  },
  slots: (place, { leading, beside, claimed }) => {
    const all = leading?.reasons ?? [];
    const rest = all.filter(({ text }) => !OWN.test(text)).map(({ count, text }) => `${count} ${text}`);
    return {
      ...namesOf(place),
      name: place.name,
      others: othersIn(beside ?? leading, OWN),
      count: `${all.find(({ text }) => OWN.test(text))?.count ?? 'all'}${leading?.nodes ? ` of ${leading.nodes}` : ''}`,
      claim: claimed ? `claim ${claimed.source ?? claimed.name}` : 'one of its claims',
      claimName: claimed?.source ?? 'CLAIM',
      rest: rest.length > 0 ? ` Other nodes are out for another reason: ${rest.join(', ')}.` : '',
    };
  },

  fixes: [
    {
      say: 'Compare the claim with the volumes there are: class, size, access mode, volume mode, node affinity',
      risk: 'reads-only',
      steps: [
        {
          say: 'claim, classes with their provisioner, and volumes with their state',
          run: 'kubectl -n {{namespace}} describe pvc {{claimName}}; kubectl get storageclass; kubectl get pv',
          on: 'cluster',
        },
        {
          say: 'nodes that the volumes belong to (the host name must be spelt as in the label kubernetes.io/hostname)',
          run: 'kubectl get pv -o yaml | grep -nE "^    name:|storageClassName|values:|^ +- " ; kubectl get nodes --show-labels',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Create the missing PersistentVolume (one for each claim or replica), or let a provisioner make them',
      risk: 'reads-only',
      steps: [
        {
          say: 'for disks of the nodes: the local static provisioner, local-path-provisioner, TopoLVM or OpenEBS, and its class in the claim',
          run: 'kubectl get pods -A | grep -iE "provisioner|local|csi"',
          on: 'cluster',
        },
      ],
      verified: 'the claim becomes Bound and the pod is scheduled',
    },
    {
      say: 'A volume is Released after its old claim was deleted: keep its data if needed, then free it for the new claim',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'the new pod finds the old data on it',
          run: `kubectl patch pv VOLUME --type json -p '[{"op":"remove","path":"/spec/claimRef"}]'`,
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['kubernetes pkg/scheduler/framework/plugins/volumebinding (ErrReasonBindConflict)', 'kubernetes docs: storage classes, local'],
});
