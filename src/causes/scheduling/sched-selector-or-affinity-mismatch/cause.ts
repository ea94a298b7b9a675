import { defineCause, excludes, line, minutes, needs, proves, supports } from '../../define-cause.ts';

const refused = line(
  'nodes are available',
  ['pod-events', 'pod-status', 'control-plane-log'],
  /(?:\/(?<nodes>\d{1,6}) )?nodes are available[^:\n]{0,60}::? (?<reasons>[^\n]{0,2000}?(?:didn't match (?:Pod's )?node (?:affinity|selector)|MatchNodeSelector)[^\n]{0,2000})/,
);
const placed = line(['Successfully assigned ', 'Started container', 'Container started', 'Pulling image "'], 'pod-events');

const OWN = /didn't match (?:Pod's )?node (?:affinity|selector)|MatchNodeSelector/;

interface Reason {
  readonly nodes: number;
  readonly text: string;
}

/** One by one: "2 Insufficient cpu, 1 node(s) …"; releases before 1.10 put the number behind, in brackets. */
function reasonsIn(reasons = ''): Reason[] {
  const [list = ''] = reasons.split(/\.? preemption: /);
  return list.split(/, (?=[\dA-Z])/).map((text) => ({ nodes: Number(/^\d+|\d+(?=\)\.?$)/.exec(text)?.[0] ?? 1), text }));
}

const CONTROL_PLANE = /node-role\.kubernetes\.io\/(?:control-plane|controlplane|master|etcd)/;

function most(reasons: readonly Reason[]): number {
  return Math.max(0, ...reasons.map(({ nodes }) => nodes));
}

/** Control planes are meant to be tainted: they do not count against the reason that holds back the workers. */
function leads(reasons: string | undefined): boolean {
  const all = reasonsIn(reasons);
  const others = all.filter(({ text }) => !OWN.test(text) && !CONTROL_PLANE.test(text));
  return most(all.filter(({ text }) => OWN.test(text))) >= Math.max(1, most(others));
}

function targetOf({ type, name }: { readonly type?: string; readonly name: string }): string {
  return type === undefined || type === '?' || name.includes(' ') ? 'deployment/NAME' : `${type.toLowerCase()}/${name}`;
}

function namespaceOf({ namespace }: { readonly namespace?: string }): string {
  return namespace === undefined || namespace === '?' ? 'NAMESPACE' : namespace;
}

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
    leading: needs(refused, ({ fields }) => leads(fields['reasons'])),
    message: proves(refused, ({ fields }) => leads(fields['reasons'])),
    selector: supports('pod.scheduling', ({ nodeSelector }) => Object.keys(nodeSelector ?? {}).length > 0),
    placed: excludes(placed),
  },
  says: {
    pending: 'the pod waits for a node',
    leading: 'no other reason holds back more nodes',
    message: 'the scheduler says: {count} nodes do not match its selector or affinity',
    selector: 'it asks for nodes with {labels}',
    placed: 'it has been placed since; the refusals are over',
  },
  slots: (place, { message, selector }) => {
    const own = reasonsIn(message?.fields['reasons']).filter(({ text }) => OWN.test(text));
    const nodes = message?.fields['nodes'];
    const labels = labelsOf(selector?.nodeSelector);
    return {
      name: place.name,
      target: targetOf(place),
      namespace: namespaceOf(place),
      count: `${own[0]?.nodes ?? 'all'}${nodes ? ` of ${nodes}` : ''}`,
      wanted: labels ? `nodeSelector ${labels}` : 'nodeSelector or node affinity',
      labels: labels || 'labels of its nodeSelector or node affinity',
      label: labels.split(', ')[0] || 'KEY=VALUE',
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
