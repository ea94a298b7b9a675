import { defineCause, excludes, isOneOf, minutes, namesOf, on, supports, tellingLine } from '../../define-cause.ts';

export const cause = defineCause({
  id: 'init-container-failing',
  area: 'app',
  at: 'Workload',
  maturity: 'stable',
  explains: ['init-crash'],
  effectOf: [
    'app-argument-unknown',
    'app-capability-missing',
    'app-credentials-rejected',
    'app-database-schema-missing',
    'app-file-missing',
    'app-module-missing',
    'app-setting-missing',
    'app-tls-peer-untrusted',
    'app-command-not-found',
    'app-permission-denied-exec',
    'app-dependency-unreachable',
    'app-config-file-invalid',
    'rbac-denied-in-app',
  ],
  wakesOn: [on('container.terminated', { init: true }), on('pod.symptom', { symptom: 'init-crash' })],

  text: {
    name: 'Init container fails',
    title: 'Init container {container} fails ({exit}): {words}',
    why: 'The init container {container} ends with an error ({exit}): "{words}". Init containers run one after another and each must end well, so the main containers of the pod never start and wait in PodInitializing.',
  },

  clues: {
    ended: supports(
      'container.terminated',
      ({ init, exitCode, reason }) =>
        init === true && exitCode !== undefined && exitCode !== 0 && !/^(?:OOMKilled|StartError|ContainerCannotRun)$/.test(reason ?? ''),
    ),
    words: supports('container.last-words', ({ clean }) => !clean),
    oom: excludes('container.terminated', ({ init, reason }) => init === true && reason === 'OOMKilled'),
    notStarted: excludes(
      'container.terminated',
      ({ init, reason }) => init === true && /^(?:StartError|ContainerCannotRun)$/.test(reason ?? ''),
    ),
    waits: excludes('pod.symptom', isOneOf('init-stuck')),
    well: excludes('pod.status', ({ status, phase }) => status === 'Running' || status === 'Completed' || phase === 'Running'),
  },
  says: {
    ended: '{container} ended with {exit}{ran}',
    words: 'its last words: {words}',
    oom: 'the init container is killed for memory',
    notStarted: 'the runtime cannot start its command at all',
    waits: 'it does not fail: it still runs, and waits or hangs',
    well: 'the init containers are done: the pod runs',
  },
  slots: (place, { ended, words }) => {
    const named = (ended?.about ?? words?.about)?.split('/').at(-1);
    const container = named === undefined || named === '?' ? undefined : named;
    const told = words ? tellingLine(words.lines) : tellingLine(ended?.message?.split('\n').slice(-5) ?? []);
    return {
      ...namesOf(place),
      container: container ?? 'of the pod',
      name: container ?? 'INIT_CONTAINER',
      exit: ended?.exitCode === undefined ? 'exit code not shown' : `exit code ${ended.exitCode}`,
      ran: ended?.ranSeconds === undefined ? '' : ` after ${ended.ranSeconds} s`,
      words: told ?? 'see its log',
    };
  },

  fixes: [
    {
      say: 'Read the log of the init container {container}',
      risk: 'reads-only',
      steps: [
        {
          say: 'its own words; the main containers have no log yet',
          run: 'kubectl -n {{namespace}} logs {{target}} -c {{name}} --previous --tail=50',
          on: 'cluster',
        },
        {
          say: 'its image and command',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -n -A25 'initContainers:'",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Repair what {container} complains of: {words}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'correct its command, settings or image, or what it needs from outside',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: 'the pod condition Initialized is True',
    },
    {
      say: 'Go back to the last version that worked',
      risk: 'restarts-pods',
      steps: [
        { say: 'if it worked before the last rollout, go back', run: 'kubectl -n {{namespace}} rollout undo {{target}}', on: 'cluster' },
      ],
      changes: [{ do: 'rollout-undo' }],
      verified: 'the pod condition Initialized is True',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/kuberuntime/kuberuntime_container.go (findNextInitContainerToRun)',
    'kubernetes pkg/printers/internalversion/printers.go (Init:Error, Init:CrashLoopBackOff)',
  ],
});
