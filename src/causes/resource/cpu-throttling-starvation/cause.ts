import { defineCause, excludes, isWell, line, minutes, namesOf, needs, supports } from '../../define-cause.ts';

const alert = line(
  ['CPUThrottlingHigh', 'throttling of CPU', 'cfs_throttled_periods'],
  ['prose', 'container-log'],
  /(?<percent>\d{1,3})(?:\.\d{1,6})?% throttling of CPU[^\n]{0,100}|CPUThrottlingHigh(?:[^\n%]{0,80}?(?<high>\d{1,3})(?:\.\d{1,6})?%)?|container_cpu_cfs_throttled_periods_total[^\n]{0,300}/,
);
const counted = line(
  ['nr_throttled ', 'nr_throttled:', 'throttled_usec ', 'throttled_time '],
  ['cgroup-paths', 'host-state'],
  /nr_throttled:? (?<times>[1-9]\d{2,18})|throttled_(?:usec|time):? (?<spent>[1-9]\d{6,18})/,
);
const starved = line(
  [
    'Thread starvation or clock leap detected',
    'event loop blocked',
    'Event loop blocked',
    'has been blocked for',
    'starvation detected',
    'ReadHeaderTimeout',
  ],
  ['container-log'],
  /Thread starvation or clock leap detected[^\n]{0,80}|[Ee]vent loop (?:is |was )?blocked[^\n]{0,80}|Thread[^\n]{0,100}?has been blocked for (?<blocked>\d{1,9}) ms|[Tt]hread pool starvation detected/,
);
const probeSlow = line(
  ['awaiting headers', 'command timed out', 'timed out after'],
  ['pod-events', 'kubelet-log'],
  /probe (?:failed|errored)[^\n]{0,260}?(?:Client\.Timeout exceeded while awaiting headers|command timed out|timed out after)/,
);
const nodeBusy = line(
  ['soft lockup', 'blocked for more than', 'steal time', 'clocksource: Long readout'],
  [],
  /soft lockup - CPU#|task \S{1,40} blocked for more than/,
);

export const cause = defineCause({
  id: 'cpu-throttling-starvation',
  area: 'resource',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['restarts', 'crash-loop', 'not-ready', 'failed'],

  text: {
    name: 'CPU limit throttles the program',
    title: 'The CPU limit throttles {name}{percent}: it starts and answers too slowly',
    why: 'A cpu limit is enforced by the CFS quota: once the threads of the container have used their share of each 100 ms, all of them stand still until the next period. {name} is held back that way, so its start takes minutes and answers to probes come too late; nothing crashes of itself.',
  },

  clues: {
    trouble: needs('pod.symptom', ({ symptom }) => /^(?:restarts|crash-loop|not-ready|failed)$/.test(symptom)),
    alert: supports(alert),
    counted: supports(counted),
    starved: supports(starved),
    probeSlow: supports(probeSlow),
    nodeBusy: excludes(nodeBusy),
    well: excludes('pod.status', isWell),
  },
  says: {
    trouble: 'the pod suffers: {state}',
    alert: 'CPU throttling is reported{percent}',
    counted: 'the cgroup counts throttled periods: {times}',
    starved: 'its threads get no time to run',
    probeSlow: 'its probes time out while it is at work',
    nodeBusy: 'the node itself hangs',
    well: 'the pod runs and is ready',
  },
  slots: (place, { trouble, starved: starving, alert: told, counted: count }) => {
    const percent = told?.fields['percent'] ?? told?.fields['high'];
    return {
      ...namesOf(place),
      name: place.name,
      named: trouble?.container ?? /^Container\/.*\/(?<name>[a-z0-9-]+)$/.exec(starving?.about ?? '')?.groups?.['name'] ?? '',
      state: trouble?.detail ?? 'not ready',
      percent: percent ? ` (${percent} % of the periods)` : '',
      times: count?.fields['times'] ?? count?.fields['spent'] ?? 'many',
    };
  },

  fixes: [
    {
      say: 'Measure: how often is it throttled, and how busy is the node',
      risk: 'reads-only',
      steps: [
        {
          say: 'nr_throttled against nr_periods, twice, a minute apart',
          run: 'kubectl -n {{namespace}} exec {{target}} -- sh -c "cat /sys/fs/cgroup/cpu.stat /sys/fs/cgroup/cpu/cpu.stat 2>/dev/null"',
          on: 'cluster',
        },
        { say: 'usage against the limit', run: 'kubectl -n {{namespace}} top pod --containers; kubectl top nodes', on: 'cluster' },
      ],
    },
    {
      say: 'Raise the cpu limit, or take it out and keep the request',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'a limit below one core hurts programs with many threads and long starts most',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
        { say: 'let the runtime know its share: GOMAXPROCS, -XX:ActiveProcessorCount, worker counts' },
      ],
      changes: [{ do: 'workload-set', container: '{{named}}', field: 'resources.limits.cpu', value: 'x2' }],
      verified: 'nr_throttled hardly grows, and no probe times out',
    },
    {
      say: 'Until then give the probes more time: a startupProbe, timeoutSeconds above 1',
      risk: 'restarts-pods',
      steps: [{ say: 'it cures the restarts, not the slowness', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' }],
      verified: 'no event Unhealthy',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['linux Documentation/scheduler/sched-bwc.rst', 'kubernetes-mixin alerts/resource_alerts.libsonnet (CPUThrottlingHigh)'],
});
