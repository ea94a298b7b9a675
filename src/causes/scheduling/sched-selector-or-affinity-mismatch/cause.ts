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
  ["didn't match Pod's node ", "didn't match node ", 'MatchNodeSelector'],
  ['pod-events', 'pod-status', 'control-plane-log'],
  /(?<refusal>(?:\d{1,6}\/\d{1,6} )?nodes are available[^\n]{0,4000})/,
);
const placed = line(['Successfully assigned ', 'Started container', 'Container started', 'Pulling image "'], 'pod-events');

const OWN = /didn't match (?:Pod's )?node (?:affinity|selector)|MatchNodeSelector/;

function labelsOf(selector: Readonly<Record<string, string>> | undefined): string {
  return Object.entries(selector ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
}

export const cause = defineCause({
  id: 'sched-selector-or-affinity-mismatch',
  area: 'scheduling',
  at: 'Workload',
  maturity: 'stable',
  explains: ['pending'],

  text: {
    name: 'No node has the labels',
    title: 'No node matches the {wanted} of {name} ({count} nodes)',
    why: 'The pod may only run on nodes whose labels satisfy its {wanted}; {count} nodes do not have such labels, so the scheduler keeps it Pending from the start.',
  },

  clues: {
    pending: needs('pod.symptom', ({ symptom }) => symptom === 'pending'),
    leading: needs('pod.unschedulable', leadsIn(OWN)),
    sole: proves('pod.unschedulable', accountsForAll(OWN)),
    message: supports(refused),
    beside: supports('pod.unschedulable', leadsAmongOthers(OWN)),
    selector: supports('pod.scheduling', ({ nodeSelector }) => Object.keys(nodeSelector ?? {}).length > 0),
    placed: excludes(placed),
  },
  says: {
    pending: 'the pod waits for a node',
    leading: 'no other reason holds back more of the nodes it may use',
    sole: 'this reason alone keeps it from all nodes',
    message: 'the scheduler says: {count} nodes do not match its selector or affinity',
    beside: 'nodes are out for other reasons too: {others}',
    selector: 'it asks for nodes with {labels}',
    placed: 'it has been placed since; the refusals are over',
  },
  slots: (place, { leading, beside, selector }) => {
    const own = (leading?.reasons ?? []).filter(({ text }) => OWN.test(text));
    const of = leading?.nodes ? ` of ${leading.nodes}` : '';
    const labels = labelsOf(selector?.nodeSelector);
    const keys = Object.keys(selector?.nodeSelector ?? {});
    return {
      others: othersIn(beside ?? leading, OWN),
      ...namesOf(place),
      name: place.name,
      count: `${own[0]?.count ?? 'all'}${of}`,
      wanted: labels ? `nodeSelector ${labels}` : 'nodeSelector or node affinity',
      labels: labels || 'labels of its nodeSelector or node affinity',
      label: labels.split(', ')[0] || 'KEY=VALUE',
      labelKey: keys.length === 1 ? `${keys[0]}` : '',
    };
  },

  fixes: [
    {
      say: 'Correct the nodeSelector or node affinity of {name} to labels that nodes really have',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'what it asks for',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A14 'nodeSelector:|nodeAffinity:'",
          on: 'cluster',
        },
        { say: 'which labels the nodes have', run: 'kubectl get nodes --show-labels', on: 'cluster' },
        {
          say: 'change or remove the selector; where a chart or an add-on writes it, change it there',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      changes: [
        {
          do: 'workload-set',
          field: 'nodeSelector.{{labelKey}}',
          value: { ask: 'label', says: 'a value of {{labelKey}} that nodes have' },
        },
      ],
      verified: 'the pod has the event Scheduled',
    },
    {
      say: 'Or label the nodes that are meant: {labels}',
      risk: 'moves-pods',
      steps: [
        {
          say: 'label a node; nodes of a group lose hand-made labels when they are replaced, so set it on the group as well',
          run: 'kubectl label node NODE {{label}}',
          on: 'cluster',
        },
      ],
      verified: 'the pod has the event Scheduled',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['kubernetes pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go'],
});
