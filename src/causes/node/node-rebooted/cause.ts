import { defineCause, excludes, minutes, needs, on, proves, supports } from '../../define-cause.ts';

/** Pods settle within minutes; a reboot of an hour ago does not explain what goes on now. */
const SETTLED_SECONDS = 1800;

function whereOf(name: string): string {
  return name.includes(' ') ? name : `node ${name}`;
}

export const cause = defineCause({
  id: 'node-rebooted',
  area: 'node',
  at: 'Node',
  maturity: 'stable',
  explains: ['restarts', 'not-ready', 'creating'],
  effectOf: ['kernel-bug-or-hung-task', 'oom-node-global'],
  wakesOn: [
    on('node.event', { reason: 'Rebooted' }),
    on('container.terminated', { reason: 'Unknown' }),
    on('pod.symptom', { symptom: 'restarts' }),
  ],

  text: {
    name: 'Node was rebooted',
    title: '{what}: all its pods were started anew once and are settling',
    why: 'A reboot of the node, or a restart of its container runtime, ends every container there. The kubelet then makes a new sandbox for each pod and starts it once more; restart counts rise by one, and pods are unready for a while. If nothing restarts again, it is over.',
  },

  clues: {
    settling: needs('pod.symptom', ({ symptom }) => symptom === 'restarts' || symptom === 'not-ready' || symptom === 'creating'),
    event: proves('node.event', ({ reason, lastAgo }) => reason === 'Rebooted' && (lastAgo ?? 0) < SETTLED_SECONDS),
    burst: supports('pod.one-burst', ({ agoSeconds }) => agoSeconds < SETTLED_SECONDS),
    vanished: supports(
      'container.terminated',
      ({ reason, exitCode }) => reason === 'ContainerStatusUnknown' || (reason === 'Unknown' && exitCode === 255),
    ),
    repeats: excludes('pod.silent-stops'),
    backOff: excludes('pod.event', ({ reason, message }) => reason === 'BackOff' && message.includes('restarting failed')),
    longAgo: excludes('node.event', ({ reason, lastAgo }) => reason === 'Rebooted' && (lastAgo ?? 0) >= SETTLED_SECONDS),
  },
  says: {
    settling: 'pods are still settling: {state}',
    event: 'the node reports a new boot id: it was rebooted',
    burst: 'sandboxes changed in one burst, quiet since',
    vanished: 'a container was gone when the kubelet came back',
    repeats: 'the stops go on and on',
    backOff: 'containers fail again and again by themselves',
    longAgo: 'the reboot is long over and does not explain what goes on now',
  },
  slots: (place, { settling, event }) => ({
    node: place.name,
    what: event ? `A reboot of ${whereOf(place.name)}` : `A restart of ${whereOf(place.name)} or of its container runtime`,
    where: whereOf(place.name),
    state: settling?.detail ?? 'restarted',
  }),

  fixes: [
    {
      say: 'Wait until the pods of {where} are ready, then find out who rebooted the node',
      risk: 'reads-only',
      steps: [
        {
          say: 'pods of the node; restart counts must not grow',
          run: 'kubectl get pods -A -o wide --field-selector spec.nodeName={{node}}',
          on: 'cluster',
        },
        {
          say: 'when, and after which last words of the boot before',
          run: 'last -x reboot shutdown | head; journalctl -b -1 -n 40 --no-pager',
          on: 'node',
        },
        {
          say: 'automatic upgrades and reboot daemons are the usual suspects',
          run: "journalctl --since '2 days ago' --no-pager | grep -iE 'unattended-upgrade|kured|systemd-logind.*(reboot|power)|Kernel panic' | tail",
          on: 'node',
        },
      ],
      verified: 'all pods of {where} are Ready and no restart count grows',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'kubernetes pkg/kubelet/nodestatus/setters.go (Rebooted)',
    'kubernetes pkg/kubelet/kuberuntime/util/util.go (PodSandboxChanged)',
  ],
});
