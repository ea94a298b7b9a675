import { defineCause, excludes, isWell, line, minutes, namesOf, proves } from '../../define-cause.ts';

const SAID_BY = ['pod-events', 'object-events', 'objects'] as const;
const volcano = line(
  ['tasks in gang unschedulable', 'pod group is not ready'],
  SAID_BY,
  /(?:(?<pending>\d{1,6})\/(?<tasks>\d{1,6}) tasks in gang unschedulable: )?pod group is not ready(?:, (?<state>[^\n'"]{3,120}))?/,
);
const overused = line(
  ['queue resource quota insufficient', 'is overused', 'resource in cluster is overused'],
  SAID_BY,
  /queue resource quota insufficient|[Qq]ueue [\\"<]{0,4}(?<queue>[\w.-]{1,63})[\\">]{0,4} is overused|resource in cluster is overused/,
);
const siblings = line(
  'cannot find enough sibling pods',
  SAID_BY,
  /cannot find enough sibling pods(?:, current pods number: (?<have>\d{1,6}), minMember of group: (?<need>\d{1,6}))?/,
);
const kueue = line(
  ["couldn't assign flavors to pod set", 'insufficient unused quota for', 'insufficient quota for'],
  SAID_BY,
  /insufficient (?:unused )?quota for (?<resource>[\w./-]{2,100}) in flavor (?<flavor>[\w.-]{1,63})(?:, (?<more>[\w.]{1,20}) more needed|, (?<over>request > maximum capacity[^\n'"]{0,60}))?/,
);
const noQueue = line(
  ['LocalQueue ', 'ClusterQueue '],
  SAID_BY,
  /(?<kind>LocalQueue|ClusterQueue) (?<name>[\w.-]{1,63}) (?<state>doesn't exist|is inactive|is stopped|is terminating)/,
);

export const cause = defineCause({
  id: 'gang-or-queue-waits',
  area: 'scheduling',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['pending', 'no-pods', 'other-trouble'],
  effectOf: ['sched-insufficient-resources', 'sched-selector-or-affinity-mismatch', 'sched-untolerated-taint'],

  text: {
    name: 'Gang or queue holds the pods',
    title: '{name} waits as a whole: {what}',
    why: 'Batch schedulers (Volcano, coscheduling, Kueue, YuniKorn) start the pods of a job together or not at all, and only within the share of its queue. {mechanism} So pods stay Pending, or are not even made, although some of them would fit by themselves.',
  },

  clues: {
    volcano: proves(volcano),
    overused: proves(overused),
    siblings: proves(siblings),
    kueue: proves(kueue),
    noQueue: proves(noQueue),
    well: excludes('pod.status', isWell),
  },
  says: {
    volcano: 'the pod group is not ready{state}',
    overused: 'its queue has used up its share',
    siblings: 'there are fewer pods than the group demands{figures}',
    kueue: 'the quota of the queue does not suffice for {resource}{more}',
    noQueue: 'the queue that it names cannot take it: {queue}',
    well: 'the pod runs',
  },
  slots: (place, { volcano: gang, overused: full, siblings: few, kueue: quota, noQueue: absent }) => {
    const resource = quota?.fields['resource'] ?? 'a resource';
    const figures = few?.fields['need'] === undefined ? '' : ` (${few.fields['have']} of ${few.fields['need']})`;
    const more = quota?.fields['more']
      ? ` (${quota.fields['more']} more needed)`
      : quota?.fields['over']
        ? ' (more than the queue ever has)'
        : '';
    const queue = absent ? `${absent.fields['kind']} ${absent.fields['name']} ${absent.fields['state']}` : 'of the job';
    const [what, mechanism] = absent
      ? [`the ${queue}`, 'Without a queue that takes it, the job is never looked at.']
      : quota
        ? [`its queue has not enough quota for ${resource}${more}`, 'Kueue lets a job start when the ClusterQueue has quota for all of it.']
        : few
          ? [`its group has fewer pods than it demands${figures}`, 'Until as many pods as minMember exist, none is scheduled.']
          : full
            ? ['its queue has used up its share', 'The queue must give back first: other jobs of it end, or its capability is raised.']
            : [
                `no place for the whole group${gang?.fields['state'] ? ` (${gang.fields['state'].trim()})` : ''}`,
                'For at least one pod of the group (minAvailable) there is no node: not enough room, labels or taints, or not enough left in the queue.',
              ];
    return {
      ...namesOf(place),
      name: place.kind === 'Workload' && place.name !== 'the workload' ? place.name : 'the job',
      state: gang?.fields['state'] ? `: ${gang.fields['state'].trim()}` : '',
      figures,
      resource,
      more,
      queue,
      what: what ?? '',
      mechanism: mechanism ?? '',
    };
  },

  fixes: [
    {
      say: 'See what the group demands and what its queue has',
      risk: 'reads-only',
      steps: [
        {
          say: 'Volcano, coscheduling',
          run: 'kubectl -n {{namespace}} describe podgroups; kubectl get queues -o yaml; kubectl -n volcano-system logs deploy/volcano-scheduler --tail=50',
          on: 'cluster',
        },
        { say: 'Kueue', run: 'kubectl -n {{namespace}} describe workloads; kubectl get clusterqueues,localqueues -A', on: 'cluster' },
        { say: 'what the nodes have left', run: "kubectl describe nodes | grep -A8 'Allocated resources'", on: 'cluster' },
      ],
    },
    {
      say: 'Ask for less: smaller requests, fewer replicas, or a minAvailable (minMember) that the cluster can place',
      risk: 'restarts-pods',
      steps: [{ say: 'in the job', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' }],
      verified: 'the pods of the group are scheduled together',
    },
    {
      say: 'Or give more: nodes, the capability (Volcano) or nominalQuota (Kueue) of the queue, or another queue',
      risk: 'moves-pods',
      steps: [
        { say: 'Volcano', run: 'kubectl edit queue NAME', on: 'cluster' },
        { say: 'Kueue', run: 'kubectl edit clusterqueue NAME', on: 'cluster' },
      ],
      verified: 'the pods of the group are scheduled together',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'volcano-sh/volcano pkg/scheduler/cache/cache.go, plugins/gang, plugins/proportion',
    'kubernetes-sigs/scheduler-plugins pkg/coscheduling/core',
    'kubernetes-sigs/kueue pkg/scheduler/flavorassigner',
  ],
});
