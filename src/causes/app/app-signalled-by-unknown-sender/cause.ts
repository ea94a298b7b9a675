import type { FactKinds } from '../../../model/facts.ts';
import { defineCause, excludes, isOneOf, minutes, namesOf, needs, on, supports } from '../../define-cause.ts';

const SIGNALS: Readonly<Record<number, string>> = { 137: 'SIGKILL', 143: 'SIGTERM', 130: 'SIGINT', 129: 'SIGHUP' };

/** How long the kubelet takes to stop a container once it has given up on it. */
const GRACE_SECONDS = 35;

/** The probe that gives up just when the run ended, in words. */
function probeThatFits(probe: FactKinds['container.probe'] | undefined, ranSeconds: number | undefined): string | undefined {
  if (probe?.period === undefined || ranSeconds === undefined) return undefined;
  const { delay = 0, period, failures = 3 } = probe;
  const earliest = delay + period * (failures - 1);
  if (ranSeconds < earliest - 2 || ranSeconds > earliest + period + GRACE_SECONDS) return undefined;
  return `most likely by the kubelet for its ${probe.probe} probe, which gives up after ${earliest} s (it ran ${ranSeconds} s)`;
}

export const cause = defineCause({
  id: 'app-signalled-by-unknown-sender',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready'],
  effectOf: ['oom-node-global', 'oom-container-limit', 'app-heap-vs-limit-misfit'],
  wakesOn: [
    on('container.terminated', { exitCode: 137 }),
    on('container.terminated', { exitCode: 143 }),
    on('container.terminated', { exitCode: 130 }),
    on('container.terminated', { exitCode: 129 }),
  ],

  text: {
    name: 'Ended by a signal from elsewhere',
    title: '{container} is ended by {signal} ({exit}), {by}',
    why: '{exit} stands for {signal}, but no event shows that the kubelet stops {container}, and its end is not marked as OOMKilled. So the signal comes from elsewhere: a supervisor, watchdog or script in the same container or pod, an agent on the host, a person on the node, the kernel for the memory of the whole node (its log tells), or the kubelet for a probe whose events were not shown. A program may also exit with that number by itself.',
  },

  clues: {
    suffers: needs('pod.symptom', isOneOf('crash-loop', 'restarts', 'failed', 'not-ready')),
    ended: supports(
      'container.terminated',
      ({ exitCode, reason, init }) => init !== true && exitCode !== undefined && exitCode in SIGNALS && (reason ?? 'Error') === 'Error',
    ),
    startup: supports('container.probe', ({ probe }) => probe === 'startup'),
    liveness: supports('container.probe', ({ probe }) => probe === 'liveness'),
    again: supports('container.restarts', ({ count }) => count >= 2),
    killed: excludes('pod.event', ({ reason }) => reason === 'Killing' || reason === 'Evicted' || reason === 'Preempting'),
    probe: excludes('pod.event', ({ reason, message }) => reason === 'Unhealthy' && /^(?:Liveness|Startup)/.test(message)),
    oom: excludes('pod.symptom', isOneOf('oom', 'evicted')),
    kernel: excludes('kernel.oom'),
    sandbox: excludes('pod.silent-stops'),
    lost: excludes('container.terminated', ({ reason }) => /^(?:OOMKilled|ContainerStatusUnknown|Unknown)$/.test(reason ?? '')),
    over: excludes('pod.history'),
  },
  says: {
    suffers: 'the container ends and is restarted',
    ended: 'it ended with {exit}: {signal}',
    startup: 'it has a startup probe',
    liveness: 'it has a liveness probe',
    again: 'it happened {count} times',
    killed: 'the kubelet stops it, and says so',
    probe: 'a failing probe makes the kubelet restart it',
    oom: 'it was killed for memory, or evicted',
    kernel: 'the kernel killed for lack of memory',
    sandbox: 'the kubelet stops the whole pod, sandbox and all',
    lost: 'the runtime says why: out of memory, or it lost the container',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { ended, again, startup, liveness }) => ({
    ...namesOf(place),
    signal: SIGNALS[ended?.exitCode ?? 0] ?? 'a signal',
    exit: ended?.exitCode === undefined ? 'its exit code' : `exit code ${ended.exitCode}`,
    count: again?.count ?? 'some',
    by: probeThatFits(startup, ended?.ranSeconds) ?? probeThatFits(liveness, ended?.ranSeconds) ?? 'and not by Kubernetes',
  }),

  fixes: [
    {
      say: 'Find the sender of {signal}',
      risk: 'reads-only',
      steps: [
        {
          say: 'its own last words: a supervisor or a script often says that it gives up',
          run: 'kubectl -n {{namespace}} logs {{target}} -c {{container}} --previous --tail=50',
          on: 'cluster',
        },
        {
          say: 'did the kernel kill for memory',
          run: "journalctl -k --since '1 hour ago' --no-pager | grep -iE 'oom|killed process'",
          on: 'node',
        },
        {
          say: 'who sends signals there (needs auditd or bpftrace)',
          run: 'bpftrace -e \'tracepoint:signal:signal_generate /args->sig == 9 || args->sig == 15/ { printf("%s(%d) -> %s(%d) %d\\n", comm, pid, str(args->comm), args->pid, args->sig); }\'',
          on: 'node',
        },
      ],
    },
    {
      say: 'Repair what sends it: the watchdog or start script of {container}, or the agent on the host',
      risk: 'restarts-pods',
      steps: [
        { say: 'commands, hooks and sidecars of the pod', run: 'kubectl -n {{namespace}} get {{target}} -o yaml', on: 'cluster' },
        { say: 'shareProcessNamespace lets a sidecar signal the program' },
      ],
      verified: 'its restart count stays the same for 10 minutes',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['signal(7)', 'kubernetes pkg/kubelet/kuberuntime/kuberuntime_container.go (killContainer records Killing)'],
});
