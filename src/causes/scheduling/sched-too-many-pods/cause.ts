import {
  accountsForAll,
  defineCause,
  excludes,
  leadsAmongOthers,
  leadsIn,
  line,
  minutes,
  needs,
  othersIn,
  proves,
  supports,
} from '../../define-cause.ts';

const refused = line(
  ['Too many pods', 'Insufficient pods'],
  ['pod-events', 'pod-status', 'control-plane-log'],
  /(?<refusal>(?:\d{1,6}\/\d{1,6} )?nodes are available[^\n]{0,4000})/,
);
const placed = line(['Successfully assigned ', 'Started container', 'Container started', 'Pulling image "'], 'pod-events');

const OWN = /Too many pods|Insufficient pods/;

export const cause = defineCause({
  id: 'sched-too-many-pods',
  area: 'scheduling',
  at: 'Cluster',
  maturity: 'stable',
  explains: ['pending'],

  text: {
    name: 'Pod limit of nodes reached',
    title: '{count} nodes already hold as many pods as they may (Too many pods)',
    why: 'Each kubelet takes only maxPods pods (110 unless set; fewer where the network plugin has few addresses per node). The nodes have reached that number, so new pods stay Pending even if cpu and memory are free.',
  },

  clues: {
    pending: needs('pod.symptom', ({ symptom }) => symptom === 'pending'),
    leading: needs('pod.unschedulable', leadsIn(OWN)),
    sole: proves('pod.unschedulable', accountsForAll(OWN)),
    message: supports(refused),
    beside: supports('pod.unschedulable', leadsAmongOthers(OWN)),
    maxPods: supports('kubelet.setting', ({ key }) => key === 'maxPods' || key === 'max-pods'),
    placed: excludes(placed),
    otherReason: excludes('pod.unschedulable', (refusal) => refusal.recent && !leadsIn(OWN)(refusal)),
  },
  says: {
    pending: 'the pod waits for a node',
    leading: 'no other reason holds back more of the nodes it may use',
    sole: 'this reason alone keeps it from all nodes',
    message: 'the scheduler says: {count} nodes have Too many pods',
    beside: 'nodes are out for other reasons too: {others}',
    maxPods: 'the kubelet is set to {maxPods} pods',
    placed: 'it has been placed since; the refusals are over',
    otherReason: 'its own refusal names another reason first',
  },
  slots: (_place, { leading, beside, maxPods }) => {
    const of = leading?.nodes ? ` of ${leading.nodes}` : '';
    return {
      others: othersIn(beside ?? leading, OWN),
      count: `${leading?.reasons.find(({ text }) => OWN.test(text))?.count ?? 'All'}${of}`,
      maxPods: maxPods?.value ?? 'its number of',
    };
  },

  fixes: [
    {
      say: 'Remove pods that are not needed, or add a node',
      risk: 'moves-pods',
      steps: [
        {
          say: 'pods per node against the limit',
          run: "kubectl get nodes -o custom-columns='NODE:.metadata.name,MAXPODS:.status.allocatable.pods'; kubectl get pods -A -o wide --no-headers | awk '{print $8}' | sort | uniq -c",
          on: 'cluster',
        },
        { say: 'finished pods do not count, but idle replicas do: scale them down, or add a node', on: 'cluster' },
      ],
      verified: 'the waiting pods have the event Scheduled',
    },
    {
      say: 'Raise maxPods of the kubelets, if the pod network has the addresses',
      risk: 'touches-node',
      steps: [
        { say: 'a /24 per node serves about 250 pods; cloud networks may first need prefix delegation or larger instances', on: 'node' },
        {
          say: 'set maxPods in the kubelet configuration',
          run: "grep -n maxPods /var/lib/kubelet/config.yaml || echo 'maxPods: 200' >> /var/lib/kubelet/config.yaml",
          on: 'node',
        },
        { say: 'restart the kubelet; pods go on running', run: 'systemctl restart kubelet', on: 'node' },
      ],
      verified: 'allocatable pods of the node has risen',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: [
    'kubernetes pkg/scheduler/framework/plugins/noderesources/fit.go',
    'kubernetes pkg/kubelet/apis/config/v1beta1/defaults.go (maxPods)',
  ],
});
