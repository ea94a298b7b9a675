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
  'Insufficient ',
  ['pod-events', 'pod-status', 'control-plane-log'],
  /(?<refusal>(?:\d{1,6}\/\d{1,6} )?nodes are available[^\n]{0,4000})/,
);
const noVictims = line('No preemption victims found', ['pod-events', 'control-plane-log']);
const noScaleUp = line("didn't trigger scale-up", 'pod-events', /didn't trigger scale-up[^:\n]{0,80}: (?<why>[^\n]{1,200})/);
const placed = line(['Successfully assigned ', 'Started container', 'Container started', 'Pulling image "'], 'pod-events');

const OWN = /Insufficient (?!pods\b)(?<resource>[\w./-]{0,100}\w)/;

export const cause = defineCause({
  id: 'sched-insufficient-resources',
  area: 'scheduling',
  at: 'Workload',
  maturity: 'stable',
  explains: ['pending'],
  effectOf: ['hugepages-or-shm-misfit', 'sched-dra-or-device-unavailable', 'sched-priority-preempted'],

  text: {
    name: 'Requests exceed free capacity',
    title: 'No node has enough free {resource} for {name}: {shortage}',
    why: 'The {resource} requests of the pod do not fit into what the requests of other pods leave of the allocatable capacity of any node, so the scheduler keeps it Pending. Requests count here, not real usage.{hint}',
  },

  clues: {
    pending: needs('pod.symptom', ({ symptom }) => symptom === 'pending'),
    leading: needs('pod.unschedulable', leadsIn(OWN)),
    sole: proves('pod.unschedulable', accountsForAll(OWN)),
    message: supports(refused),
    beside: supports('pod.unschedulable', leadsAmongOthers(OWN)),
    noVictims: supports(noVictims),
    noScaleUp: supports(noScaleUp),
    placed: excludes(placed),
  },
  says: {
    pending: 'the pod waits for a node',
    leading: 'no other reason holds back more of the nodes it may use',
    sole: 'this reason alone keeps it from all nodes',
    message: 'the scheduler says: {shortage}',
    beside: 'nodes are out for other reasons too: {others}',
    noVictims: 'no pod of lower priority could make room',
    noScaleUp: 'the autoscaler adds no node: {scaleUp}',
    placed: 'it has been placed since; the refusals are over',
  },
  slots: (place, { leading, beside, noScaleUp: autoscaler }) => {
    const own = (leading?.reasons ?? []).filter(({ text }) => OWN.test(text));
    const resources = own.map(({ text }) => OWN.exec(text)?.groups?.['resource'] ?? 'capacity');
    const of = leading?.nodes ? ` of ${leading.nodes}` : '';
    return {
      others: othersIn(beside ?? leading, OWN),
      ...namesOf(place),
      name: place.name,
      resource: resources.join(' and ') || 'cpu or memory',
      shortage:
        own.map(({ count }, index) => `Insufficient ${resources[index]} on ${count}${of} nodes`).join(', ') || 'Insufficient resources',
      lowered: resources.length === 1 && /^(?:cpu|memory|ephemeral-storage)$/.test(resources[0] ?? '') ? `${resources[0]}` : '',
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
      changes: [
        {
          do: 'workload-set',
          field: 'resources.requests.{{lowered}}',
          value: { ask: 'request', says: 'the {{lowered}} it really needs, such as 250m of cpu or 256Mi of memory' },
        },
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
