import { defineCause, excludes, line, minutes, needs, proves, supports } from '../../define-cause.ts';

const missingFile = line(
  'containerd/config.toml',
  'containerd-config',
  /\/etc\/containerd\/config\.toml[\\"'’:]{0,4}:? (?:no such file or directory|没有那个文件或目录|datei oder verzeichnis nicht gefunden|aucun fichier ou dossier)/i,
);

export const cause = defineCause({
  id: 'containerd-no-config-file',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready'],
  effectOf: ['os-upgrade-replaced-runtime-config'],

  text: {
    name: 'containerd without a configuration',
    title: 'containerd on {node} has no /etc/containerd/config.toml and runs on its defaults',
    why: 'Without a configuration file containerd leaves runc on the cgroupfs driver (SystemdCgroup is false by default), while kubeadm sets the kubelet to systemd. The kubelet then stops and restarts every pod of the node without an error.',
  },

  clues: {
    missing: needs(missingFile),
    defaults: proves(
      'runtime.cgroup-driver',
      ({ runtime, driver, source }) => runtime === 'containerd' && driver === 'cgroupfs' && source === 'effective',
    ),
    colonPath: proves('container.cgroup-path', ({ shape }) => shape === 'colon'),
    kubelet: supports('kubelet.cgroup-driver', ({ driver }) => driver === 'systemd'),
    stops: supports('pod.silent-stops'),
    followsRuntime: excludes('node.driver-follows-runtime'),
    byDocker: excludes('node.docker-runtime'),
    kubeletCgroupfs: excludes('kubelet.cgroup-driver', ({ driver }) => driver === 'cgroupfs'),
  },
  says: {
    missing: '/etc/containerd/config.toml does not exist',
    defaults: 'containerd works with cgroupfs, its built-in default',
    colonPath: 'a container sits outside its pod slice, under a path with colons',
    kubelet: 'the kubelet is set to the systemd driver',
    stops: 'pods are stopped by the kubelet without an error: {stops}',
    followsRuntime: 'this kubelet takes the driver from the runtime: no file is needed',
    byDocker: 'the kubelet runs its pods by Docker: the CRI settings of containerd do not count here',
    kubeletCgroupfs: 'the kubelet is on cgroupfs too: the defaults fit',
  },
  slots: (place, { stops }) => ({
    node: place.name,
    stops: stops ? `Killing x${stops.kills}, SandboxChanged x${stops.sandboxChanges}` : 'Killing and SandboxChanged',
  }),

  fixes: [
    {
      say: 'Write the configuration file with SystemdCgroup = true',
      risk: 'touches-node',
      steps: [
        {
          say: 'move the pods away first, or accept that all pods of {node} restart once',
          run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data',
          on: 'cluster',
        },
        {
          say: 'write the default configuration',
          run: 'mkdir -p /etc/containerd && containerd config default > /etc/containerd/config.toml',
          on: 'node',
        },
        {
          say: 'turn SystemdCgroup on; some releases print no such line: add it under the runc options table',
          run: "sed -i 's/SystemdCgroup = false/SystemdCgroup = true/' /etc/containerd/config.toml && grep -n SystemdCgroup /etc/containerd/config.toml",
          on: 'node',
        },
        { say: 'restart containerd, then the kubelet', run: 'systemctl restart containerd && systemctl restart kubelet', on: 'node' },
        { say: 'let pods come back', run: 'kubectl uncordon {{node}}', on: 'cluster' },
      ],
      changes: [
        { do: 'containerd-set', setting: 'SystemdCgroup', value: true, asKubelet: true },
        { do: 'units', action: 'restart', units: ['containerd', 'kubelet'] },
      ],
      verified: 'containerd config dump shows SystemdCgroup = true, and nothing restarts for 10 minutes',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'containerd cmd/containerd/command/main.go (a missing file is no error)',
    'containerd docs/cri/config.md',
    'kubernetes cmd/kubeadm/app/componentconfigs/kubelet.go',
  ],
});
