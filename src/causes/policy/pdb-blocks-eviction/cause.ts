import { defineCause, excludes, line, minutes, namesOf, objectOf, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['objects', 'container-log', 'object-events', 'node-events', 'control-plane-log'] as const;
const blocked = line(
  ['would violate the pod', "pod's disruption budget", 'disruption budget'],
  CHANNELS,
  /(?:evicting pods?\/?[\\"“”]{0,8}(?<pod>[a-z0-9.-]{1,253})[\\"“”]{0,8}(?: -n [\\"“”]{0,8}(?<namespace>[a-z0-9.-]{1,63})[\\"“”]{0,8})?[\s\S]{0,60}?)?Cannot evict pod as it would violate the pod's disruption budget/,
);
const needsMore = line(
  ['The disruption budget', 'disruption budget '],
  CHANNELS,
  /disruption budget (?<budget>[a-z0-9.-]{1,253}) needs (?<needed>\d{1,6}) healthy pods and has (?<healthy>\d{1,6}) currently/,
);
const several = line('has more than one PodDisruptionBudget', CHANNELS, /has more than one PodDisruptionBudget/);
const autoscaler = line(
  [
    'not enough pod disruption budget to move',
    'prevents pod evictions',
    'blocked by pdb ',
    'pdb prevents',
    'NotEnoughPdb',
    'PodDrainFailure',
    'max retries while evicting',
    'PodEvictionFailure',
  ],
  CHANNELS,
  /not enough pod disruption budget to move|blocked by pdb (?<blocker>[a-z0-9.-]{1,253}) with \d{1,6} unready pods|pdb [\\"'“”]{0,8}(?:(?<namespace>[a-z0-9.-]{1,63})\/)?(?<budget>[a-z0-9.-]{1,253})[\\"'“”]{0,8} prevents pod evictions|NotEnoughPdb|PodDrainFailure|PodEvictionFailure|[Rr]eached max retries while (?:trying to evict|evicting)/,
);
// No channel: kubectl prints it at the end of the same drain.
const drained = line(' drained', [], /^node\/[a-z0-9.-]{1,253} drained$/m);

export const cause = defineCause({
  id: 'pdb-blocks-eviction',
  area: 'policy',
  at: 'Workload',
  maturity: 'stable',
  explains: ['other-trouble', 'stuck-terminating'],

  text: {
    name: 'Disruption budget blocks eviction',
    title: 'A PodDisruptionBudget{budget} forbids the eviction of {pod}: the drain cannot go on',
    why: 'An eviction (kubectl drain, node upgrade, autoscaler) is refused while it would leave fewer healthy pods than the PodDisruptionBudget{budget} demands{numbers}. With one replica and minAvailable 1, with maxUnavailable 0, or while other pods of the same workload are not ready, no eviction is ever allowed: the drain tries again for ever and the node stays cordoned.',
  },

  clues: {
    blocked: proves(blocked),
    needsMore: proves(needsMore),
    several: proves(several),
    autoscaler: proves(autoscaler, ({ fields }) => (fields['budget'] ?? fields['blocker']) !== undefined),
    reported: supports(autoscaler, ({ fields }) => (fields['budget'] ?? fields['blocker']) === undefined),
    drained: excludes(drained),
  },
  says: {
    blocked: "the API server says: it would violate the pod's disruption budget",
    needsMore: 'the budget{budget}{numbers}',
    several: 'the pod belongs to more than one PodDisruptionBudget',
    autoscaler: 'the autoscaler says that the budget{budget} prevents evictions',
    reported: 'an upgrade or autoscaler tells of evictions that fail',
    drained: 'the node is drained: the eviction went through',
  },
  slots: (place, { blocked: no, needsMore: more, autoscaler: scaler }) => {
    const budget = more?.fields['budget'] ?? scaler?.fields['budget'] ?? scaler?.fields['blocker'];
    const pod = no?.fields['pod'];
    const names = namesOf(place);
    return {
      ...names,
      namespace: no?.fields['namespace'] ?? scaler?.fields['namespace'] ?? names.namespace,
      object: objectOf(place, 'Deployment', 'StatefulSet'),
      budget: budget === undefined ? '' : ` ${budget}`,
      budgetName: budget ?? 'PDB',
      pod: pod === undefined ? (place.name === 'the workload' ? 'a pod' : place.name) : `pod ${pod}`,
      numbers: more ? ` (needs ${more.fields['needed']} healthy pods and has ${more.fields['healthy']})` : '',
    };
  },

  fixes: [
    {
      say: 'See the budgets and how many disruptions they allow now',
      risk: 'reads-only',
      steps: [
        { say: 'ALLOWED DISRUPTIONS 0 is the one', run: 'kubectl get pdb -A', on: 'cluster' },
        {
          say: 'its pods: are all of them ready',
          run: 'kubectl -n {{namespace}} describe pdb; kubectl -n {{namespace}} get pods -o wide',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Give it room: more replicas, or cure the pods of the workload that are not ready',
      risk: 'restarts-pods',
      steps: [{ say: 'one more than the budget demands', run: 'kubectl -n {{namespace}} scale {{target}} --replicas=2', on: 'cluster' }],
      changes: [
        {
          do: 'object-set',
          object: '{{object}}',
          field: 'spec.replicas',
          value: { ask: 'replicas', says: 'how many pods there shall be: one more than the budget demands' },
        },
      ],
      verified: 'kubectl get pdb shows allowed disruptions above 0, and the drain goes on by itself',
    },
    {
      say: 'Or relax the budget: maxUnavailable 1 instead of minAvailable 1 or maxUnavailable 0; let unhealthy pods go',
      risk: 'moves-pods',
      steps: [
        {
          say: 'allow one',
          run: `kubectl -n {{namespace}} patch pdb {{budgetName}} --type=merge -p '{"spec":{"minAvailable":null,"maxUnavailable":1}}'`,
          on: 'cluster',
        },
        {
          say: 'pods that never became ready may be evicted (1.27 and later)',
          run: `kubectl -n {{namespace}} patch pdb {{budgetName}} --type=merge -p '{"spec":{"unhealthyPodEvictionPolicy":"AlwaysAllow"}}'`,
          on: 'cluster',
        },
        {
          say: 'or delete that one pod yourself, when a short outage is acceptable',
          run: 'kubectl -n {{namespace}} delete pod POD',
          on: 'cluster',
        },
      ],
      verified: 'kubectl drain ends with "drained"',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/registry/core/pod/storage/eviction.go', 'kubernetes staging/src/k8s.io/kubectl/pkg/drain/drain.go'],
});
