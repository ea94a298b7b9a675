import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const exceeded = line(
  'exceeded quota: ',
  ['object-events', 'workload', 'control-plane-log'],
  /exceeded quota: (?<quota>[^,\s]{1,253}), requested: (?<requested>[^\n]{1,300}?), used: (?<used>[^\n]{1,300}?), limited: (?<limited>[^\n":;]{1,300})/i,
);
const unspecified = line(
  'failed quota: ',
  ['object-events', 'workload', 'control-plane-log'],
  /failed quota: (?<quota>[^:\s]{1,253}): must specify (?<missing>[^\n")]{1,300})/i,
);
/** The quota was just made, and its controller has not counted yet; or never does. */
const uncounted = line(
  'status unknown for quota: ',
  ['object-events', 'workload', 'control-plane-log'],
  /status unknown for quota: (?<quota>[^,\s]{1,253}), resources: (?<resources>[^\n"]{1,200})/,
);
const HOUR_SECONDS = 3600;

export const cause = defineCause({
  id: 'quota-exceeded',
  area: 'resource',
  at: 'Namespace',
  maturity: 'stable',
  explains: ['no-pods', 'volume-pending', 'other-trouble'],

  text: {
    name: 'Quota exceeded',
    title: 'ResourceQuota {quota} of {where} forbids new pods: {numbers}',
    why: 'The API server refuses to create the pod because ResourceQuota {quota} allows no more: {numbers}. There is no pod to look at; the controller tries again and again and only its events tell.',
  },

  clues: {
    exceeded: proves(exceeded),
    unspecified: proves(unspecified),
    uncounted: supports(uncounted),
    refused: supports('object.event', ({ reason, message }) => reason === 'FailedCreate' && /quota/.test(message)),
    condition: supports(
      'workload.condition',
      ({ type, status, message }) => type === 'ReplicaFailure' && status === 'True' && /quota/.test(message ?? ''),
    ),
    longAgo: excludes(
      'object.event',
      ({ message, lastAgo }) => /(?:exceeded|failed) quota: /.test(message) && (lastAgo ?? 0) > HOUR_SECONDS,
    ),
  },
  says: {
    exceeded: 'the API server says: exceeded quota {quota}, {numbers}',
    unspecified: 'the quota demands values that the pod does not set: {numbers}',
    uncounted: 'the API server has no count of the quota {quota} yet',
    refused: 'the controller could not create pods',
    condition: 'the workload reports ReplicaFailure',
    longAgo: 'the last refusal is more than an hour old',
  },
  slots: (place, { exceeded: full, unspecified: unset, uncounted: blind }) => ({
    quota: full?.fields['quota'] ?? unset?.fields['quota'] ?? blind?.fields['quota'] ?? 'of the namespace',
    quotaName: full?.fields['quota'] ?? unset?.fields['quota'] ?? 'QUOTA',
    namespace: place.name,
    where: place.name.includes(' ') ? place.name : `namespace ${place.name}`,
    object: full && !place.name.includes(' ') ? `ResourceQuota/${place.name}/${full.fields['quota']}` : '',
    hard: /^(?<hard>[\w./-]{1,120})=[^,]{1,60}$/.exec(full?.fields['requested']?.trim() ?? '')?.groups?.['hard'] ?? '',
    numbers: full
      ? `requested ${full.fields['requested']}, used ${full.fields['used']}, limited to ${full.fields['limited']?.trim()}`
      : unset
        ? `must specify ${unset.fields['missing']?.trim()}`
        : blind
          ? `its use is not counted yet (status unknown: ${blind.fields['resources']?.trim()}); it is new, or the controller manager does not run`
          : 'its amounts are used up',
    advice: unset
      ? `Set ${unset.fields['missing']?.trim()} (the quota demands them on every container)`
      : 'Use less of the quota: lower requests, limits or replicas, or remove what is not needed',
    must: unset?.fields['missing'] ?? 'requests and limits',
  }),

  fixes: [
    {
      say: '{advice} in {where}',
      risk: 'restarts-pods',
      steps: [
        { say: 'used against hard', run: 'kubectl -n {{namespace}} describe resourcequota', on: 'cluster' },
        {
          say: 'who uses it',
          run: "kubectl -n {{namespace}} get pods -o custom-columns='POD:.metadata.name,CPU:.spec.containers[*].resources.requests.cpu,MEM:.spec.containers[*].resources.requests.memory,LIMIT:.spec.containers[*].resources.limits.memory'",
          on: 'cluster',
        },
        {
          say: 'where the quota demands values, set {must} on every container, or give the namespace a LimitRange with defaults',
          on: 'cluster',
        },
      ],
      verified: 'the controller has the event SuccessfulCreate',
    },
    {
      say: 'Raise the ResourceQuota {quota}, if the cluster has the room',
      risk: 'moves-pods',
      steps: [{ say: 'increase spec.hard', run: 'kubectl -n {{namespace}} edit resourcequota {{quotaName}}', on: 'cluster' }],
      changes: [
        {
          do: 'object-set',
          object: '{{object}}',
          field: 'spec.hard.{{hard}}',
          value: { ask: 'amount', says: 'the new amount of {{hard}} in the quota' },
        },
      ],
      verified: 'the controller has the event SuccessfulCreate',
    },
  ],

  verify: { quietForMinutes: minutes(20) },
  sources: [
    'kubernetes staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go',
    'kubernetes pkg/quota/v1/evaluator/core/pods.go',
  ],
});
