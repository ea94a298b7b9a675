import { defineCause, excludes, line, minutes, namesOf, on, proves, supports } from '../../define-cause.ts';

const ofPod = line(
  ['longer than the specified deadline', 'longer than specified deadline'],
  ['pod-status', 'pod-events', 'object-events', 'workload'],
  /(?<whose>Pod|Job) was active (?:on the node )?longer than (?:the )?specified deadline/,
);
const hookTimesOut = line(
  ['timed out waiting for the condition', 'failed: DeadlineExceeded'],
  [],
  /job (?:[\w.-]{1,253} )?failed: (?<reason>DeadlineExceeded)|failed (?:pre|post)-(?:install|upgrade|delete)[^\n]{0,40}?: timed out waiting for the condition/,
);
const rollout = line(['exceeded its progress deadline', 'ProgressDeadlineExceeded'], []);

export const cause = defineCause({
  id: 'active-deadline-exceeded',
  area: 'config',
  at: 'Workload',
  maturity: 'stable',
  explains: ['failed', 'not-ready', 'crash-loop', 'stuck-terminating', 'other-trouble'],
  // OLM unpacks bundles in Jobs of its own.
  effectOf: ['operator-not-installable'],
  wakesOn: [on('pod.status', { status: 'DeadlineExceeded' }), on('object.event', { reason: 'DeadlineExceeded' })],

  text: {
    name: 'activeDeadlineSeconds exceeded',
    title: '{whose} {name} ran longer than its activeDeadlineSeconds and was ended (DeadlineExceeded)',
    why: '{whose} {name} has a limit for its whole running time, activeDeadlineSeconds. It was reached before the work was done, so Kubernetes killed the containers and marked it Failed; it is not tried again. Time for waiting, pulling images, retries and crashes counts as well.',
  },

  clues: {
    told: proves(ofPod),
    status: proves('pod.status', ({ status }) => status === 'DeadlineExceeded'),
    event: proves('object.event', ({ reason, message }) => reason === 'DeadlineExceeded' && /deadline/.test(message)),
    failedJob: supports(
      'workload.condition',
      ({ type, status, reason }) => type === 'Failed' && status === 'True' && reason === 'DeadlineExceeded',
    ),
    jobFailed: proves(hookTimesOut, ({ fields }) => fields['reason'] !== undefined),
    hook: supports(hookTimesOut, ({ fields }) => fields['reason'] === undefined),
    rollout: excludes(rollout),
  },
  says: {
    told: '{whose} was active longer than its deadline',
    status: 'the pod ended with the reason DeadlineExceeded',
    event: 'the job controller ended the Job at its deadline',
    failedJob: 'the Job is Failed with the reason DeadlineExceeded',
    jobFailed: 'helm says that the Job failed: DeadlineExceeded',
    hook: 'a helm hook waits for that Job and times out',
    rollout: 'a rollout does not get on: progressDeadlineSeconds, no pod was ended',
  },
  slots: (place, { told, event, failedJob, jobFailed }) => ({
    ...namesOf(place),
    whose: told?.fields['whose'] ?? (event || failedJob || jobFailed ? 'Job' : 'Pod'),
    name: place.name.includes(' ') ? '(not named here)' : place.name,
  }),

  fixes: [
    {
      say: 'See how long it may run, and what it did in that time',
      risk: 'reads-only',
      steps: [
        {
          say: 'the limit (of the Job and of its pod template), start and end',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE 'activeDeadlineSeconds|startTime|lastTransitionTime|backoffLimit'",
          on: 'cluster',
        },
        {
          say: 'what it did; of a pod that is gone ask your log store',
          run: 'kubectl -n {{namespace}} logs {{target}} --all-containers --tail=50',
          on: 'cluster',
        },
        {
          say: 'whether it lost its time with waiting for a node, a volume or an image',
          run: 'kubectl -n {{namespace}} get events --sort-by=.lastTimestamp | tail -30',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Raise activeDeadlineSeconds (or take it out), and run it again',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'a Job that has failed cannot be revived: delete it and create it anew with a larger limit; in a CronJob under jobTemplate.spec',
          run: 'kubectl -n {{namespace}} get {{target}} -o yaml > job.yaml && kubectl -n {{namespace}} delete {{target}}',
          on: 'cluster',
        },
      ],
      verified: 'it completes within the limit',
    },
    {
      say: 'Or make it faster or let it fail earlier: more cpu, smaller portions, time-outs on what it waits for',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'a Job that hangs in a dependency fails again after any limit: see its last log lines first',
          run: 'kubectl -n {{namespace}} logs {{target}} --all-containers --tail=50',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/kubelet/active_deadline.go', 'kubernetes pkg/controller/job/job_controller.go'],
});
