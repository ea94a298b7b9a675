import { defineCause, excludes, line, minutes, needs, on, proves, supports, versionAtLeast } from '../../define-cause.ts';

const probeKill = line(
  ['failed liveness probe, will be restarted', 'failed startup probe, will be restarted'],
  ['pod-events', 'kubelet-log'],
);
const missingControllers = line('has some missing controllers', 'kubelet-log', /missing controllers: (?:map\[)?(?<controllers>[\w, ]+)/);
const wantsSlice = line('expected cgroupsPath to be of format', ['pod-events', 'kubelet-log', 'containerd-log']);

export const cause = defineCause({
  id: 'cgroup-driver-kubelet-systemd-runtime-cgroupfs',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed'],
  effectOf: ['containerd-no-config-file', 'containerd-config-version-or-path-mismatch', 'os-upgrade-replaced-runtime-config'],
  wakesOn: [on('pod.silent-stops'), on('runtime.cgroup-driver', { driver: 'cgroupfs' }), on('container.cgroup-path', { shape: 'colon' })],

  text: {
    name: 'Cgroup drivers disagree',
    title: 'kubelet and {runtime} disagree on the cgroup driver',
    why: 'The kubelet keeps each pod in a systemd slice, but {runtime} puts the containers elsewhere (cgroupfs). systemd sees the slice empty and withdraws its controllers; the kubelet then takes the pod for one without cgroups, stops it without an error and starts it anew, for ever.',
  },

  clues: {
    kubelet: needs('kubelet.cgroup-driver', ({ driver }) => driver === 'systemd'),
    runtime: proves(
      'runtime.cgroup-driver',
      ({ driver, runtime, ignored, handler }) =>
        driver === 'cgroupfs' && runtime === 'containerd' && !ignored && (handler ?? 'runc') === 'runc',
    ),
    colonPath: proves('container.cgroup-path', ({ shape }) => shape === 'colon'),
    stops: supports('pod.silent-stops'),
    manyPods: supports('node.unrelated-restarts'),
    kubeadmDefault: supports(
      'host.version',
      ({ component, version }) => /^(kube|kubernetes)/.test(component) && versionAtLeast(version, '1.22'),
    ),
    dockersContainerd: supports('runtime.setting', ({ key, value }) => key === 'supplied-by' && value === 'docker'),
    controllers: supports(missingControllers),
    kubeletCgroupfs: excludes('kubelet.cgroup-driver', ({ driver }) => driver === 'cgroupfs'),
    followsRuntime: excludes('node.driver-follows-runtime'),
    byDocker: excludes('node.docker-runtime'),
    probe: excludes(probeKill),
    oneBurst: excludes('pod.one-burst'),
    reverse: excludes(wantsSlice),
  },
  says: {
    kubelet: 'the kubelet is set to the systemd driver',
    runtime: '{runtime} manages cgroups itself (cgroupfs)',
    colonPath: 'a container sits outside its pod slice, under a path with colons',
    stops: 'pods are stopped by the kubelet, they do not crash: {stops}',
    manyPods: '{pods} pods of {workloads} unrelated workloads restart on this node',
    kubeadmDefault: 'Kubernetes {version}: kubeadm sets the kubelet to systemd unless told otherwise',
    dockersContainerd: "containerd came with Docker's packages, which leave it on cgroupfs",
    controllers: 'the kubelet misses controllers of a pod cgroup: {controllers}',
    kubeletCgroupfs: 'the kubelet is on cgroupfs too, so the two agree',
    followsRuntime: 'this kubelet takes the driver from the runtime, so they cannot differ',
    byDocker: 'the kubelet runs its pods by Docker: the CRI settings of containerd do not count here',
    probe: 'a failing probe makes the kubelet restart it',
    oneBurst: 'one burst of restarts and quiet since, as after a reboot',
    reverse: 'the runtime is the one on systemd: the reverse case',
  },
  slots: (place, { runtime, stops, manyPods, kubeadmDefault, controllers }) => ({
    node: place.name,
    runtime: runtime?.runtime ?? 'containerd',
    stops:
      stops && stops.kills > 0
        ? `Killing x${stops.kills}, SandboxChanged x${stops.sandboxChanges}, all Normal`
        : 'SandboxChanged and no error',
    pods: manyPods?.pods.length ?? 0,
    workloads: manyPods?.workloads ?? 0,
    version: kubeadmDefault?.version ?? '',
    controllers: controllers?.fields['controllers'] ?? 'cpuset',
  }),

  fixes: [
    {
      say: 'Set containerd on {node} to the systemd cgroup driver',
      risk: 'touches-node',
      steps: [
        {
          say: 'move the pods away first, or accept that all pods of {node} restart once',
          run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data',
          on: 'cluster',
        },
        {
          say: 'where there is no file yet, write the default one',
          run: 'test -s /etc/containerd/config.toml || containerd config default > /etc/containerd/config.toml',
          on: 'node',
        },
        { say: 'keep a copy', run: 'cp -a /etc/containerd/config.toml /etc/containerd/config.toml.before', on: 'node' },
        {
          say: 'SystemdCgroup = false becomes true for runc; where the line is missing, add it to the runc options',
          run: "sed -i 's/SystemdCgroup = false/SystemdCgroup = true/' /etc/containerd/config.toml",
          on: 'node',
        },
        { say: 'restart containerd, then the kubelet', run: 'systemctl restart containerd && systemctl restart kubelet', on: 'node' },
        { say: 'let pods come back', run: 'kubectl uncordon {{node}}', on: 'cluster' },
      ],
      changes: [
        { do: 'containerd-set', setting: 'SystemdCgroup', value: true },
        { do: 'units', action: 'restart', units: ['containerd', 'kubelet'] },
        // What was made under the old driver stays in its groups until it is made anew.
        { do: 'restart-pods' },
      ],
      verified: 'containers sit in …/cri-containerd-<id>.scope below kubepods.slice, and nothing restarts for 10 minutes',
    },
    {
      say: 'On a host without systemd go the other way: kubelet to cgroupfs',
      risk: 'touches-node',
      steps: [
        {
          say: 'set cgroupDriver: cgroupfs in the kubelet configuration',
          run: "sed -i 's/^cgroupDriver: systemd/cgroupDriver: cgroupfs/' /var/lib/kubelet/config.yaml",
          on: 'node',
        },
        { say: 'restart the kubelet with the means of that init system', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/cm/pod_container_manager_linux.go, pkg/kubelet/kubelet.go (SyncPod)',
    'containerd internal/cri/server/helpers.go (getCgroupsPath)',
    'opencontainers/cgroups fs2/defaultpath.go',
    'kubernetes issues 131567, 128397',
  ],
});
