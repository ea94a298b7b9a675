import { defineCause, excludes, line, minutes, needs, on, proves, supports } from '../../define-cause.ts';

const shutDown = line(
  [
    'received signal; shutting down',
    'received terminated signal, shutting down',
    'Shutting down kube-apiserver',
    'apiserver is shutting down',
  ],
  ['control-plane-log', 'container-log'],
  /received (?:signal; shutting down|terminated signal, shutting down)|Shutting down kube-apiserver|apiserver is shutting down/,
);
const probed = line(['failed liveness probe, will be restarted', 'failed startup probe, will be restarted'], ['pod-events', 'kubelet-log']);
const STATIC = /^Pod\/[^/]*\/(?:etcd|kube-apiserver|kube-controller-manager|kube-scheduler)-/;
const CYCLES = /^(?:crash-loop|restarts|not-ready|failed)$/;

export const cause = defineCause({
  id: 'control-plane-on-mismatched-runtime',
  area: 'control-plane',
  at: 'Node',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'control-plane-down'],
  effectOf: ['cgroup-driver-kubelet-systemd-runtime-cgroupfs', 'containerd-no-config-file', 'containerd-config-version-or-path-mismatch'],
  wakesOn: [on('pod.silent-stops'), on('runtime.cgroup-driver', { driver: 'cgroupfs' })],

  text: {
    name: 'Control plane stopped by its node',
    title: 'The control-plane pods on {node} are stopped again and again: kubelet (systemd) and runtime (cgroupfs) disagree',
    why: 'etcd, kube-apiserver and the other static pods end in good order because they are told to (SIGTERM), not because they fail. The kubelet keeps pods in systemd slices while the runtime keeps containers elsewhere (SystemdCgroup = false), so the kubelet takes them for lost and starts them anew every few minutes; kubectl works and is refused by turns.',
  },

  clues: {
    cycles: needs('pod.symptom', ({ about, symptom }) => STATIC.test(about) && CYCLES.test(symptom)),
    runtime: proves('runtime.cgroup-driver', ({ driver, ignored }) => driver === 'cgroupfs' && ignored !== true),
    stops: supports('pod.silent-stops', ({ about }) => STATIC.test(about)),
    shutDown: supports(shutDown),
    follows: excludes('node.driver-follows-runtime'),
    kubeletCgroupfs: excludes('kubelet.cgroup-driver', ({ driver }) => driver === 'cgroupfs'),
    byDocker: excludes('node.docker-runtime'),
    probed: excludes(probed),
    ordinary: excludes('pod.symptom', ({ about }) => !STATIC.test(about)),
  },
  says: {
    cycles: 'static pods of the control plane restart',
    runtime: 'the runtime manages cgroups itself (cgroupfs)',
    stops: 'they are stopped without any error: {stops}',
    shutDown: 'their logs end with an orderly shutdown on a signal',
    kubeletCgroupfs: 'the kubelet is on cgroupfs too, so the two agree',
    follows: 'this kubelet takes the driver from the runtime',
    byDocker: 'the kubelet runs its pods by Docker',
    probed: 'a failing probe makes the kubelet restart it',
    ordinary: 'not a pod of the control plane',
  },
  slots: (place, { runtime, stops }) => ({
    node: place.name,
    daemon: (runtime?.runtime ?? 'containerd') === 'containerd' ? 'containerd' : '',
    stops: stops ? `Killing x${stops.kills}, SandboxChanged x${stops.sandboxChanges}` : 'Killing and SandboxChanged',
  }),

  fixes: [
    {
      say: 'Set containerd on {node} to the systemd cgroup driver (SystemdCgroup = true); the cluster needs no new kubeadm init',
      risk: 'touches-node',
      steps: [
        {
          say: 'what the running containerd uses',
          run: 'containerd config dump | grep -n SystemdCgroup; grep -n cgroupDriver /var/lib/kubelet/config.yaml',
          on: 'node',
        },
        {
          say: 'where there is no file yet, write the default one',
          run: 'test -s /etc/containerd/config.toml || containerd config default > /etc/containerd/config.toml',
          on: 'node',
        },
        {
          say: 'switch it on',
          run: "cp -a /etc/containerd/config.toml /etc/containerd/config.toml.before && sed -i 's/SystemdCgroup = false/SystemdCgroup = true/' /etc/containerd/config.toml",
          on: 'node',
        },
        { say: 'restart both', run: 'systemctl restart containerd kubelet', on: 'node' },
      ],
      changes: [
        { do: 'containerd-set', setting: 'SystemdCgroup', value: true },
        { do: 'units', action: 'restart', units: ['{{daemon}}', 'kubelet'] },
      ],
      verified: 'the static pods stay up for ten minutes and their restart counts stop growing',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/kubelet/cm/pod_container_manager_linux.go', 'kubernetes docs: container runtimes, cgroup drivers'],
});
