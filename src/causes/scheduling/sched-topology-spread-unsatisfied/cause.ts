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
  ["didn't match pod topology spread constraints"],
  ['pod-events', 'pod-status', 'control-plane-log'],
  /(?<refusal>(?:\d{1,6}\/\d{1,6} )?nodes are available[^\n]{0,4000}|\d{1,6} node\(s\) didn't match pod topology spread[^\n]{0,400})/,
);
const placed = line(['Successfully assigned ', 'Started container', 'Container started', 'Pulling image "'], []);

const OWN = /didn't match pod topology spread constraints/;
const UNLABELLED = /missing required label/;

export const cause = defineCause({
  id: 'sched-topology-spread-unsatisfied',
  area: 'scheduling',
  at: 'Workload',
  maturity: 'stable',
  explains: ['pending', 'other-trouble'],

  text: {
    name: 'Topology spread not satisfied',
    title: 'No node satisfies the topologySpreadConstraints of {name} ({count} nodes{label})',
    why: '{mechanism} The constraint says whenUnsatisfiable: DoNotSchedule, so the scheduler keeps the pod Pending rather than make the spread uneven.{rest}',
  },

  clues: {
    leading: needs('pod.unschedulable', leadsIn(OWN)),
    sole: proves('pod.unschedulable', accountsForAll(OWN)),
    message: supports(refused),
    beside: supports('pod.unschedulable', leadsAmongOthers(OWN)),
    replicas: supports('workload.replicas', ({ desired, ready }) => desired !== undefined && ready !== undefined && ready < desired),
    placed: excludes(placed),
  },
  says: {
    leading: 'no other reason holds back more of the nodes it may use',
    sole: 'this reason alone keeps it from all nodes',
    message: 'the scheduler says: {count} nodes break its topology spread constraints',
    beside: 'nodes are out for other reasons too: {others}',
    replicas: '{ready} replicas of it run already',
    placed: 'it has been placed since; the refusals are over',
  },
  slots: (place, { leading, beside, replicas }) => {
    const all = leading?.reasons ?? [];
    const own = all.filter(({ text }) => OWN.test(text));
    const unlabelled = own.some(({ text }) => UNLABELLED.test(text));
    const of = leading?.nodes ? ` of ${leading.nodes}` : '';
    const rest = all.filter(({ text }) => !OWN.test(text)).map(({ count, text }) => `${count} ${text}`);
    return {
      others: othersIn(beside ?? leading, OWN),
      ...namesOf(place),
      name: place.name,
      count: `${own.reduce((sum, { count }) => sum + count, 0) || 'all'}${of}`,
      label: unlabelled ? ', missing the topology label' : '',
      mechanism: unlabelled
        ? 'The constraint spreads over a topologyKey, and those nodes do not carry that label, so they do not count as a place at all.'
        : 'One more pod there would make the difference between the fullest and the emptiest topology domain larger than maxSkew.',
      rest: rest.length > 0 ? ` The domains that still have room are out for another reason: ${rest.join(', ')}.` : '',
      ready: replicas ? `${replicas.ready ?? 0} of ${replicas.desired ?? '?'}` : 'some',
    };
  },

  fixes: [
    {
      say: 'See the constraint, the labels of the nodes and where its pods run',
      risk: 'reads-only',
      steps: [
        {
          say: 'topologyKey, maxSkew, labelSelector',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nA12 'topologySpreadConstraints:'",
          on: 'cluster',
        },
        { say: 'the domains', run: 'kubectl get nodes -L topology.kubernetes.io/zone,kubernetes.io/hostname', on: 'cluster' },
        { say: 'where its pods are', run: 'kubectl -n {{namespace}} get pods -o wide', on: 'cluster' },
      ],
    },
    {
      say: 'Label the nodes with the topologyKey, or bring room into the emptiest domain',
      risk: 'moves-pods',
      steps: [
        {
          say: 'every node that shall count needs the label',
          run: 'kubectl label node NODE topology.kubernetes.io/zone=ZONE',
          on: 'cluster',
        },
        {
          say: 'a domain whose nodes are full, cordoned or tainted still counts as empty: add a node there, uncordon it, or set nodeTaintsPolicy: Honor',
        },
      ],
      verified: 'the pod has the event Scheduled',
    },
    {
      say: 'Or soften the constraint: whenUnsatisfiable: ScheduleAnyway, or a larger maxSkew',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'for rolling updates add matchLabelKeys: [pod-template-hash], so that old pods do not count',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: 'the pod has the event Scheduled',
    },
    {
      say: 'Or do without: take topologySpreadConstraints out of the pod template',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'all constraints go',
          run: `kubectl -n {{namespace}} patch {{target}} --type json -p '[{"op":"remove","path":"/spec/template/spec/topologySpreadConstraints"}]'`,
          on: 'cluster',
        },
      ],
      changes: [{ do: 'workload-unset', field: 'topologySpreadConstraints' }],
      verified: 'the pod has the event Scheduled',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['kubernetes pkg/scheduler/framework/plugins/podtopologyspread/filtering.go'],
});
