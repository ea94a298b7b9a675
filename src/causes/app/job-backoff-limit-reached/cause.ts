import { defineCause, excludes, line, minutes, namesOf, on, supports } from '../../define-cause.ts';

const gaveUp = line(
  ['has reached the specified backoff limit', 'BackoffLimitExceeded'],
  ['object-events', 'workload', 'control-plane-log'],
  /has reached the specified backoff limit|BackoffLimitExceeded/,
);
const helmWaits = line(
  ['failed: BackoffLimitExceeded'],
  ['prose', 'object-events'],
  /job (?<job>[\w.-]{1,253}) failed: BackoffLimitExceeded/i,
);
/** A rule of the Job itself ends it at once, whatever backoffLimit says. */
const policy = line(
  ['matching FailJob rule at index'],
  ['object-events', 'workload', 'control-plane-log'],
  /(?:Container (?<container>[\w.-]{1,63}) for pod [\w./-]{1,320} failed with exit code (?<code>\d{1,3})|Pod [\w./-]{1,320} has condition \w{1,60}) matching FailJob rule at index/,
);
/** A row of `kubectl get jobs` since 1.31. */
function hasFailed({ about, status, detail }: { readonly about: string; readonly status: string; readonly detail?: string }): boolean {
  return /^Workload\/Job\//.test(about) && status === 'Failed' && /COMPLETIONS/.test(detail ?? '');
}
const deadline = line(['was active longer than specified deadline'], []);

export const cause = defineCause({
  id: 'job-backoff-limit-reached',
  area: 'app',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['failed', 'no-pods', 'other-trouble'],
  // It only counts how often the pods failed; whatever ends them is the cause.
  effectOf: [
    'app-argument-unknown',
    'app-capability-missing',
    'app-credentials-rejected',
    'app-database-schema-missing',
    'app-file-missing',
    'app-module-missing',
    'app-setting-missing',
    'app-tls-peer-untrusted',
    'app-command-not-found',
    'app-config-file-invalid',
    'app-dependency-unreachable',
    'app-exec-format-error',
    'app-exits-nonzero-at-start',
    'app-filesystem-permission',
    'app-heap-vs-limit-misfit',
    'app-interpreter-or-loader-missing',
    'app-looks-for-server-on-localhost',
    'app-permission-denied-exec',
    'app-root-filesystem-read-only',
    'app-segfault',
    'app-signalled-by-unknown-sender',
    'configmap-missing',
    'evicted-disk-pressure',
    'evicted-ephemeral-storage-limit',
    'evicted-memory-pressure',
    'image-not-found',
    'image-pull-unauthorized',
    'init-container-failing',
    'networkpolicy-default-deny',
    'oom-container-limit',
    'oom-node-global',
    'rbac-denied-in-app',
    'sched-kubelet-rejects-after-bind',
    'secret-missing',
    'sidecar-blocks-job-or-start-order',
  ],
  restates: true,
  wakesOn: [
    on('object.event', { reason: 'BackoffLimitExceeded' }),
    on('workload.condition', { reason: 'BackoffLimitExceeded' }),
    on('object.symptom', { symptom: 'failed' }),
  ],

  text: {
    name: 'Job gave up (backoffLimit)',
    title: 'Job {name} gave up: {reason}',
    why: 'Each pod of Job {name} that ends with an error counts against backoffLimit (6 by default), and a podFailurePolicy may end it sooner. Here {reason}, so the Job controller marked the Job Failed, removed the pods that still ran, and does not try again. That is only the count: why the pods fail is told by their logs and events.',
  },

  clues: {
    gaveUp: supports(gaveUp),
    condition: supports(
      'workload.condition',
      ({ type, status, reason }) => type === 'Failed' && status === 'True' && reason === 'BackoffLimitExceeded',
    ),
    helmWaits: supports(helmWaits),
    policy: supports(policy),
    listed: supports('object.status', hasFailed),
    deadline: excludes(deadline),
  },
  says: {
    gaveUp: 'the Job has reached its backoff limit',
    condition: 'the Job is Failed with the reason BackoffLimitExceeded',
    helmWaits: 'helm waited for Job {name}, and it failed',
    policy: 'a rule of its podFailurePolicy ends it: {reason}',
    listed: 'the Job is listed as Failed',
    deadline: 'it was ended at its activeDeadlineSeconds, not for its failures',
  },
  slots: (place, { helmWaits: helm, policy: rule }) => {
    const own = place.kind === 'Workload' && place.name !== 'the workload' ? place.name : undefined;
    const job = helm?.fields['job'] ?? own;
    return {
      ...namesOf(place),
      name: job ?? '(not named here)',
      job: job ?? 'JOB',
      reason: rule
        ? rule.fields['code']
          ? `container ${rule.fields['container']} ended with exit code ${rule.fields['code']}, at which its podFailurePolicy fails the Job`
          : 'a pod met a rule of its podFailurePolicy that fails the Job'
        : 'its pods failed more often than backoffLimit allows',
    };
  },

  fixes: [
    {
      say: 'Find out why its pods end: the log and exit code of a failed pod',
      risk: 'reads-only',
      steps: [
        { say: 'its pods, and how they ended', run: 'kubectl -n {{namespace}} get pods -l job-name={{job}} -o wide', on: 'cluster' },
        {
          say: 'their logs',
          run: 'kubectl -n {{namespace}} logs -l job-name={{job}} --all-containers --tail=50 --prefix',
          on: 'cluster',
        },
        { say: 'exit codes and events', run: 'kubectl -n {{namespace}} describe pods -l job-name={{job}}', on: 'cluster' },
      ],
    },
    {
      say: 'The pods are gone: run the Job again so that they stay and can be read',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'with restartPolicy: OnFailure the pod is deleted with its log when the limit is reached; restartPolicy: Never keeps every failed pod. A Job that has failed cannot be revived: delete it and create it anew',
          run: 'kubectl -n {{namespace}} get job {{job}} -o yaml > job.yaml && kubectl -n {{namespace}} delete job {{job}}',
          on: 'cluster',
        },
      ],
      verified: 'a failed pod is there, and its log says why',
    },
    {
      say: 'Raise backoffLimit only where failures are expected and pass by themselves',
      risk: 'restarts-pods',
      for: ['policy'],
      steps: [
        {
          say: 'spec.backoffLimit of the Job (jobTemplate.spec in a CronJob); podFailurePolicy can leave evictions out of the count',
          run: `kubectl -n {{namespace}} patch cronjob NAME --type merge -p '{"spec":{"jobTemplate":{"spec":{"backoffLimit":10}}}}'`,
          on: 'cluster',
        },
      ],
      verified: 'the Job completes',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/controller/job/job_controller.go', 'helm pkg/kube/wait.go'],
});
