import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const wantsSlice = line(
  'expected cgroupsPath to be of format',
  ['pod-events', 'kubelet-log', 'containerd-log'],
  /expected cgroupsPath to be of format [\\"“”]{0,8}slice:prefix:name[\\"“”]{0,8} for systemd cgroups, got [\\"“”]{0,8}(?<path>[^\s"\\“”]{1,300})/,
);
const wantsSliceParent = line('cgroup-parent for systemd cgroup should be a valid slice', ['pod-events', 'kubelet-log', 'docker-log']);

export const cause = defineCause({
  id: 'cgroup-driver-kubelet-cgroupfs-runtime-systemd',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'create-error', 'control-plane-down'],
  effectOf: ['os-upgrade-replaced-runtime-config'],

  text: {
    name: 'Cgroup drivers disagree (reverse)',
    title: 'The kubelet on {node} is on the cgroupfs cgroup driver, {runtime} on systemd',
    why: 'The kubelet hands {runtime} a plain cgroup path ({path}); with its systemd cgroup driver {runtime} accepts only the name of a slice and refuses. No new sandbox is made, so pods stay in ContainerCreating; what ran before goes on.',
  },

  clues: {
    // A sandbox that somebody makes by hand with crictl has another path, and says nothing about the kubelet.
    refused: proves(wantsSlice, ({ fields }) => /\bkubepods\//.test(fields['path'] ?? '')),
    refusedByDocker: proves(wantsSliceParent),
    kubelet: supports('kubelet.cgroup-driver', ({ driver }) => driver === 'cgroupfs'),
    unset: supports('kubelet.setting', ({ key, value }) => key === 'cgroupDriver' && value === ''),
    runtime: supports('runtime.cgroup-driver', ({ driver, ignored }) => driver === 'systemd' && !ignored),
    followsRuntime: excludes('node.driver-follows-runtime'),
  },
  says: {
    refused: 'runc on systemd was given the path {path} instead of a slice',
    refusedByDocker: 'Docker on systemd was given a parent that is no slice',
    kubelet: 'the kubelet is set to the cgroupfs driver',
    unset: 'cgroupDriver is not set; without it a kubelet is on cgroupfs',
    runtime: '{runtime} is set to the systemd driver',
    followsRuntime: 'this kubelet asks the runtime for the driver: one handler differs',
  },
  slots: (place, { refused, refusedByDocker, runtime }) => ({
    node: place.name,
    path: refused?.fields['path'] ?? '/kubepods/…',
    runtime: runtime?.runtime === 'docker' || (!runtime && refusedByDocker) ? 'Docker' : 'containerd',
  }),

  fixes: [
    {
      say: 'Compare both settings first',
      risk: 'reads-only',
      steps: [
        {
          say: 'the driver of the kubelet',
          run: 'grep -n cgroupDriver /var/lib/kubelet/config.yaml; grep -o "cgroup-driver=[a-z]*" /var/lib/kubelet/kubeadm-flags.env',
          on: 'node',
        },
        { say: 'the driver of containerd', run: 'containerd config dump | grep -n SystemdCgroup', on: 'node' },
      ],
    },
    {
      say: 'Set the kubelet on {node} to cgroupDriver: systemd, as the runtime is',
      risk: 'touches-node',
      steps: [
        {
          say: 'move the pods away, or accept that the pods of {node} restart once',
          run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data',
          on: 'cluster',
        },
        {
          say: 'write cgroupDriver: systemd into the kubelet configuration; a --cgroup-driver flag in kubeadm-flags.env would win, remove it',
          run: "sed -i '/^cgroupDriver:/d' /var/lib/kubelet/config.yaml && echo 'cgroupDriver: systemd' >> /var/lib/kubelet/config.yaml",
          on: 'node',
        },
        { say: 'restart the kubelet', run: 'systemctl restart kubelet', on: 'node' },
        {
          say: 'set the same in the copy of the cluster, so that later joins agree (kubelet-config-1.xx before 1.24)',
          run: 'kubectl -n kube-system edit configmap kubelet-config',
          on: 'cluster',
        },
        { say: 'let pods come back', run: 'kubectl uncordon {{node}}', on: 'cluster' },
      ],
      changes: [
        { do: 'kubelet-set', key: 'cgroupDriver', value: 'systemd' },
        { do: 'units', action: 'restart', units: ['kubelet'] },
      ],
      verified: 'no new FailedCreatePodSandBox, and containers sit in …/cri-containerd-<id>.scope below kubepods.slice',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['runc libcontainer/specconv/spec_linux.go', 'moby daemon/daemon_unix.go', 'kubernetes pkg/kubelet/cm/cgroup_manager_linux.go'],
});
