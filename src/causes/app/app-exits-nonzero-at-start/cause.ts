import {
  defineCause,
  excludes,
  isOneOf,
  isWell,
  minutes,
  namesOf,
  needs,
  on,
  supports,
  tellingLine,
  tellsOfTrouble,
} from '../../define-cause.ts';

/** Codes of a stop from outside: SIGKILL, SIGTERM, and the runtime's own for a container that never started. */
const ORDERED: ReadonlySet<number> = new Set([0, 128, 137, 143]);
const NOT_BY_ITSELF = /^(?:OOMKilled|StartError|ContainerCannotRun|ContainerStatusUnknown|Unknown|Completed)$/;
const NOT_RUN: ReadonlySet<string> = new Set([
  'create-error',
  'config-error',
  'image-pull',
  'init-crash',
  'init-stuck',
  'evicted',
  'pending',
  'creating',
]);

export const cause = defineCause({
  id: 'app-exits-nonzero-at-start',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready'],
  // Faults of the node that a program names in words of its own; what is found at the pod itself comes before it anyway.
  effectOf: [
    'gpu-access-lost',
    'inotify-limits-exhausted',
    'kube-proxy-down-or-mode-unsupported',
    'mtu-mismatch',
    'nvidia-runtime-missing',
  ],
  restates: true,
  wakesOn: [on('container.terminated', { reason: 'Error' }), on('container.last-words')],

  text: {
    name: 'Program ends with an error',
    title: '{container} ends with an error of its own ({exit}): {words}',
    why: 'Nobody stops {container}: its program starts, says "{words}" and ends ({exit}){ran}; the kubelet restarts it and backs off. The reason is in the program, its settings or its image, so every replica on any node does the same.',
  },

  clues: {
    ended: supports(
      'container.terminated',
      ({ exitCode, reason, init }) =>
        init !== true && exitCode !== undefined && !ORDERED.has(exitCode) && !NOT_BY_ITSELF.test(reason ?? ''),
    ),
    loop: supports('pod.symptom', isOneOf('crash-loop', 'restarts', 'failed')),
    words: needs('container.last-words', ({ clean, lines }) => !clean || lines.some(tellsOfTrouble)),
    killed: excludes('pod.event', ({ reason }) => reason === 'Killing'),
    probe: excludes('pod.event', ({ reason, message }) => reason === 'Unhealthy' && /^(?:Liveness|Startup)/.test(message)),
    oom: excludes('pod.symptom', isOneOf('oom')),
    sandbox: excludes('pod.silent-stops'),
    notRun: excludes('pod.symptom', ({ symptom }) => NOT_RUN.has(symptom)),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    ended: 'it ends by itself with {exit}{ran}',
    loop: 'the kubelet restarts it again and again',
    words: 'its last words: {words}',
    killed: 'the kubelet stops it; it does not end by itself',
    probe: 'a failing probe makes the kubelet restart it',
    oom: 'the kernel kills it for memory',
    sandbox: 'the kubelet stops the whole pod, sandbox and all',
    notRun: 'its program has not run yet: image, volumes, init containers or the runtime stand before it',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { ended, words }) => {
    const told = words ? tellingLine(words.lines) : tellingLine(ended?.message?.split('\n').slice(-5) ?? []);
    return {
      ...namesOf(place),
      exit: ended?.exitCode === undefined ? 'exit code not shown' : `exit code ${ended.exitCode}`,
      ran: ended?.ranSeconds === undefined ? '' : ` after ${ended.ranSeconds} s`,
      words: told ?? 'see its log of the run before',
    };
  },

  fixes: [
    {
      say: 'Read the end of its log and what changed last',
      risk: 'reads-only',
      steps: [
        {
          say: 'the last words of the run before',
          run: 'kubectl -n {{namespace}} logs {{target}} -c {{container}} --previous --tail=50',
          on: 'cluster',
        },
        { say: 'what the last rollouts changed', run: 'kubectl -n {{namespace}} rollout history {{target}}', on: 'cluster' },
      ],
    },
    {
      say: 'Repair what {container} complains of: {words}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'correct the setting, environment variable, argument or image it names',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: 'its restart count stays the same for 10 minutes',
    },
    {
      say: 'Go back to the last version that worked',
      risk: 'restarts-pods',
      steps: [{ say: 'or go back to the version that worked', run: 'kubectl -n {{namespace}} rollout undo {{target}}', on: 'cluster' }],
      changes: [{ do: 'rollout-undo' }],
      verified: 'its restart count stays the same for 10 minutes',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/kuberuntime/kuberuntime_manager.go (doBackOff)',
    'kubernetes pkg/kubelet/kuberuntime/kuberuntime_container.go (terminationMessagePolicy)',
  ],
});
