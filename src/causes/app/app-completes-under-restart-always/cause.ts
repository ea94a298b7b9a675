import { defineCause, excludes, isOneOf, minutes, namesOf, needs, on, proves, supports } from '../../define-cause.ts';

/** A shell without anything to do, or a program put into the background. */
const ENDS_BY_NATURE =
  /^(?:\/\S{0,100}\/)?(?:ba|da|a)?sh$|&\s{0,4}$|\bservice \S{1,60} start\s{0,4}$|\b(?:ba|da|a)?sh (?:-[a-z]{1,5} ){1,3}['"]?(?:echo|ls|date|env|cat|true)\b/;

export const cause = defineCause({
  id: 'app-completes-under-restart-always',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready'],
  wakesOn: [on('container.terminated', { exitCode: 0 }), on('container.terminated', { reason: 'Completed' })],

  text: {
    name: 'Finishes, and is restarted',
    title: '{container} finishes with exit code 0 and is restarted for ever (restartPolicy Always)',
    why: '{container} does not fail: its main process ends by itself with exit code 0{ran}. In a {type} the restart policy is Always, so the kubelet starts it again and again and backs off as after a crash (CrashLoopBackOff).',
  },

  clues: {
    ended: needs(
      'container.terminated',
      ({ exitCode, reason, init }) => init !== true && (exitCode === 0 || (exitCode === undefined && reason === 'Completed')),
    ),
    loop: needs('pod.symptom', isOneOf('crash-loop', 'restarts', 'not-ready')),
    waiting: proves('container.waiting', ({ reason }) => reason === 'CrashLoopBackOff'),
    backOff: proves('pod.event', ({ reason, message }) => reason === 'BackOff' && /restarting failed/i.test(message)),
    listed: supports('pod.status', ({ status }) => status === 'CrashLoopBackOff'),
    again: supports('container.restarts', ({ count }) => count > 2),
    clean: supports('container.last-words', ({ clean }) => clean),
    oneShot: supports('container.spec', ({ command, args, init }) => !init && ENDS_BY_NATURE.test(`${command ?? ''} ${args ?? ''}`.trim())),
    killed: excludes('pod.event', ({ reason }) => reason === 'Killing'),
    sandbox: excludes('pod.silent-stops'),
    failed: excludes('container.terminated', ({ exitCode, init }) => init !== true && exitCode !== undefined && exitCode !== 0),
    policy: excludes('pod.restart-policy', ({ policy }) => policy !== 'Always'),
  },
  says: {
    ended: 'it ended with exit code 0 (Completed){ran}',
    loop: 'and yet it is restarted',
    waiting: 'it waits in CrashLoopBackOff after a good end',
    backOff: 'the kubelet backs off from restarting it',
    listed: 'the pod is listed as CrashLoopBackOff',
    again: 'it was started again many times',
    clean: 'its log ends without an error',
    oneShot: 'its command ends by nature: {command}',
    killed: 'the kubelet stops it; it does not end by itself',
    sandbox: 'the kubelet stops the whole pod, sandbox and all',
    failed: 'a container of the pod ends with an error',
    policy: 'the restart policy does not restart what ended well',
  },
  slots: (place, { ended, oneShot }) => ({
    ...namesOf(place),
    named: place.name.includes(' ') ? '' : place.name,
    ran: ended.ranSeconds === undefined ? '' : ` after ${ended.ranSeconds} s`,
    command: `${oneShot?.command ?? ''} ${oneShot?.args ?? ''}`.trim() || 'its command',
    type: /^Workload\/(?<type>[A-Z]\w{1,60})\//.exec(place.parent ?? '')?.groups?.['type'] ?? 'Deployment, StatefulSet or DaemonSet',
  }),

  fixes: [
    {
      say: 'See what {container} runs',
      risk: 'reads-only',
      steps: [
        {
          say: 'command and args; without them the image decides (a bare shell ends at once without a terminal)',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A6 'command:|args:|image:'",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Keep the main process of {container} in the foreground, or make it a Job or CronJob',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'a server: start it in the foreground (nginx -g "daemon off;", no trailing &, no "service x start"; end a start script with exec)',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
        {
          say: 'a one-time task: run it as a Job (restartPolicy OnFailure) and delete this workload',
          run: 'kubectl -n {{namespace}} create job NAME --image=IMAGE -- COMMAND',
          on: 'cluster',
        },
        { say: 'only to look around inside: give it something to wait for, command: ["sleep", "infinity"]' },
      ],
      changes: [
        {
          do: 'workload-set',
          container: '{{named}}',
          field: 'command',
          value: { ask: 'command', says: 'the command as a JSON list, such as ["/app/start", "--serve"]' },
        },
      ],
      verified: '{container} stays Running, or its Job is Complete',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/container/helpers.go (ShouldContainerBeRestarted)',
    'kubernetes pkg/kubelet/kuberuntime/kuberuntime_manager.go (doBackOff)',
  ],
});
