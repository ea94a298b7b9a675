import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const violates = line(
  [
    'maximum memory usage per ',
    'maximum cpu usage per ',
    'minimum memory usage per ',
    'minimum cpu usage per ',
    ' usage per Container is ',
    ' usage per Pod is ',
    ' usage per PersistentVolumeClaim is ',
    'max limit to request ratio per ',
  ],
  ['object-events', 'workload', 'control-plane-log'],
  /(?<rule>(?:(?:maximum|minimum) (?<resource>[\w./-]{1,60}) usage per (?<per>Container|Pod|PersistentVolumeClaim) is (?<bound>[\w.]{1,40})(?:, but (?:limit|request) is (?<asked>[\w.]{1,40})|\. {1,2}No (?:limit|request) is specified)|max limit to request ratio per (?:Container|Pod) is [\w.]{1,40}, but (?:provided ratio is [\w.]{1,40}|no (?:request|limit) is specified[^\n,\]"]{0,60})))/i,
);
const HOUR_SECONDS = 3600;
const IN_MESSAGE = /usage per (?:Container|Pod|PersistentVolumeClaim) is |max limit to request ratio per /;

/** The field of a container that is out of bounds; empty where the rule is about something else. */
function boundedField(fields: Readonly<Record<string, string>> | undefined): string {
  const side = /\b(?:but|no) (?<side>limit|request) is\b/i.exec(fields?.['rule'] ?? '')?.groups?.['side']?.toLowerCase();
  const isOfContainer = fields?.['per'] === 'Container' && /^(?:cpu|memory|ephemeral-storage)$/.test(fields['resource'] ?? '');
  return side !== undefined && isOfContainer ? `resources.${side}s.${fields['resource']}` : '';
}

export const cause = defineCause({
  id: 'limitrange-violation',
  area: 'resource',
  at: 'Namespace',
  maturity: 'stable',
  explains: ['no-pods', 'volume-pending', 'other-trouble'],

  text: {
    name: 'LimitRange forbids the pod',
    title: 'A LimitRange of {where} forbids the pod: {rule}',
    why: 'The API server checks every new pod against the LimitRange objects of its namespace and refuses this one: {rule}. There is no pod to look at; the controller tries again and again and only its events tell.',
  },

  clues: {
    violates: proves(violates, notByContainers),
    refused: supports('object.event', ({ reason, message }) => reason === 'FailedCreate' && IN_MESSAGE.test(message)),
    condition: supports(
      'workload.condition',
      ({ type, status, message }) => type === 'ReplicaFailure' && status === 'True' && IN_MESSAGE.test(message ?? ''),
    ),
    longAgo: excludes('object.event', ({ message, lastAgo }) => IN_MESSAGE.test(message) && (lastAgo ?? 0) > HOUR_SECONDS),
  },
  says: {
    violates: 'the API server says: {rule}',
    refused: 'the controller could not create pods',
    condition: 'the workload reports ReplicaFailure',
    longAgo: 'the last refusal is more than an hour old',
  },
  slots: (place, { violates: said }) => ({
    namespace: place.name,
    where: place.name.includes(' ') ? place.name : `namespace ${place.name}`,
    rule: said?.fields['rule']?.replace(/\s+/g, ' ') ?? 'its requests or limits are outside the bounds',
    resource: said?.fields['resource'] ?? 'the resource',
    bound: said?.fields['bound'] ?? 'the bound',
    bounded: boundedField(said?.fields),
  }),

  fixes: [
    {
      say: 'Bring requests and limits of the pod inside the bounds: {resource} within {bound}',
      risk: 'restarts-pods',
      steps: [
        { say: 'the bounds, and the defaults it fills in', run: 'kubectl -n {{namespace}} describe limitrange', on: 'cluster' },
        {
          say: 'what the workloads ask for',
          run: "kubectl -n {{namespace}} get deploy,sts,ds -o custom-columns='KIND:.kind,NAME:.metadata.name,REQUESTS:.spec.template.spec.containers[*].resources.requests,LIMITS:.spec.template.spec.containers[*].resources.limits'",
          on: 'cluster',
        },
        { say: 'change resources in the pod template', on: 'cluster' },
      ],
      changes: [
        {
          do: 'workload-set',
          field: '{{bounded}}',
          value: { ask: 'amount', says: 'an amount of {{resource}} inside the bound {{bound}}' },
        },
      ],
      verified: 'the controller has the event SuccessfulCreate',
    },
    {
      say: 'Or change the LimitRange, if the pod is right',
      risk: 'moves-pods',
      steps: [{ say: 'raise max or lower min', run: 'kubectl -n {{namespace}} edit limitrange', on: 'cluster' }],
      verified: 'the controller has the event SuccessfulCreate',
    },
  ],

  verify: { quietForMinutes: minutes(20) },
  sources: ['kubernetes plugin/pkg/admission/limitranger/admission.go'],
});
