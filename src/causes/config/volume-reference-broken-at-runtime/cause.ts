import { defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const PRINTED_BY = ['pod-events', 'kubelet-log', 'pod-spec'] as const;

const notFound = line(
  ['cannot find volume '],
  PRINTED_BY,
  /cannot find volume \\*"(?<volume>[^"\\\n]{1,253})\\*" to mount into container \\*"(?<container>[^"\\\n]{1,63})/,
);
const notSatisfied = line(
  ['Mount cannot be satisfied for'],
  ['kubelet-log'],
  /Mount cannot be satisfied for (?:the container|container \\*"(?<container>[^"\\\n]{1,63})\\*"), because the volume is missing/,
);
const deleting = line(['DELETE pod', 'SyncLoop DELETE', 'SyncLoop (DELETE'], []);

export const cause = defineCause({
  id: 'volume-reference-broken-at-runtime',
  area: 'config',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['config-error', 'create-error', 'creating', 'crash-loop', 'stuck-terminating', 'other-trouble'],

  text: {
    name: 'Volume of a mount not found',
    title: 'Container {container} mounts the volume {volume}, which the kubelet does not have for the pod',
    why: 'The container {container} has a volumeMount of the volume {volume}, and at the moment of its start the kubelet has no such mounted volume: the volume was taken out or renamed by something that changes pods on their way in (a mutating webhook, an operator), or the pod is being deleted and its volumes are already gone. The container cannot be created without it.',
  },

  clues: {
    notFound: proves(notFound),
    notSatisfied: proves(notSatisfied),
    unmounted: supports('pod.event', ({ reason, message }) => reason === 'FailedMount' && /unmounted volumes=/.test(message)),
    deleting: excludes(deleting),
    deleted: excludes('pod.deleting'),
    well: excludes('pod.status', isWell),
  },
  says: {
    notFound: 'the kubelet cannot find volume {volume} to mount into {container}',
    notSatisfied: 'a mount cannot be satisfied: its volume is missing',
    unmounted: 'volumes of the pod are not mounted',
    deleting: 'the pod was just being deleted; its volumes went first',
    deleted: 'the pod is being deleted; its volumes went first',
    well: 'the pod runs and is ready',
  },
  slots: (place, { notFound: missing, notSatisfied: mount }) => ({
    ...namesOf(place),
    volume: missing?.fields['volume'] ?? 'it names',
    container: missing?.fields['container'] ?? mount?.fields['container'] ?? 'of the pod',
  }),

  fixes: [
    {
      say: 'Compare the pod as it is with the template it was made from',
      risk: 'reads-only',
      steps: [
        {
          say: 'mounts and volumes of the live pod',
          run: "kubectl -n {{namespace}} get pods -o yaml | grep -nE '^    name: |volumeMounts:|volumes:|- name: |mountPath:'",
          on: 'cluster',
        },
        {
          say: 'mounts and volumes of the template',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE 'volumeMounts:|volumes:|- name: |mountPath:'",
          on: 'cluster',
        },
        { say: 'who changes pods on their way in', run: 'kubectl get mutatingwebhookconfigurations', on: 'cluster' },
      ],
    },
    {
      say: 'Define volume {volume} in the pod, or take its volumeMount out; then make the pod anew',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'in the template, or in the webhook or operator that writes it',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
        {
          say: 'a pod that is stuck is replaced by its controller',
          run: 'kubectl -n {{namespace}} rollout restart {{target}}',
          on: 'cluster',
        },
      ],
      verified: 'the container is created and started',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['kubernetes pkg/kubelet/kubelet_pods.go (makeMounts)'],
});
