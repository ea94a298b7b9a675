import { entityOf } from '../../../model/entity.ts';
import { defineCause, line, minutes, namesOf, needs, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['pod-events', 'kubelet-log'] as const;
const cannotStart = line(
  ['executable file not found', 'no such file or directory', 'permission denied', 'exec format error'],
  CHANNELS,
  /(?<probe>Liveness|Readiness|Startup) probe (?:failed|errored)[^\n]{0,300}?(?:exec failed|failed to exec|starting container process|exec: \\?")[^\n]{0,300}?(?:exec: \\?"(?<command>[^"\\\n]{1,200})\\?": )?(?<what>executable file not found|no such file or directory|permission denied|exec format error)/,
);
const complains = line(
  ['probe failed: '],
  CHANNELS,
  /(?<probe>Liveness|Readiness|Startup) probe failed: (?<what>(?!OCI runtime|rpc error|Get |dial |HTTP |service unhealthy)[^\n]{0,300}?(?:No such file or directory|: not found|command not found|[Pp]ermission denied|can't open|cannot open|cannot access|unrecognized option|invalid option|unknown option|syntax error)[^\n]{0,100})/,
);
const tooSlow = line(
  ['command timed out', '" timed out', 'timed out after ', 'failed to exec in container: timeout'],
  CHANNELS,
  /(?<probe>Liveness|Readiness|Startup) probe (?:failed|errored)[^\n]{0,300}?(?:command timed out|command \\?"[^\n]{1,300}?" timed out|timed out after (?<after>[\w.]{1,12})|failed to exec in container: timeout (?<limit>[\w.]{1,12}) exceeded)/,
);

/** What the kubelet runs, as `kubectl describe` writes it. */
function commandOf(text: string | undefined): string | undefined {
  return /^exec \[(?<command>[^\n]{1,300}?)\](?: delay=|$)/.exec(text ?? '')?.groups?.['command'];
}

export const cause = defineCause({
  id: 'probe-exec-fails',
  area: 'probe',
  at: 'Workload',
  maturity: 'stable',
  explains: ['not-ready'],

  text: {
    name: 'Probe command fails',
    title: 'The command of the {probe} probe{of} fails: {what}',
    why: 'The {probe} probe runs {command} inside the container, and that command cannot succeed: {what}. The program itself may be well, but a failing probe keeps the pod unready or, as a liveness or startup probe, makes the kubelet restart the container.',
  },

  clues: {
    trouble: needs('pod.symptom', ({ symptom }) => /^(?:not-ready|restarts|crash-loop|failed)$/.test(symptom)),
    cannotStart: proves(cannotStart),
    complains: proves(complains),
    tooSlow: proves(tooSlow),
    liveness: supports('container.probe', ({ probe, text }) => probe === 'liveness' && text.startsWith('exec ')),
    readiness: supports('container.probe', ({ probe, text }) => probe === 'readiness' && text.startsWith('exec ')),
    startup: supports('container.probe', ({ probe, text }) => probe === 'startup' && text.startsWith('exec ')),
  },
  says: {
    trouble: 'the pod suffers: {state}',
    cannotStart: 'the command of the probe cannot be started: {what}',
    complains: 'the command of the probe complains: {what}',
    tooSlow: 'the command of the probe does not end in time ({limit})',
    liveness: 'the liveness probe runs {livenessCommand}',
    readiness: 'the readiness probe runs {readinessCommand}',
    startup: 'the startup probe runs {startupCommand}',
  },
  slots: (place, { trouble, cannotStart: start, complains: complaint, tooSlow: slow, ...specs }) => {
    const probe = ((start ?? complaint ?? slow)?.fields['probe'] ?? 'exec').toLowerCase();
    const own = [specs.liveness, specs.readiness, specs.startup].find((spec) => spec?.probe === probe);
    const limit = slow?.fields['after'] ?? slow?.fields['limit'] ?? (own?.timeout !== undefined ? `${own.timeout}s` : 'timeoutSeconds');
    const started = start ? `${start.fields['command'] ?? 'the command'}: ${start.fields['what']}` : undefined;
    return {
      ...namesOf(place),
      probe,
      of: own ? ` of ${entityOf(own.about).name}` : '',
      container: own ? entityOf(own.about).name : 'CONTAINER',
      named: own ? entityOf(own.about).name : '',
      commandField: (start || complaint) && own ? `${own.probe}Probe.exec.command` : '',
      slowProbe: slow && !start && !complaint && own ? `${own.probe}Probe` : '',
      command: commandOf(own?.text) ?? 'a command',
      commandLine: commandOf(own?.text) ?? 'COMMAND',
      what: started ?? complaint?.fields['what']?.trim().replace(/\.$/, '') ?? `no end within ${limit}`,
      limit,
      state: trouble?.detail ?? 'not ready',
      livenessCommand: commandOf(specs.liveness?.text) ?? 'a command',
      readinessCommand: commandOf(specs.readiness?.text) ?? 'a command',
      startupCommand: commandOf(specs.startup?.text) ?? 'a command',
    };
  },

  fixes: [
    {
      say: 'Correct the command of the {probe} probe, or create what it looks for',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'run it by hand; only its exit code counts',
          run: 'kubectl -n {{namespace}} exec {{target}} -c {{container}} -- sh -c {{commandLine}}; echo "exit code $?"',
          on: 'cluster',
        },
        {
          say: 'a missing file: let the program create it; a missing tool: use one the image has, or replace the exec probe by httpGet, tcpSocket or grpc',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      changes: [
        {
          do: 'workload-set',
          container: '{{named}}',
          field: '{{commandField}}',
          value: { ask: 'command', says: 'the command of the probe as a JSON list, such as ["cat", "/tmp/ready"]' },
        },
      ],
      verified: 'no event Unhealthy',
    },
    {
      say: 'Raise timeoutSeconds of the probe if the command is right but slow',
      risk: 'restarts-pods',
      for: ['tooSlow'],
      steps: [
        {
          say: 'the default is 1 second, and it is enforced for commands since Kubernetes 1.20',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      changes: [{ do: 'workload-set', container: '{{named}}', field: '{{slowProbe}}.timeoutSeconds', value: 'x5' }],
      verified: 'no event Unhealthy',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/probe/exec/exec.go, pkg/kubelet/prober/prober.go',
    'containerd internal/cri/server/container_execsync.go',
    'opencontainers/runc libcontainer/init_linux.go',
  ],
});
