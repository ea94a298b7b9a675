import { defineCause, excludes, line, minutes, namesOf, on, proves, supports } from '../../define-cause.ts';

const blocked = line(
  ['non-empty scheduling gates', 'waiting for scheduling gates', 'has scheduling gates', 'SchedulingGated'],
  ['pod-status', 'pod-spec', 'pod-events', 'control-plane-log'],
  /blocked due to non-empty scheduling gates|waiting for scheduling gates:? ?\[?(?<gates>[\w./ -]{0,200})|has scheduling gates|(?<status>SchedulingGated)/,
);
const gateName = line(
  ['schedulingGates', 'kueue.x-k8s.io/', 'Scheduling Gates'],
  ['pod-spec'],
  /schedulingGates[^\n]{0,20}?name[":\\ ]{1,6}(?<gate>[\w./-]{3,200})|(?<kueue>kueue\.x-k8s\.io\/(?:admission|topology|queue-name))/,
);

export const cause = defineCause({
  id: 'scheduling-gate-left-on',
  area: 'config',
  at: 'Workload',
  maturity: 'stable',
  explains: ['pending', 'other-trouble'],
  wakesOn: [on('pod.status', { status: 'SchedulingGated' }), on('pod.condition', { reason: 'SchedulingGated' })],

  text: {
    name: 'Scheduling gate left on',
    title: '{name} waits behind a scheduling gate that nobody has removed (SchedulingGated)',
    why: 'spec.schedulingGates of the pod is not empty{gate}, and the scheduler does not even look at such a pod. Whoever put the gate there (a queue such as Kueue, an operator, a webhook) has to remove it; until then the pod stays Pending without any FailedScheduling event.',
  },

  clues: {
    status: proves('pod.status', ({ status }) => status === 'SchedulingGated'),
    condition: proves('pod.condition', ({ reason, status }) => reason === 'SchedulingGated' && status !== 'True'),
    blocked: proves(blocked),
    gateName: supports(gateName),
    tried: excludes('pod.event', ({ reason }) => reason === 'FailedScheduling' || reason === 'Scheduled'),
  },
  says: {
    status: 'the pod is SchedulingGated',
    condition: 'its condition PodScheduled says SchedulingGated',
    blocked: 'scheduling is blocked by gates that are not empty{gate}',
    gateName: 'the gate is {gateName}',
    tried: 'the scheduler has taken it up: no gate is left',
  },
  slots: (place, { blocked: told, gateName: named }) => {
    const gate = named?.fields['gate'] ?? named?.fields['kueue'] ?? told?.fields['gates']?.trim();
    return { ...namesOf(place), name: place.name, gate: gate ? ` (${gate})` : '', gateName: gate || 'named in its spec' };
  },

  fixes: [
    {
      say: 'See which gate it is, and who owns it',
      risk: 'reads-only',
      steps: [
        {
          say: 'the gates',
          run: 'kubectl -n {{namespace}} get pods -o jsonpath=\'{range .items[*]}{.metadata.name}{"\\t"}{.spec.schedulingGates[*].name}{"\\n"}{end}\'',
          on: 'cluster',
        },
        {
          say: 'for Kueue: is the workload admitted, has the queue quota',
          run: 'kubectl -n {{namespace}} get workloads.kueue.x-k8s.io,localqueues; kubectl get clusterqueues',
          on: 'cluster',
        },
        {
          say: 'is the controller that removes it running',
          run: 'kubectl get pods -A | grep -iE "kueue|volcano|gate|quota"',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Repair or start the controller that owns the gate; it removes the gate itself',
      risk: 'reads-only',
      steps: [
        {
          say: 'its log says what the pod waits for: quota, a reservation, a check that has not passed',
          run: 'kubectl -n kueue-system logs deployment/kueue-controller-manager --tail=50',
          on: 'cluster',
        },
      ],
      verified: 'the pod has the event Scheduled',
    },
    {
      say: 'Or remove the gate by hand, or take it out of the template',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'for one pod',
          run: `kubectl -n {{namespace}} patch pod POD --type=json -p '[{"op":"remove","path":"/spec/schedulingGates"}]'`,
          on: 'cluster',
        },
        { say: 'in the template', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' },
      ],
      verified: 'the pod has the event Scheduled',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: [
    'kubernetes pkg/scheduler/framework/plugins/schedulinggates/scheduling_gates.go',
    'kubernetes pkg/registry/core/pod/strategy.go',
  ],
});
