import { defineCause, excludes, excludesEverywhere, minutes, needs, on, proves, supports } from '../../define-cause.ts';

const CANNOT_DELETE = /Failed to (?:delete|remove) cgroup|failed to kill all the processes attached to the cgroup/i;

export const cause = defineCause({
  id: 'cgroup-driver-switched-on-live-node',
  area: 'runtime',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['stuck-terminating', 'creating', 'create-error'],
  // Scopes alone are what a healthy node shows: only a container outside of them raises the question.
  wakesOn: [on('container.cgroup-path', { shape: 'cgroupfs' })],

  text: {
    name: 'Cgroup driver switched live',
    title: 'The cgroup driver of {node} was switched while pods were running: two cgroup trees are in use',
    why: 'Containers made under the cgroupfs driver sit below /kubepods, those made under the systemd driver below /kubepods.slice. Kubelet and runtime now look for all of them in one of the two, so pods of the other tree cannot be stopped, deleted or restarted properly.',
  },

  clues: {
    cgroupfsTree: needs('container.cgroup-path', ({ shape }) => shape === 'cgroupfs'),
    systemdTree: proves('container.cgroup-path', ({ shape }) => shape === 'scope'),
    cannotDelete: supports('log.error', ({ channel, message }) => channel === 'kubelet-log' && CANNOT_DELETE.test(message)),
    colon: excludesEverywhere(excludes('container.cgroup-path', ({ shape }) => shape === 'colon')),
  },
  says: {
    cgroupfsTree: 'a container sits in a tree of the cgroupfs driver: {cgroupfsPath}',
    systemdTree: 'another sits in a scope of the systemd driver: {systemdPath}',
    cannotDelete: 'the kubelet cannot remove the cgroups of pods',
    colon: 'kubelet and runtime disagree right now: a path with colons',
  },
  slots: (place, { cgroupfsTree, systemdTree }) => ({
    node: place.name,
    cgroupfsPath: shortened(cgroupfsTree?.path ?? '/kubepods/…'),
    systemdPath: shortened(systemdTree?.path ?? '/kubepods.slice/…'),
  }),

  fixes: [
    {
      say: 'See which containers are left in which tree',
      risk: 'reads-only',
      steps: [
        {
          say: 'both trees',
          run: "find /sys/fs/cgroup -maxdepth 6 \\( -path '*/kubepods/*/pod*' -o -name 'cri-containerd-*.scope' \\) -type d | head -40",
          on: 'node',
        },
      ],
    },
    {
      say: 'Empty the node and start it on one driver',
      risk: 'touches-node',
      steps: [
        { say: 'move the pods away', run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data', on: 'cluster' },
        { say: 'with the kubelet stopped, remove every pod of both trees', run: 'systemctl stop kubelet && crictl rmp -fa', on: 'node' },
        {
          say: 'both settings must name one driver',
          run: 'grep -n cgroupDriver /var/lib/kubelet/config.yaml; containerd config dump | grep -n SystemdCgroup',
          on: 'node',
        },
        {
          say: 'start again; a reboot does the same more thoroughly',
          run: 'systemctl restart containerd && systemctl start kubelet',
          on: 'node',
        },
        { say: 'open the node', run: 'kubectl uncordon {{node}}', on: 'cluster' },
      ],
      verified: 'only one of /kubepods and /kubepods.slice holds processes, and deleted pods go away',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'Kubernetes documentation: Container Runtimes (changing the cgroup driver of a node)',
    'kubernetes pkg/kubelet/cm/pod_container_manager_linux.go',
  ],
});

function shortened(path: string): string {
  return path.replace(/[0-9a-f]{12,64}/g, (id) => `${id.slice(0, 8)}…`);
}
