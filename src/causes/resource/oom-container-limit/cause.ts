import { entityOf } from '../../../model/entity.ts';
import { bytes, defineCause, excludes, line, minutes, namesOf, needs, on, proves, supports } from '../../define-cause.ts';

/** Says nothing when it is not there: without the kernel's log nobody would know. */
const nodeOutOfMemory = line(
  ['constraint=CONSTRAINT_NONE', 'constraint=CONSTRAINT_CPUSET', 'System OOM encountered', 'Out of memory: Kill'],
  [],
  /CONSTRAINT_NONE|CONSTRAINT_CPUSET|System OOM encountered|\bOut of memory: Kill/,
);

/** The bare words, as people repeat them, and what the kernel prints of a cgroup at its limit. */
const word = line(
  ['OOMKilled', 'mem_cgroup_oom', 'mem_cgroup_out_of_memory', 'Memory cgroup out of memory', 'CONSTRAINT_MEMCG'],
  ['pod-status', 'kernel-log', 'prose'],
  /\bOOMKilled\b|mem_cgroup_(?:oom_synchronize|out_of_memory)|Memory cgroup out of memory|CONSTRAINT_MEMCG/,
);

/** A kill that hits a child leaves the container running, and only its parent tells of it. */
const child = line(
  [
    'was sent SIGKILL',
    'due to signal 9',
    'signal 9 (SIGKILL)',
    'exited on signal 9',
    'killed by signal 9',
    'terminated by signal 9: Killed',
  ],
  'container-log',
  /Worker \(pid:\d{1,10}\) was sent SIGKILL|Worker with pid \d{1,10} was terminated due to signal 9|(?:exited with '|exited prematurely: )signal 9 \(SIGKILL\)|(?:worker process|child) \d{1,10},? exited on signal 9|worker \d{1,6} \(pid: \d{1,10}\) died, killed by signal 9|process \(PID \d{1,10}\) was terminated by signal 9: Killed|\[pool [\w-]{1,60}\] child \d{1,10} exited on signal 9/,
);

export const cause = defineCause({
  id: 'oom-container-limit',
  area: 'resource',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['oom', 'crash-loop', 'restarts', 'not-ready', 'failed', 'init-crash'],
  effectOf: ['app-heap-vs-limit-misfit'],
  wakesOn: [
    on('container.terminated', { reason: 'OOMKilled' }),
    on('kernel.oom', { scope: 'cgroup' }),
    on('pod.status', { status: 'OOMKilled' }),
  ],

  text: {
    name: 'Memory limit exceeded',
    title: '{Who} exceeds its memory limit{limit} and is OOM-killed',
    why: 'The limit is enforced by the kernel: when the processes of {who} need more memory than its limit{limit}, the kernel kills them (SIGKILL, exit code 137, OOMKilled) and the kubelet starts the container anew. Either the limit is too small for the program or the program leaks.',
  },

  clues: {
    trouble: needs('pod.symptom', ({ symptom }) => /^(?:oom|crash-loop|restarts|not-ready|failed|init-crash)$/.test(symptom)),
    limit: needs('container.memory-limit'),
    oomKilled: proves('container.terminated', ({ reason }) => reason === 'OOMKilled'),
    listed: proves('pod.status', ({ status }) => /^(?:Init:)?OOMKilled$/.test(status)),
    kernel: proves('kernel.oom', ({ scope }) => scope === 'cgroup'),
    word: supports(word),
    child: supports(child),
    nodeOutOfMemory: excludes(nodeOutOfMemory),
  },
  says: {
    trouble: 'the pod suffers now: {state}',
    limit: 'the memory limit is {limitBytes}',
    oomKilled: 'a run ended with OOMKilled, exit code {exitCode}',
    listed: 'the pod is listed as OOMKilled',
    kernel: 'the kernel killed {process} for the limit of its cgroup',
    word: 'it is told that a container was OOM-killed',
    child: 'a process it has started was killed (SIGKILL), as the kernel does at the memory limit',
    nodeOutOfMemory: 'the kernel reports that the node as a whole ran out of memory',
  },
  slots: (place, { trouble, limit, oomKilled, kernel }) => {
    const ended = oomKilled ? entityOf(oomKilled.about).name : undefined;
    const container = place.name.includes(' ') ? (ended ?? place.name) : place.name;
    const known = !container.includes(' ');
    const own = limit && (container === entityOf(limit.about).name || ended === undefined) ? limit : undefined;
    return {
      ...namesOf(place),
      Who: known ? `Container ${container}` : 'A container',
      who: known ? `container ${container}` : 'the container',
      container,
      named: known ? container : '',
      limit: own ? ` of ${bytes(own.bytes)}` : '',
      limitBytes: own ? bytes(own.bytes) : 'set',
      exitCode: oomKilled?.exitCode ?? 137,
      process: kernel?.process ?? 'a process',
      state: trouble?.detail ?? 'killed',
    };
  },

  fixes: [
    {
      say: 'Raise the memory limit of {who} above what it needs at its peak, and the request with it',
      risk: 'restarts-pods',
      steps: [
        { say: 'what it uses between the kills', run: 'kubectl -n {{namespace}} top pod --containers', on: 'cluster' },
        {
          say: 'increase resources.limits.memory and resources.requests.memory',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      changes: [{ do: 'workload-set', container: '{{named}}', field: 'resources.limits.memory', value: 'x2' }],
      verified: 'no OOMKilled during a full load cycle',
    },
    {
      say: 'Or make the program use less memory: fix a leak, bound heap, caches, workers and batch sizes',
      risk: 'restarts-pods',
      steps: [
        { say: 'a usage that grows without end is a leak: a higher limit only delays the next kill', on: 'cluster' },
        {
          say: 'tell runtimes their limit: -XX:MaxRAMPercentage (Java), --max-old-space-size (Node), GOMEMLIMIT (Go)',
          run: 'kubectl -n {{namespace}} set env {{target}} -c {{container}} --list',
          on: 'cluster',
        },
      ],
      verified: 'the usage levels off below the limit',
    },
  ],

  verify: { quietForMinutes: minutes(30) },
  sources: [
    'linux mm/oom_kill.c, mm/memcontrol.c',
    'containerd internal/cri/server/events.go (oomExitReason)',
    'kubernetes pkg/kubelet/cm (memory.oom.group since 1.28)',
  ],
});
