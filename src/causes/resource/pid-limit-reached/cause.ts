import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const cannotFork = line(
  [
    'resource temporarily unavailable',
    "can't start new thread",
    'pthread_create failed',
    'pthread_create() failed',
    'unable to create native thread',
    'unable to create new native thread',
    'failed to create new OS thread',
    'fork() failed while spawning',
    'fork: retry:',
    'Cannot fork',
    "can't fork",
  ],
  'container-log',
  /(?<fork>(?:fork|vfork|clone|posix_spawn|spawn|fork\/exec)\b[^\n]{0,120}?resource temporarily unavailable)|(?<spawn>spawn [^\n]{1,100}? EAGAIN)|(?<thread>can't start new thread|pthread_create(?:\(\))? failed[^\n]{0,60}?(?:EAGAIN|Resource temporarily unavailable|error 11)|unable to create (?:new )?native thread|failed to create new OS thread[^\n]{0,60}?errno=11\b|fork\(\) failed while spawning[^\n]{0,80}?\(11: )|(?<shell>(?:cannot|can't) fork)/i,
);
/** Before Linux 4.5 a table of processes that is full was told as a lack of memory. */
const saidMemory = line(
  ['failed to create new OS thread', 'fork() failed while spawning'],
  'container-log',
  /failed to create new OS thread[^\n]{0,60}?errno=12\b|fork\(\) failed while spawning[^\n]{0,80}?\(12: /,
);
const rejected = line('fork rejected by pids controller', 'kernel-log', /cgroup: fork rejected by pids controller in (?<cgroup>\S{1,300})/);
const nodePressure = line(['NodeHasInsufficientPID', 'KubeletHasInsufficientPID', 'low on resource: pids'], []);

const daemons = line(
  ['resource temporarily unavailable'],
  [],
  /fork\/exec \/\S{0,120}?(?:runc|crun|conmon|containerd-shim[\w-]{0,20}|docker[\w-]{0,30}): resource temporarily unavailable/,
);

export const cause = defineCause({
  id: 'pid-limit-reached',
  area: 'resource',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'create-error', 'other-trouble'],
  effectOf: ['evicted-pid-pressure'],

  text: {
    name: 'Too many processes',
    title: '{container} cannot start another {what}: its limit of processes (PIDs) is reached',
    why: 'Every process and thread of a pod counts against the process limit (PIDs) of its cgroup (podPidsLimit of the kubelet, or what systemd and the runtime set). {container} asks for one more, the kernel answers "resource temporarily unavailable", and the program fails. Usual reasons: a leak of threads or of zombies nobody reaps, or a limit too low for a pool of workers.',
  },

  clues: {
    cannotFork: proves(cannotFork, byContainers),
    rejected: proves(rejected),
    saidMemory: supports(saidMemory, byContainers),
    limit: supports('kubelet.setting', ({ key, value }) => key === 'podPidsLimit' && Number(value) > 0),
    node: excludes(nodePressure),
    daemons: excludes(daemons),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    cannotFork: 'it cannot start another {what}: resource temporarily unavailable',
    rejected: 'the kernel refused a fork: the pids limit of its cgroup is reached',
    saidMemory: 'it cannot start another thread or process; an old kernel calls a full table of processes a lack of memory',
    limit: 'the kubelet allows each pod {limit} processes (podPidsLimit)',
    node: 'the node itself has run out of process ids',
    daemons: 'the runtime of the node cannot start programs either: it is not the limit of one pod',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { cannotFork: said, saidMemory: old, limit }) => ({
    ...namesOf(place),
    what: said?.fields['thread'] !== undefined || (old !== undefined && said === undefined) ? 'thread' : 'process',
    limit: limit?.value ?? 'so many',
    lowLimit: limit && Number(limit.value) < 4096 ? 'podPidsLimit' : '',
  }),

  fixes: [
    {
      say: 'See how many processes it has, how many it may have, and which they are',
      risk: 'reads-only',
      steps: [
        {
          say: 'use and limit of the container (cgroup v2, then v1)',
          run: "kubectl -n {{namespace}} exec {{target}} -c {{container}} -- sh -c 'cat /sys/fs/cgroup/pids.current /sys/fs/cgroup/pids.max 2>/dev/null || cat /sys/fs/cgroup/pids/pids.current /sys/fs/cgroup/pids/pids.max'",
          on: 'cluster',
        },
        {
          say: 'where nothing can be started inside: on the node, threads per process',
          run: 'ps -eLo pid,ppid,stat,comm --no-headers | sort | uniq -c | sort -rn | head -20; sysctl kernel.pid_max; grep -n podPidsLimit /var/lib/kubelet/config.yaml',
          on: 'node',
        },
      ],
    },
    {
      say: 'Stop the leak in {container}: bound its pool of workers or threads, reap its children',
      risk: 'restarts-pods',
      steps: [
        { say: 'a PID 1 that does not reap leaves zombies: use a small init such as tini, or shareProcessNamespace' },
        { say: 'a restart frees them for the moment', run: 'kubectl -n {{namespace}} rollout restart {{target}}', on: 'cluster' },
      ],
      verified: 'pids.current stays well below pids.max',
    },
    {
      say: 'If it needs that many: raise podPidsLimit of the kubelets',
      risk: 'touches-node',
      steps: [
        {
          say: 'in the kubelet configuration; also TasksMax of the runtime unit where it is set',
          run: 'grep -n podPidsLimit /var/lib/kubelet/config.yaml; systemctl show containerd -p TasksMax',
          on: 'node',
        },
        { say: 'restart the kubelet; new pods get the new limit', run: 'systemctl restart kubelet', on: 'node' },
      ],
      changes: [
        { do: 'kubelet-set', key: '{{lowLimit}}', value: 4096 },
        { do: 'units', action: 'restart', units: ['kubelet'] },
        { do: 'restart-pods' },
      ],
      verified: 'the pod runs without fork errors',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['linux kernel/cgroup/pids.c', 'fork(2), pthread_create(3): EAGAIN', 'kubernetes pkg/kubelet/cm (podPidsLimit)'],
});
