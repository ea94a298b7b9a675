import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const cannotFork = line(
  [
    'resource temporarily unavailable',
    "can't start new thread",
    'pthread_create failed',
    'unable to create native thread',
    'unable to create new native thread',
    'failed to create new OS thread',
    'fork: retry:',
    'Cannot fork',
    "can't fork",
  ],
  'container-log',
  /(?<fork>(?:fork|vfork|clone|posix_spawn|spawn|fork\/exec)\b[^\n]{0,120}?resource temporarily unavailable)|(?<spawn>spawn [^\n]{1,100}? EAGAIN)|(?<thread>can't start new thread|pthread_create failed[^\n]{0,60}?(?:EAGAIN|Resource temporarily unavailable|error 11)|unable to create (?:new )?native thread|failed to create new OS thread[^\n]{0,60}?errno=11)|(?<shell>(?:cannot|can't) fork)/i,
);
const rejected = line('fork rejected by pids controller', 'kernel-log', /cgroup: fork rejected by pids controller in (?<cgroup>\S{1,300})/);
const nodePressure = line(['NodeHasInsufficientPID', 'KubeletHasInsufficientPID', 'low on resource: pids'], []);

export const cause = defineCause({
  id: 'pid-limit-reached',
  area: 'resource',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'create-error'],
  effectOf: ['evicted-pid-pressure'],

  text: {
    name: 'Too many processes',
    title: '{container} cannot start another {what}: its limit of processes (PIDs) is reached',
    why: 'Every process and thread of a pod counts against the process limit (PIDs) of its cgroup (podPidsLimit of the kubelet, or what systemd and the runtime set). {container} asks for one more, the kernel answers "resource temporarily unavailable", and the program fails. Usual reasons: a leak of threads or of zombies nobody reaps, or a limit too low for a pool of workers.',
  },

  clues: {
    cannotFork: proves(cannotFork, byContainers),
    rejected: proves(rejected),
    limit: supports('kubelet.setting', ({ key, value }) => key === 'podPidsLimit' && Number(value) > 0),
    node: excludes(nodePressure),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    cannotFork: 'it cannot start another {what}: resource temporarily unavailable',
    rejected: 'the kernel refused a fork: the pids limit of its cgroup is reached',
    limit: 'the kubelet allows each pod {limit} processes (podPidsLimit)',
    node: 'the node itself has run out of process ids',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { cannotFork: said, limit }) => ({
    ...namesOf(place),
    what: said?.fields['thread'] !== undefined ? 'thread' : 'process',
    limit: limit?.value ?? 'so many',
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
      verified: 'the pod runs without fork errors',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['linux kernel/cgroup/pids.c', 'fork(2), pthread_create(3): EAGAIN', 'kubernetes pkg/kubelet/cm (podPidsLimit)'],
});
