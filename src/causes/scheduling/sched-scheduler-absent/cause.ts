import { defineCause, excludes, minutes, needs, on, proves, supports } from '../../define-cause.ts';

const BROKEN = new Set([
  'crash-loop',
  'restarts',
  'not-ready',
  'image-pull',
  'create-error',
  'config-error',
  'creating',
  'failed',
  'evicted',
  'oom',
]);

export const cause = defineCause({
  id: 'sched-scheduler-absent',
  area: 'scheduling',
  at: 'Cluster',
  maturity: 'stable',
  explains: ['pending'],
  effectOf: ['scheduler-down', 'control-plane-cert-expired', 'apiserver-down', 'etcd-no-quorum-or-slow'],
  wakesOn: [on('pod.symptom', { symptom: 'pending' })],

  text: {
    name: 'No scheduler acts',
    title: 'No scheduler takes up the pending pods: {who}',
    why: 'A pod waits until the scheduler that its schedulerName names binds it to a node. {explain} so the pods stay Pending without any event.',
  },

  clues: {
    pending: needs('pod.symptom', ({ symptom }) => symptom === 'pending'),
    schedulerDown: proves('pod.symptom', ({ about, symptom }) => /^Pod\/[^/]*\/kube-scheduler(?:-|$)/.test(about) && BROKEN.has(symptom)),
    otherScheduler: supports('pod.scheduling', ({ schedulerName }) => schedulerName !== undefined && schedulerName !== 'default-scheduler'),
    touched: excludes('pod.event'),
    judged: excludes(
      'pod.condition',
      ({ type, status, reason }) => type === 'PodScheduled' && status === 'False' && reason === 'Unschedulable',
    ),
    gated: excludes('pod.status', ({ status }) => status === 'SchedulingGated'),
  },
  says: {
    pending: 'the pod waits for a node',
    schedulerDown: 'kube-scheduler itself does not run: {scheduler}',
    otherScheduler: 'the pod waits for a scheduler called {schedulerName}',
    touched: 'events show that somebody has dealt with the pod',
    judged: 'a scheduler has looked at it and found it unschedulable',
    gated: 'a scheduling gate holds it back on purpose',
  },
  slots: (_place, { schedulerDown, otherScheduler }) => {
    const name = otherScheduler?.schedulerName ?? 'default-scheduler';
    return {
      who: schedulerDown ? 'kube-scheduler is down' : `schedulerName is ${name}`,
      explain: schedulerDown ? 'kube-scheduler does not run,' : `Nothing shows that a scheduler called ${name} runs,`,
      scheduler: schedulerDown?.detail ?? 'not running',
      schedulerName: name,
      schedulerField: otherScheduler && !schedulerDown ? 'schedulerName' : '',
    };
  },

  fixes: [
    {
      say: 'Get the scheduler going again: its log says why it stopped',
      risk: 'reads-only',
      steps: [
        {
          say: 'is there a scheduler, and does it renew its lease',
          run: "kubectl -n kube-system get pods -l component=kube-scheduler -o wide; kubectl -n kube-system get lease kube-scheduler -o jsonpath='{.spec.holderIdentity} {.spec.renewTime}'",
          on: 'cluster',
        },
        { say: 'its last words', run: 'kubectl -n kube-system logs -l component=kube-scheduler --tail=50 --previous', on: 'cluster' },
        {
          say: 'on the control plane: manifest and container',
          run: 'crictl ps -a --name kube-scheduler; cat /etc/kubernetes/manifests/kube-scheduler.yaml',
          on: 'node',
        },
      ],
      verified: 'the waiting pods have the event Scheduled',
    },
    {
      say: 'Where pods name a scheduler of their own (schedulerName): correct the name, or deploy that scheduler',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'who names another scheduler',
          run: "kubectl get pods -A --field-selector status.phase=Pending -o custom-columns='NS:.metadata.namespace,POD:.metadata.name,SCHEDULER:.spec.schedulerName'",
          on: 'cluster',
        },
      ],
      changes: [
        {
          do: 'workload-set',
          field: '{{schedulerField}}',
          value: { ask: 'scheduler', says: 'a scheduler that runs, such as default-scheduler' },
        },
      ],
      verified: 'the waiting pods have the event Scheduled',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['kubernetes pkg/scheduler/scheduler.go, pkg/scheduler/profile/profile.go'],
});
