import { defineCause, excludes, line, minutes, on, proves, supports, versionBelow } from '../../define-cause.ts';

const cannotSignal = line(
  [
    'unable to signal init: permission denied',
    'signaling init process caused: permission denied',
    'signalling init process caused: permission denied',
  ],
  ['pod-events', 'kubelet-log', 'containerd-log'],
);
const snapPeer = line('apparmor="DENIED"', 'kernel-log', /operation="signal".{0,400}peer="(?<peer>snap\.[^"]{1,100})"/);

export const cause = defineCause({
  id: 'apparmor-denies-runc-signal',
  area: 'node',
  at: 'Node',
  maturity: 'stable',
  explains: ['stuck-terminating', 'failed'],
  wakesOn: [on('kernel.denial', { by: 'apparmor' })],

  text: {
    name: 'AppArmor stops the signals of runc',
    title: "AppArmor stops runc's signals on {node}, so pods stay in Terminating",
    why: 'AppArmor 4 gives runc a profile of its own, and the profile of the containers accepts signals only from unconfined programs. The kernel refuses the SIGTERM and SIGKILL that runc sends; the container never ends, and its pod never goes away.',
  },

  clues: {
    denial: proves(
      'kernel.denial',
      ({ by, operation, process, peer }) => by === 'apparmor' && operation === 'signal' && /^(runc|crun)$/.test(process ?? peer ?? ''),
    ),
    refused: supports(cannotSignal),
    release: supports('host.os', ({ id, versionId }) => id === 'ubuntu' && (versionId === '24.04' || versionId === '23.10')),
    oldContainerd: supports(
      'host.version',
      ({ component, version }) =>
        component.startsWith('containerd') &&
        (versionBelow(version, '1.6.32') || (version.includes('1.7.') && versionBelow(version, '1.7.16'))),
    ),
    finalizer: excludes('pod.deleting', ({ finalizers }) => (finalizers?.length ?? 0) > 0),
    snap: excludes(snapPeer),
  },
  says: {
    denial: 'the kernel refuses a signal from {program} to a container',
    refused: 'the runtime may not signal the process of the container: permission denied',
    release: '{os}: its AppArmor 4 carries a profile for runc',
    oldContainerd: 'containerd {version} still writes a profile without a rule for runc',
    finalizer: 'a finalizer holds the pod object back; its containers are gone',
    snap: 'a runtime from a snap: the peer is {peer}, another rule is missing',
  },
  slots: (place, { denial, release, oldContainerd, snap }) => ({
    node: place.name,
    program: denial?.process ?? 'runc',
    sender: [denial?.peer, denial?.profile].find((name) => /^(?:runc|crun)$/.test(name ?? '')) ?? 'runc',
    os: release?.name ?? 'Ubuntu 24.04',
    version: oldContainerd?.version ?? '',
    peer: snap?.fields['peer'] ?? 'a snap',
  }),

  fixes: [
    {
      say: 'Take the AppArmor profile of runc out of the kernel on {node} (reversible)',
      risk: 'touches-node',
      steps: [
        {
          say: 'disable and unload the profile',
          run: 'ln -s /etc/apparmor.d/runc /etc/apparmor.d/disable/ && apparmor_parser -R /etc/apparmor.d/runc',
          on: 'node',
        },
        {
          say: 'the pods that hang now end at the next try of the kubelet',
          run: 'kubectl get pods -A --field-selector spec.nodeName={{node}} | grep Terminating',
          on: 'cluster',
        },
      ],
      changes: [{ do: 'apparmor-unload', profile: '{{sender}}' }],
      verified: 'kubectl delete pod ends within its grace period, and no new DENIED line appears',
    },
    {
      say: 'For good: upgrade containerd to 1.6.32, 1.7.16 or 2.x, whose profile accepts signals from runc',
      risk: 'touches-node',
      steps: [
        {
          say: 'Debian, Ubuntu',
          run: 'apt-get update && apt-get install --only-upgrade -y containerd runc apparmor',
          on: 'node',
          family: 'debian',
        },
        { say: 'restart containerd', run: 'systemctl restart containerd', on: 'node' },
        {
          say: 'the old profile stays loaded until it is removed or the host reboots',
          run: 'echo -n cri-containerd.apparmor.d > /sys/kernel/security/apparmor/.remove',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['containerd contrib/apparmor/template.go (1.7.16, 1.6.32)', 'runc issue 4281', 'containerd issue 10542', 'moby 25.0.6, 26.1.3'],
});
