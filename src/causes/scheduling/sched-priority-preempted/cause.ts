import { defineCause, line, minutes, namesOf, needs, on, proves, supports } from '../../define-cause.ts';

const preempted = line(
  ['Preempted by pod', 'Preempted by a pod', 'Preempted by '],
  ['pod-events', 'object-events'],
  /Preempted by (?:a )?(?:pod )?(?<by>[\w.-]{1,253}(?:\/[\w.-]{1,253})?)? ?on node (?<node>[\w.-]{1,253})/,
);
const byKubelet = line(
  ['Preempted in order to admit critical pod', 'preempting to admit', 'to admit critical pod'],
  ['pod-events', 'pod-status', 'kubelet-log'],
  /Preempted in order to admit critical pod|preempt(?:ing|ed)[^\n]{0,40}?to admit (?:a )?critical pod/i,
);
const accommodates = line(
  ['to accommodate a higher priority pod', 'PreemptionByScheduler'],
  ['pod-status', 'pod-spec'],
  /preempting to accommodate a higher priority pod|PreemptionByScheduler/,
);

export const cause = defineCause({
  id: 'sched-priority-preempted',
  area: 'scheduling',
  at: 'Workload',
  maturity: 'stable',
  explains: ['pending', 'failed', 'not-ready', 'stuck-terminating', 'restarts', 'evicted'],
  wakesOn: [
    on('pod.event', { reason: 'Preempted' }),
    on('pod.event', { reason: 'Preempting' }),
    on('pod.status', { status: 'Preempting' }),
  ],

  text: {
    name: 'Preempted by higher priority',
    title: '{name} was preempted: {who}',
    why: '{mechanism} Its controller makes a new pod, which stays Pending until there is room for its lower priority.',
  },

  clues: {
    suffers: needs('pod.symptom', ({ symptom }) =>
      /^(?:pending|failed|not-ready|stuck-terminating|restarts|evicted|crash-loop)$/.test(symptom),
    ),
    preempted: proves(preempted),
    byKubelet: proves(byKubelet),
    disrupted: proves(
      'pod.condition',
      ({ type, status, reason }) => type === 'DisruptionTarget' && status === 'True' && reason === 'PreemptionByScheduler',
    ),
    accommodates: supports(accommodates),
    waiting: supports('pod.unschedulable'),
  },
  says: {
    suffers: 'pods of it are missing or wait: {state}',
    preempted: 'the scheduler removed it for a pod of higher priority{node}',
    byKubelet: 'the kubelet removed it to admit a critical pod',
    disrupted: 'the pod says of itself: PreemptionByScheduler',
    accommodates: 'it had to make room for a pod of higher priority',
    waiting: 'the scheduler finds no place for the new pod',
  },
  slots: (place, { suffers, preempted: scheduler, byKubelet: kubelet }) => {
    const by = scheduler?.fields['by'];
    const node = scheduler?.fields['node'];
    return {
      ...namesOf(place),
      name: place.name,
      state: suffers?.detail ?? 'Pending',
      node: node ? ` on node ${node}` : '',
      who: kubelet
        ? 'the kubelet needed its resources for a critical pod'
        : `the scheduler gave its place${node ? ` on node ${node}` : ''} to a pod of higher priority${by && by !== 'pod' ? ` (${by})` : ''}`,
      mechanism: kubelet
        ? 'A critical pod (static, or of a system priority class) had to run on a node without enough free resources, so its kubelet ended pods of lower priority.'
        : 'A pod with a higher PriorityClass did not fit anywhere, so the scheduler chose a node and deleted pods of lower priority there to make room.',
    };
  },

  fixes: [
    {
      say: 'See the priorities, and who came in',
      risk: 'reads-only',
      steps: [
        { say: 'the classes', run: 'kubectl get priorityclasses', on: 'cluster' },
        {
          say: 'the pods by priority',
          run: 'kubectl get pods -A -o custom-columns=NS:.metadata.namespace,POD:.metadata.name,PRIORITY:.spec.priority,NODE:.spec.nodeName --sort-by=.spec.priority',
          on: 'cluster',
        },
        { say: 'all preemptions', run: 'kubectl get events -A --field-selector reason=Preempted', on: 'cluster' },
      ],
    },
    {
      say: 'Make room for both: add nodes or lower requests',
      risk: 'moves-pods',
      steps: [
        {
          say: 'requests against allocatable, node by node',
          run: "kubectl describe nodes | grep -E '^Name:|Allocated resources' -A7",
          on: 'cluster',
        },
      ],
      verified: 'the new pod of {name} has the event Scheduled',
    },
    {
      say: 'Or give {name} a higher PriorityClass, or the newcomer one with preemptionPolicy: Never',
      risk: 'moves-pods',
      steps: [
        {
          say: 'priorityClassName in the pod template; a PodDisruptionBudget is only honoured where possible',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      changes: [
        {
          do: 'workload-set',
          field: 'priorityClassName',
          value: { ask: 'priorityClass', says: 'a PriorityClass that exists and is high enough' },
        },
      ],
      verified: 'no further event Preempted',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['kubernetes pkg/scheduler/framework/preemption/preemption.go', 'kubernetes pkg/kubelet/preemption/preemption.go'],
});
