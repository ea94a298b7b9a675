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
  ["didn't match pod affinity", "didn't match pod anti-affinity", "didn't satisfy existing pods anti-affinity", 'MatchInterPodAffinity'],
  ['pod-events', 'pod-status', 'control-plane-log'],
  /(?<refusal>(?:\d{1,6}\/\d{1,6} )?nodes are available[^\n]{0,4000})/,
);
const placed = line(['Successfully assigned ', 'Started container', 'Container started', 'Pulling image "'], 'pod-events');

const OWN = /didn't match pod (?:anti-)?affinity|didn't satisfy existing pods anti-affinity|MatchInterPodAffinity/;

function ruleIn(text: string): { rule: string; mechanism: string } {
  // Told from both sides it is a rule of replicas against each other.
  if (/existing pods anti-affinity/.test(text) && /(?:affinity\/|pod )anti-affinity|MatchInterPodAffinity/.test(text))
    return {
      rule: 'its pod anti-affinity',
      mechanism:
        'It and pods that already run keep away from each other (mostly replicas of one workload, one per node), and each of those nodes has such a pod already; a rolling update needs one node more than there are replicas, unless an old pod goes first (maxSurge 0)',
    };
  if (/existing pods anti-affinity/.test(text))
    return {
      rule: 'the anti-affinity of pods that already run',
      mechanism: 'Pods that already run there have an anti-affinity against pods with the labels of this one',
    };
  if (/affinity\/anti-affinity|MatchInterPodAffinity/.test(text))
    return {
      rule: 'its pod affinity or anti-affinity',
      mechanism: 'It wants to be beside pods that are not there, or away from pods that are on every node',
    };
  if (/anti-affinity/.test(text))
    return {
      rule: 'its pod anti-affinity',
      mechanism:
        'It wants to be away from pods with certain labels (mostly its own replicas), and each of those nodes, or its zone, has one already',
    };
  return {
    rule: 'its pod affinity',
    mechanism: 'It wants to be beside pods with certain labels, and no such pod runs on those nodes (or in their zone)',
  };
}

export const cause = defineCause({
  id: 'sched-pod-affinity-unsatisfied',
  area: 'scheduling',
  at: 'Workload',
  maturity: 'stable',
  explains: ['pending'],

  text: {
    name: 'Pod affinity not satisfied',
    title: 'No node satisfies {rule} for {name} ({count} nodes)',
    why: '{mechanism}. The rule is required, so the scheduler keeps the pod Pending rather than bend it.',
  },

  clues: {
    pending: needs('pod.symptom', ({ symptom }) => symptom === 'pending'),
    leading: needs('pod.unschedulable', leadsIn(OWN)),
    sole: proves('pod.unschedulable', accountsForAll(OWN)),
    message: supports(refused),
    beside: supports('pod.unschedulable', leadsAmongOthers(OWN)),
    replicas: supports('workload.replicas', ({ desired, ready }) => desired !== undefined && ready !== undefined && ready < desired),
    placed: excludes(placed),
  },
  says: {
    pending: 'the pod waits for a node',
    leading: 'no other reason holds back more of the nodes it may use',
    sole: 'this reason alone keeps it from all nodes',
    message: 'the scheduler says: {count} nodes do not satisfy {rule}',
    beside: 'nodes are out for other reasons too: {others}',
    replicas: '{ready} replicas of it run already',
    placed: 'it has been placed since; the refusals are over',
  },
  slots: (place, { leading, beside, replicas }) => {
    const own = (leading?.reasons ?? []).filter(({ text }) => OWN.test(text));
    const of = leading?.nodes ? ` of ${leading.nodes}` : '';
    return {
      others: othersIn(beside ?? leading, OWN),
      ...namesOf(place),
      name: place.name,
      count: `${own[0]?.count ?? 'all'}${of}`,
      ready: replicas ? `${replicas.ready ?? 0} of ${replicas.desired ?? '?'}` : 'some',
      ...ruleIn(own.map(({ text }) => text).join('; ')),
    };
  },

  fixes: [
    {
      say: 'See what the rule asks for, and which pods have those labels',
      risk: 'reads-only',
      steps: [
        {
          say: 'the rule: labelSelector, topologyKey, namespaces',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A16 'podAffinity:|podAntiAffinity:'",
          on: 'cluster',
        },
        {
          say: 'pods with those labels, and their nodes (a rule without namespaces counts only its own)',
          run: 'kubectl -n {{namespace}} get pods -o wide --show-labels',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Make it a wish instead of a demand, or correct its labels',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'preferredDuringSchedulingIgnoredDuringExecution instead of requiredDuring…; a selector that matches; a wider topologyKey',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: 'the pod has the event Scheduled',
    },
    {
      say: 'Or give it room: anti-affinity over hosts needs at least as many nodes as replicas, and one more for a rolling update',
      risk: 'moves-pods',
      steps: [
        {
          say: 'fewer replicas, more nodes, or maxSurge 0',
          run: 'kubectl -n {{namespace}} get {{target}} -o wide; kubectl get nodes',
          on: 'cluster',
        },
      ],
      verified: 'the pod has the event Scheduled',
    },
    {
      say: 'Or do without the rule: take affinity out of the pod template, rules about nodes too',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'all of spec.affinity goes',
          run: `kubectl -n {{namespace}} patch {{target}} --type json -p '[{"op":"remove","path":"/spec/template/spec/affinity"}]'`,
          on: 'cluster',
        },
      ],
      changes: [{ do: 'workload-unset', field: 'affinity' }],
      verified: 'the pod has the event Scheduled',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['kubernetes pkg/scheduler/framework/plugins/interpodaffinity/filtering.go'],
});
