import { defineCause, excludes, isWell, line, minutes, namesOf, on, proves, supports } from '../../define-cause.ts';

const PRINTED_BY = ['pod-events', 'kubelet-log', 'pod-spec'] as const;

const postStart = line(
  ['FailedPostStartHook', 'PostStartHookError', 'PostStartHook failed', 'execute PostStartHook'],
  PRINTED_BY,
  /PostStartHookError: (?:\\*")?(?<error>[^\n]{1,300})|(?:FailedPostStartHook|PostStartHook failed|execute PostStartHook)/,
);
const failing = line(
  ['lifecycle hook ('],
  PRINTED_BY,
  /(?:Exec|Http|HTTP|TCP) lifecycle hook \((?<hook>[^\n]{1,300}?)\) for Container \\*"(?<container>[\w.-]{1,63})\\*" in Pod \\*"[^\n"]{1,253}" failed - error: (?<error>[^\n]{1,300}?)(?:, message: \\*"(?<said>[^\n"]{0,300})|$)/,
);
const preStop = line(
  ['FailedPreStopHook', 'PreStopHook failed', 'PreStop hook failed', 'PreStop hook not completed'],
  PRINTED_BY,
  /FailedPreStopHook|PreStopHook failed|PreStop hook failed|PreStop hook not completed in grace period/,
);

function innermost(error: string | undefined): string | undefined {
  return error
    ?.replaceAll('\\', '')
    .replace(/^"/, '')
    .replace(/"?\s*(?:pod="|$)[\s\S]*/, '')
    .replace(/[\s,:]+$/, '')
    .slice(0, 160);
}

export const cause = defineCause({
  id: 'lifecycle-hook-failure',
  area: 'config',
  at: 'Workload',
  maturity: 'stable',
  explains: ['crash-loop', 'create-error', 'restarts', 'failed', 'not-ready', 'stuck-terminating', 'other-trouble'],
  effectOf: ['runtime-slow-deadline-exceeded'],
  wakesOn: [
    on('container.waiting', { reason: 'PostStartHookError' }),
    on('pod.status', { status: 'PostStartHookError' }),
    on('pod.event', { reason: 'FailedPostStartHook' }),
    on('pod.event', { reason: 'FailedPreStopHook' }),
  ],

  text: {
    name: 'Lifecycle hook fails',
    title: 'The {hookName} hook of {container} fails{problem}',
    why: 'The kubelet runs the {hookName} lifecycle hook {command} of {container}{problem}. {effect}',
  },

  clues: {
    postStart: proves(postStart),
    waiting: proves('container.waiting', ({ reason }) => reason === 'PostStartHookError'),
    listed: proves('pod.status', ({ status }) => /^(?:Init:)?PostStartHookError/.test(status)),
    killed: proves(
      'pod.event',
      ({ killedBy, reason }) => (killedBy === 'hook' && reason !== 'FailedPreStopHook') || reason === 'FailedPostStartHook',
    ),
    failing: supports(failing),
    preStop: supports(preStop),
    stopEvent: supports('pod.event', ({ reason }) => reason === 'FailedPreStopHook'),
    byProbe: excludes('pod.event', ({ killedBy }) => killedBy === 'liveness-probe' || killedBy === 'startup-probe'),
    well: excludes('pod.status', isWell),
  },
  says: {
    postStart: 'the kubelet says that the postStart hook failed',
    waiting: 'the container waits in PostStartHookError',
    listed: 'the pod is listed with PostStartHookError',
    killed: 'the kubelet kills the container because of its postStart hook',
    failing: 'the hook {command} fails{problem}',
    preStop: 'the preStop hook failed or did not end in time',
    stopEvent: 'the kubelet says that the preStop hook failed',
    byProbe: 'a failing probe makes the kubelet restart it',
    well: 'the pod runs and is ready',
  },
  slots: (place, { postStart: started, waiting, listed, killed, failing: hook, preStop: stop, stopEvent }) => {
    const isPreStop =
      (stop ?? stopEvent) !== undefined && started === undefined && waiting === undefined && listed === undefined && killed === undefined;
    const error = innermost(hook?.fields['error'] ?? started?.fields['error'] ?? waiting?.message);
    const said = hook?.fields['said']?.replaceAll('\\n', ' ').replaceAll('\\', '').trim();
    const names = namesOf(place);
    return {
      ...names,
      container: hook?.fields['container'] ?? killed?.container ?? names.container,
      hookName: isPreStop ? 'preStop' : 'postStart',
      named: hook?.fields['container'] ?? killed?.container ?? '',
      command: hook?.fields['hook'] ?? '',
      problem: error ? `: ${error}${said ? ` (${said})` : ''}` : '',
      effect: isPreStop
        ? 'A failing preStop hook does not keep the container, but it is then stopped without the preparation the hook was for, and a hook that hangs uses up the grace period before the program is killed.'
        : 'A container whose postStart hook fails is killed and started anew, so it restarts again and again although the program itself may be well.',
    };
  },

  fixes: [
    {
      say: 'See the hook, and what it says when run by hand',
      risk: 'reads-only',
      steps: [
        { say: 'the hook', run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nA12 'lifecycle:'", on: 'cluster' },
        {
          say: 'recent kubelets put the error into their log only',
          run: "journalctl -u kubelet --no-pager | grep -iE 'lifecycle hook|PostStartHook|PreStop hook' | tail -20",
          on: 'node',
        },
        {
          say: 'run its command while the container lives; its exit code must be 0',
          run: 'kubectl -n {{namespace}} exec {{target}} -- sh -c "COMMAND"; echo $?',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Correct the {hookName} hook: its command must exist in the image, end in time and end with 0',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'postStart runs beside the entrypoint, not after it: wait for what it needs, or move the step into an init container or the entrypoint',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
        {
          say: 'wrap it in a shell where it uses pipes or variables: ["/bin/sh", "-c", "…"]; images without a shell need the full path of a binary',
        },
      ],
      verified: 'no event FailedPostStartHook or FailedPreStopHook follows',
    },
    {
      say: 'Or do without the {hookName} hook, if what it does can be left out',
      risk: 'restarts-pods',
      steps: [{ say: 'take it out of the lifecycle of {container}', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' }],
      changes: [{ do: 'workload-unset', container: '{{named}}', field: 'lifecycle.{{hookName}}' }],
      verified: 'no event FailedPostStartHook or FailedPreStopHook follows',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/kubelet/lifecycle/handlers.go', 'kubernetes pkg/kubelet/kuberuntime/kuberuntime_container.go'],
});
