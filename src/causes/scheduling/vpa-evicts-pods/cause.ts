import { defineCause, excludes, line, minutes, namesOf, on, proves, supports } from '../../define-cause.ts';

const evicted = line(
  ['evicted by VPA Updater', 'EvictedByVPA', 'evicting pod'],
  ['pod-events', 'object-events', 'container-log'],
  /(?:Pod was )?evicted by VPA Updater|EvictedByVPA|updater\.go:\d{1,5}\] [\\"]{0,4}(?:evicting pod|Evicting pod)[\\"]{0,4} (?:pod=)?[\\"]{0,4}(?<pod>[\w./-]{1,253})/,
);
const notReplicated = line(
  ['too few replicas for ReplicaSet', 'Too few replicas', 'too few replicas for'],
  ['container-log'],
  /[Tt]oo few replicas[\\"]{0,4}(?: for (?<kind>\w{3,40})| kind=[\\"]{1,4}(?<type>\w{3,40}))?[^\n]{0,300}?(?:[Ff]ound[: =]{1,3}(?<found>\d{1,4})|livePods=(?<live>\d{1,4}))/,
);
/** The updater only shows what it would do. */
const off = line(['Update Mode:  Off', 'updateMode: Off', 'updateMode: "Off"'], [], /[Uu]pdate ?Mode:\s{0,20}"?Off/);

export const cause = defineCause({
  id: 'vpa-evicts-pods',
  area: 'scheduling',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['restarts', 'evicted', 'pending', 'not-ready', 'stuck-terminating', 'other-trouble'],
  wakesOn: [on('pod.event', { reason: 'EvictedByVPA' }), on('object.event', { reason: 'EvictedByVPA' })],

  text: {
    name: 'VPA evicts the pods',
    title: 'The VerticalPodAutoscaler (VPA) {does} the pods of {name} to give them other requests',
    why: 'In update mode Auto or Recreate the updater of the VPA evicts pods whose requests are far from its recommendation; the new pod gets the recommended requests from the admission webhook. {mechanism} Nothing is wrong with the program: the pod ends with SIGTERM each time.',
  },

  clues: {
    evicted: proves(evicted),
    event: proves('pod.event', ({ reason }) => reason === 'EvictedByVPA'),
    notReplicated: supports(notReplicated),
    off: excludes(off),
  },
  says: {
    evicted: 'the updater of the VPA evicts the pod to apply its recommendation',
    event: 'the pod has the event EvictedByVPA',
    notReplicated: 'the updater does not evict the only replica: {found}',
    off: 'the VPA only recommends (updateMode Off)',
  },
  slots: (place, { evicted: gone, event, notReplicated: single }) => {
    const waits = single !== undefined && gone === undefined && event === undefined;
    return {
      ...namesOf(place),
      name: place.name,
      does: waits ? 'would evict, but does not evict,' : 'evicts',
      found: single?.fields['found'] ?? single?.fields['live'] ?? 'too few replicas',
      mechanism: waits
        ? 'With fewer live replicas than --min-replicas (2) it leaves them alone, so the recommendation is never applied.'
        : 'If the recommendation swings, or a HorizontalPodAutoscaler scales the same workload by CPU or memory, that goes on without end; a request larger than any node leaves the pod Pending.',
    };
  },

  fixes: [
    {
      say: 'See what the VPA recommends, and whether an HPA uses the same metric',
      risk: 'reads-only',
      steps: [
        { say: 'mode, bounds and recommendation', run: 'kubectl -n {{namespace}} describe vpa', on: 'cluster' },
        {
          say: 'two autoscalers on cpu or memory of one workload work against each other',
          run: 'kubectl -n {{namespace}} get hpa,vpa',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Let it only recommend, or act at the start of pods only: updateMode Off or Initial',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'no more evictions; pods keep what they have until they are made anew',
          run: 'kubectl -n {{namespace}} patch vpa VPA --type merge -p \'{"spec":{"updatePolicy":{"updateMode":"Initial"}}}\'',
          on: 'cluster',
        },
      ],
      verified: 'no further event EvictedByVPA',
    },
    {
      say: 'Or bound it: minAllowed and maxAllowed that fit the nodes, a PodDisruptionBudget, and two or more replicas',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'spec.resourcePolicy.containerPolicies: minAllowed, maxAllowed',
          run: 'kubectl -n {{namespace}} edit vpa VPA',
          on: 'cluster',
        },
      ],
      verified: 'the pods keep running through a day',
    },
  ],

  verify: { quietForMinutes: minutes(60) },
  sources: [
    'kubernetes/autoscaler vertical-pod-autoscaler/pkg/updater/restriction/pods_eviction_restriction.go',
    'kubernetes/autoscaler vertical-pod-autoscaler/docs: known limitations, updateMode',
  ],
});
