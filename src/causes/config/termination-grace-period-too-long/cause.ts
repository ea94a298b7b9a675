import { defineCause, excludes, isOneOf, line, minutes, needs, on, proves, supports } from '../../define-cause.ts';

const cannotStop = line(['error killing pod', 'FailedKillPod', 'KillPodSandboxError', 'KillContainerError'], ['pod-events', 'kubelet-log']);
/** Kubernetes gives 30 seconds unless told otherwise; people notice a pod that stays for longer. */
const NOTICED_SECONDS = 60;

export const cause = defineCause({
  id: 'termination-grace-period-too-long',
  area: 'config',
  at: 'Workload',
  maturity: 'stable',
  explains: ['stuck-terminating'],
  wakesOn: [on('pod.deleting', { inGrace: true })],

  text: {
    name: 'Still within its grace period',
    title: 'A pod of {name} is Terminating because it may take {grace} to end',
    why: 'A deleted pod may take terminationGracePeriodSeconds to end: first its preStop hook runs, then the program gets SIGTERM, and only when the {grace} are over is it killed. The pod is still within that time, so nothing is stuck: the preStop hook or the program uses the time it was given. It ends by itself then at the latest.',
  },

  clues: {
    stays: needs('pod.symptom', isOneOf('stuck-terminating')),
    long: needs('pod.deleting', ({ graceSeconds }) => (graceSeconds ?? 0) > NOTICED_SECONDS),
    ahead: proves('pod.deleting', ({ inGrace }) => inGrace === true),
    stopping: supports('pod.event', ({ reason, killedBy }) => reason === 'Killing' && killedBy === 'stop'),
    runs: supports('container.running'),
    late: excludes('pod.deleting', ({ sinceSeconds }) => (sinceSeconds ?? 0) > 0),
    cannotStop: excludes(cannotStop),
  },
  says: {
    stays: 'the pod does not go away',
    long: 'it may take {grace} to end',
    ahead: 'its deadline lies ahead',
    stopping: 'the kubelet has begun to stop its containers',
    runs: 'a container of it still runs',
    late: 'its time is over, and it is still there',
    cannotStop: 'the containers cannot be stopped on the node',
  },
  slots: (place, { long }) => {
    const seconds = long.graceSeconds;
    return {
      name: place.name,
      namespace: place.namespace ?? 'NAMESPACE',
      grace: seconds === undefined ? 'its grace period' : `${seconds} seconds`,
    };
  },

  fixes: [
    {
      say: 'Wait: it ends by itself; see what it waits for',
      risk: 'reads-only',
      steps: [
        {
          say: 'its deadline, its grace period and its preStop hooks',
          run: "kubectl -n {{namespace}} get pods -o custom-columns='POD:.metadata.name,DEADLINE:.metadata.deletionTimestamp,GRACE:.metadata.deletionGracePeriodSeconds,PRESTOP:.spec.containers[*].lifecycle.preStop'",
          on: 'cluster',
        },
      ],
      verified: 'the pod is gone after its deadline',
    },
    {
      say: 'Shorten the preStop hook, or lower terminationGracePeriodSeconds to what a clean end needs',
      risk: 'restarts-pods',
      steps: [
        { say: 'a program that does not end on SIGTERM (a shell as PID 1, for one) uses the whole time: let it handle SIGTERM' },
        { say: 'set terminationGracePeriodSeconds and the hook in the pod template; new pods have it' },
      ],
      changes: [
        {
          do: 'workload-set',
          field: 'terminationGracePeriodSeconds',
          value: { ask: 'seconds', says: 'how many seconds a clean end needs' },
        },
      ],
      verified: 'a deleted pod is gone within the new time',
    },
    {
      say: 'Only if what it still does can be lost: end it now',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'a short grace period still lets the kubelet stop it properly; do not use --force',
          run: 'kubectl -n {{namespace}} delete pod POD --grace-period=5',
          on: 'cluster',
        },
      ],
      verified: 'the pod is gone',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: [
    'kubernetes docs: pod lifecycle, termination of pods',
    'kubernetes pkg/kubelet/kuberuntime/kuberuntime_container.go (killContainer)',
  ],
});
