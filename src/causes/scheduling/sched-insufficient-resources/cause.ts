import { defineCause, excludes, line, minutes, needs, proves, supports } from '../../define-cause.ts';

const refused = line(
  'nodes are available',
  ['pod-events', 'pod-status', 'control-plane-log'],
  /(?:\/(?<nodes>\d{1,6}) )?nodes are available[^:\n]{0,60}::? (?<reasons>[^\n]{0,2000}?Insufficient (?!pods\b)[^\n]{1,2000})/,
);
const noVictims = line('No preemption victims found', ['pod-events', 'control-plane-log']);
const noScaleUp = line("didn't trigger scale-up", 'pod-events', /didn't trigger scale-up[^:\n]{0,80}: (?<why>[^\n]{1,200})/);
const placed = line(['Successfully assigned ', 'Started container', 'Container started', 'Pulling image "'], 'pod-events');

const OWN = /Insufficient (?!pods\b)(?<resource>[\w./-]{0,100}\w)/;

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

export const cause = defineCause({
  id: 'sched-insufficient-resources',
  area: 'scheduling',
  at: 'Workload',
  maturity: 'stable',
  explains: ['pending'],

  text: {
    name: 'Requests exceed free capacity',
    title: 'No node has enough free {resource} for {name}: {shortage}',
    why: 'The {resource} requests of the pod do not fit into what the requests of other pods leave of the allocatable capacity of any node, so the scheduler keeps it Pending. Requests count here, not real usage.{hint}',
  },

  clues: {
    pending: needs('pod.symptom', ({ symptom }) => symptom === 'pending'),
    leading: needs(refused, ({ fields }) => leads(fields['reasons'])),
    message: proves(refused, ({ fields }) => leads(fields['reasons'])),
    noVictims: supports(noVictims),
    noScaleUp: supports(noScaleUp),
    placed: excludes(placed),
  },
  says: {
    pending: 'the pod waits for a node',
    leading: 'no other reason holds back more nodes',
    message: 'the scheduler says: {shortage}',
    noVictims: 'no pod of lower priority could make room',
    noScaleUp: 'the autoscaler adds no node: {scaleUp}',
    placed: 'it has been placed since; the refusals are over',
  },
  slots: (place, { message, noScaleUp: autoscaler }) => {
    const own = reasonsIn(message?.fields['reasons']).filter(({ text }) => OWN.test(text));
    const resources = own.map(({ text }) => OWN.exec(text)?.groups?.['resource'] ?? 'capacity');
    const of = message?.fields['nodes'] ? ` of ${message.fields['nodes']}` : '';
    return {
      name: place.name,
      target: targetOf(place),
      namespace: namespaceOf(place),
      resource: resources.join(' and ') || 'cpu or memory',
      shortage:
        own.map(({ nodes }, index) => `Insufficient ${resources[index]} on ${nodes}${of} nodes`).join(', ') || 'Insufficient resources',
      hint: resources.some((resource) => resource.includes('/'))
        ? ' A device resource that no node offers at all means that its device plugin does not run there.'
        : '',
      scaleUp: autoscaler?.fields['why'] ?? 'no group fits',
    };
  },

  fixes: [
    {
      say: 'Lower the {resource} request of {name} to what it really needs',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'see what is left: requests against allocatable, node by node',
          run: "kubectl describe nodes | grep -E '^Name:|Allocated resources' -A7",
          on: 'cluster',
        },
        {
          say: 'reduce resources.requests; a request above the size of the largest node can never be placed',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
        { say: 'during a rollout, maxSurge: 0 spares the room for old and new pod at once', on: 'cluster' },
      ],
      verified: 'the pod has the event Scheduled',
    },
    {
      say: 'Make room: add a node, or reduce requests or replicas of other workloads',
      risk: 'moves-pods',
      steps: [
        {
          say: 'who requests most',
          run: "kubectl get pods -A -o custom-columns='NS:.metadata.namespace,POD:.metadata.name,NODE:.spec.nodeName,CPU:.spec.containers[*].resources.requests.cpu,MEM:.spec.containers[*].resources.requests.memory'",
          on: 'cluster',
        },
        { say: 'scale those down, or add a node (raise the maximum of the node group where an autoscaler runs)', on: 'cluster' },
      ],
      verified: 'the pod has the event Scheduled',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['kubernetes pkg/scheduler/framework/plugins/noderesources/fit.go, pkg/scheduler/framework/types.go (FitError)'],
});
