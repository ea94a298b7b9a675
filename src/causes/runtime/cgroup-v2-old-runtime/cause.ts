import { defineCause, line, minutes, needs, on, proves, versionBelow } from '../../define-cause.ts';

const LEAST: Readonly<Record<string, string>> = { containerd: '1.4', docker: '20.10', crio: '1.20', 'cri-o': '1.20' };
const refusesV2 = line(
  [
    "this version of runc doesn't work on cgroups v2",
    'cgroup mountpoint does not exist',
    "Devices cgroup isn't mounted",
    'Following Cgroup subsystem not mounted',
    'mountpoint for cpu not found',
    'mountpoint for devices not found',
  ],
  ['pod-events', 'kubelet-log', 'docker-log', 'containerd-log'],
  /(?<words>this version of runc doesn't work on cgroups v2|cgroup mountpoint does not exist|Devices cgroup isn't mounted|Following Cgroup subsystem not mounted|(?:failed to run Kubelet: |[^\n]{0,60})mountpoint for (?:cpu|devices) not found)/i,
);

export const cause = defineCause({
  id: 'cgroup-v2-old-runtime',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'create-error', 'runtime-down', 'kubelet-down', 'node-not-ready', 'control-plane-down'],
  effectOf: ['os-upgrade-replaced-runtime-config'],
  wakesOn: [on('host.cgroup-version', { version: 2 })],

  text: {
    name: 'Runtime predates cgroup v2',
    title: '{runtime} on {node} is too old for cgroup v2, which the host uses',
    why: 'The host boots with the unified cgroup hierarchy (cgroup v2). {runtime} still looks for the separate controllers of cgroup v1 and cannot place containers; {least} is the first that can.',
  },

  clues: {
    v2: needs('host.cgroup-version', ({ version }) => version === 2),
    refuses: proves(refusesV2),
    oldVersion: proves('host.version', ({ component, version }) => isTooOld(component, version)),
    oldOnNode: proves('node.info', ({ runtime, runtimeVersion }) => isTooOld(runtime ?? '', runtimeVersion ?? '')),
  },
  says: {
    v2: 'the host uses cgroup v2',
    refuses: 'it says so: {words}',
    oldVersion: '{runtime} knows cgroup v1 only',
    oldOnNode: 'the node reports {runtime}, which knows cgroup v1 only',
  },
  slots: (place, { refuses, oldVersion, oldOnNode }) => {
    const name = oldVersion?.component ?? oldOnNode?.runtime;
    const version = oldVersion?.version ?? oldOnNode?.runtimeVersion;
    const kubelet = /kubelet/i.test(refuses?.fields['words'] ?? '');
    return {
      node: place.name,
      runtime: name ? `${name} ${version ?? ''}`.trim() : kubelet ? 'The kubelet' : 'The container runtime',
      least:
        !name && kubelet ? 'Kubernetes 1.19' : name ? `${name} ${LEAST[name] ?? ''}`.trim() : 'containerd 1.4, CRI-O 1.20 or Docker 20.10',
      words: refuses?.fields['words'] ?? 'no cgroup v1 controllers',
    };
  },

  fixes: [
    {
      say: 'Upgrade the container runtime (containerd 1.6 or later, CRI-O 1.20, Docker 20.10, runc 1.0) on {node}',
      risk: 'touches-node',
      steps: [
        { say: 'move the pods away', run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data', on: 'cluster' },
        {
          say: 'Debian, Ubuntu (packages of Docker: containerd.io, docker-ce)',
          run: 'apt-get update && apt-get install --only-upgrade -y containerd runc',
          on: 'node',
          family: 'debian',
        },
        { say: 'RHEL and its kin', run: 'dnf upgrade -y containerd.io runc', on: 'node', family: 'rhel' },
        { say: 'restart the runtime and the kubelet', run: 'systemctl restart containerd && systemctl restart kubelet', on: 'node' },
        { say: 'open the node', run: 'kubectl uncordon {{node}}', on: 'cluster' },
      ],
      verified: 'containerd --version shows the new one, and pods start',
    },
    {
      say: 'Stop-gap: boot {node} with cgroup v1 (kubelet 1.34 or older only)',
      risk: 'touches-node',
      steps: [
        {
          say: 'add systemd.unified_cgroup_hierarchy=0 to the kernel command line',
          run: 'grubby --update-kernel=ALL --args=systemd.unified_cgroup_hierarchy=0',
          on: 'node',
          family: 'rhel',
        },
        { say: 'the same through GRUB_CMDLINE_LINUX in /etc/default/grub', run: 'update-grub', on: 'node', family: 'debian' },
        { say: 'reboot the host', run: 'reboot', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'Kubernetes documentation: About cgroup v2',
    'moby 20.10 release notes',
    'kubernetes pkg/kubelet/cm/container_manager_linux.go (validateSystemRequirements)',
  ],
});

function isTooOld(component: string, version: string): boolean {
  const least = LEAST[component.toLowerCase()];
  return least !== undefined && version !== '' && versionBelow(version, least);
}
