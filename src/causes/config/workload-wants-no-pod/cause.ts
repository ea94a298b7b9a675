import { defineCause, excludes, line, minutes, namesOf, on, proves, supports } from '../../define-cause.ts';

const scalingOff = line(
  ['scaling is disabled since the replica count', 'ScalingDisabled'],
  ['object-events', 'objects', 'workload'],
  /scaling is disabled since the replica count of the target is zero|ScalingDisabled/,
);
const missedStarts = line(
  ['too many missed start time', 'FailedNeedsStart', 'TooManyMissedTimes'],
  ['object-events', 'control-plane-log'],
  /too many missed start times?[^\n]{0,200}|TooManyMissedTimes/i,
);
const badSchedule = line(
  ['unparseable schedule', 'UnparseableCronJobSchedule', 'UnknownTimeZone', 'InvalidSchedule', 'invalid timeZone', 'unknown time zone'],
  ['object-events', 'control-plane-log'],
  /unparseable schedule:? \\*"?(?<schedule>[^\n"]{1,100})|UnparseableCronJobSchedule|InvalidSchedule|UnknownTimeZone|invalid timeZone:? \\*"?(?<zone>[^\n"\\]{1,60})/i,
);
const stillActive = line(
  ['prior execution is running', 'JobAlreadyActive'],
  ['object-events', 'control-plane-log'],
  /prior execution is running and concurrency policy is Forbid|JobAlreadyActive/,
);
const missedOnce = line(
  ['Missed scheduled time to start a job', 'Missed starting window'],
  ['object-events', 'control-plane-log'],
  /Missed scheduled time to start a job|Missed starting window/,
);
const noneDesired = line(
  ['Replicas: ', '0 desired', 'desiredNumberScheduled', 'Number of Nodes Scheduled'],
  ['workload'],
  /Replicas:? {1,40}0 desired|Replicas: {1,40}0 current \/ 0 desired|Desired Number of Nodes Scheduled: {1,4}0\b|desiredNumberScheduled"?: {0,4}0\b/,
);
const suspended = line(
  ['Job suspended', 'JobSuspended', 'Suspend:  ', 'spec.suspend'],
  ['object-events', 'workload'],
  /Job suspended|JobSuspended|Suspend: {1,40}True/i,
);
const refused = line(['Error creating: ', 'FailedCreate'], []);

export const cause = defineCause({
  id: 'workload-wants-no-pod',
  area: 'config',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['no-pods', 'other-trouble'],
  wakesOn: [on('workload.condition', { reason: 'DeploymentPaused' })],

  text: {
    name: 'Workload wants no pods',
    title: '{name} has no pods because it wants none: {reason}',
    why: 'Its controller does what the object says, and the object asks for no pod: {reason}. {mechanism}',
  },

  clues: {
    scalingOff: proves(scalingOff),
    missedStarts: proves(missedStarts),
    badSchedule: proves(badSchedule),
    stillActive: proves(stillActive),
    missedOnce: supports(missedOnce),
    paused: supports('workload.condition', ({ reason }) => reason === 'DeploymentPaused'),
    suspended: supports(suspended),
    noneDesired: supports(noneDesired),
    refused: excludes(refused),
    hasPods: excludes('workload.replicas', ({ desired, ready }) => (desired ?? 0) > 0 && (ready ?? 0) > 0),
  },
  says: {
    scalingOff: 'the autoscaler is off, since the workload is scaled to zero',
    missedStarts: 'the CronJob gave up: too many missed start times',
    badSchedule: 'the schedule or time zone of the CronJob cannot be read',
    stillActive: 'the CronJob starts no Job while the one before still runs (concurrencyPolicy: Forbid)',
    missedOnce: 'the CronJob missed a start time',
    paused: 'the Deployment is paused (DeploymentPaused)',
    suspended: 'the Job or CronJob is suspended (spec.suspend: true)',
    noneDesired: '0 pods are desired',
    refused: 'pods are wanted, but creating them fails',
    hasPods: 'it wants pods and has them',
  },
  slots: (
    place,
    {
      scalingOff: zero,
      missedStarts: missed,
      badSchedule: schedule,
      stillActive: busy,
      missedOnce: late,
      paused,
      suspended: off,
      noneDesired: none,
    },
  ) => {
    const [reason, mechanism] = missed
      ? [
          'too many missed start times',
          'After more than 100 missed starts without startingDeadlineSeconds a CronJob is not started any more.',
        ]
      : schedule
        ? [
            schedule.fields['zone']
              ? `its timeZone "${schedule.fields['zone']}" is not known`
              : `its schedule${schedule.fields['schedule'] ? ` "${schedule.fields['schedule']}"` : ''} cannot be read`,
            'A CronJob whose schedule or timeZone cannot be parsed never starts a Job.',
          ]
        : paused
          ? [
              'its rollout is paused',
              'A paused Deployment does not roll out changes: new pods of a changed template are not made until it is resumed.',
            ]
          : off
            ? ['it is suspended (spec.suspend: true)', 'A suspended Job has its pods removed, a suspended CronJob starts no Jobs.']
            : zero || none
              ? [
                  'replicas is 0, or no node matches',
                  'It was scaled to zero (by hand, by a tool, or by an autoscaler for idle workloads), or, for a DaemonSet, no node matches its nodeSelector and tolerations.',
                ]
              : busy
                ? [
                    'an earlier Job of it still runs, and concurrencyPolicy: Forbid allows no second one',
                    'A Job that hangs (a sidecar that never ends, no activeDeadlineSeconds) holds back all later ones.',
                  ]
                : late
                  ? [
                      'it missed its start time',
                      'A start that is later than startingDeadlineSeconds is left out; the controller was down or slow, or the Job before still ran.',
                    ]
                  : ['it asks for none', ''];
    const names = namesOf(place);
    const isNamed = names.namespace !== 'NAMESPACE' && !names.target.endsWith('/NAME');
    const [wantField, wantValue] = missed
      ? place.type === 'CronJob'
        ? ['spec.startingDeadlineSeconds', '200']
        : []
      : paused
        ? place.type === 'Deployment'
          ? ['spec.paused', 'false']
          : []
        : off
          ? /^(?:Cron)?Job$/.test(place.type ?? '')
            ? ['spec.suspend', 'false']
            : []
          : (zero || none) && /^(?:Deployment|StatefulSet)$/.test(place.type ?? '')
            ? ['spec.replicas', '1']
            : [];
    return {
      ...names,
      name: place.name,
      reason: reason ?? '',
      mechanism: mechanism ?? '',
      object: isNamed ? `${place.type}/${names.namespace}/${place.name}` : '',
      wantField: wantField ?? '',
      wantValue: wantValue ?? '',
    };
  },

  fixes: [
    {
      say: 'See what the object asks for',
      risk: 'reads-only',
      steps: [
        {
          say: 'replicas, paused, suspend, schedule',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE 'replicas:|paused:|suspend:|schedule:|timeZone:|startingDeadlineSeconds|nodeSelector' -A1",
          on: 'cluster',
        },
        {
          say: 'who scales it',
          run: 'kubectl -n {{namespace}} get hpa,scaledobjects 2>/dev/null; kubectl -n {{namespace}} describe {{target}} | tail -15',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Let it want pods again',
      risk: 'restarts-pods',
      steps: [
        { say: 'scaled to zero', run: 'kubectl -n {{namespace}} scale {{target}} --replicas=1', on: 'cluster' },
        { say: 'paused', run: 'kubectl -n {{namespace}} rollout resume {{target}}', on: 'cluster' },
        { say: 'suspended', run: `kubectl -n {{namespace}} patch {{target}} -p '{"spec":{"suspend":false}}'`, on: 'cluster' },
        {
          say: 'a CronJob with missed starts: set startingDeadlineSeconds (for example 200), or create it anew',
          run: `kubectl -n {{namespace}} patch {{target}} -p '{"spec":{"startingDeadlineSeconds":200}}'`,
          on: 'cluster',
        },
        {
          say: 'a Job that hangs and holds back the next: end it, and give its template activeDeadlineSeconds',
          run: 'kubectl -n {{namespace}} get jobs,pods',
          on: 'cluster',
        },
        {
          say: 'a DaemonSet: label the nodes as its nodeSelector wants, or change it',
          run: 'kubectl get nodes --show-labels',
          on: 'cluster',
        },
      ],
      changes: [{ do: 'object-set', object: '{{object}}', field: '{{wantField}}', value: '{{wantValue}}' }],
      verified: 'pods are created',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: [
    'kubernetes pkg/controller/podautoscaler/horizontal.go, pkg/controller/cronjob/utils.go',
    'kubernetes pkg/controller/deployment/progress.go, pkg/controller/job/job_controller.go',
  ],
});
