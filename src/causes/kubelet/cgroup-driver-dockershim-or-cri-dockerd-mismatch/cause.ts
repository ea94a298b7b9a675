import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const differs = line(
  'is different from docker cgroup driver',
  ['kubelet-log', 'docker-log'],
  /kubelet cgroup driver: [\\"“”]{0,8}(?<kubelet>\w{1,20})[\\"“”]{0,8} is different from docker cgroup driver: [\\"“”]{0,8}(?<docker>\w{1,20})/,
);
const recommended = line(
  'as the Docker cgroup driver. The recommended driver is',
  'kubeadm-output',
  /detected [\\"“”]{0,4}cgroupfs[\\"“”]{0,4} as the Docker cgroup driver/,
);

export const cause = defineCause({
  id: 'cgroup-driver-dockershim-or-cri-dockerd-mismatch',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'runtime-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],
  effectOf: ['os-upgrade-replaced-runtime-config'],
  wakesOn: [on('node.symptom', { symptom: 'kubelet-down' }), on('node.symptom', { symptom: 'runtime-down' })],

  text: {
    name: 'Kubelet and Docker differ',
    title: 'kubelet and Docker on {node} use different cgroup drivers: {kubelet} and {docker}',
    why: 'Before it starts, the kubelet (or cri-dockerd in its place) compares its cgroup driver ({kubelet}) with the one of Docker ({docker}) and exits when they are different. systemd starts it again and again, and the node never becomes Ready.',
  },

  clues: {
    differs: proves(differs, ({ fields }) => fields['kubelet'] !== fields['docker']),
    docker: supports('runtime.cgroup-driver', ({ runtime, driver }) => runtime === 'docker' && driver === 'cgroupfs'),
    warned: supports(recommended),
    followsRuntime: excludes('node.driver-follows-runtime'),
  },
  says: {
    differs: 'it says so itself: kubelet {kubelet}, Docker {docker}',
    docker: 'Docker is on cgroupfs, while kubeadm sets the kubelet to systemd',
    warned: 'kubeadm warned of the cgroup driver of Docker',
    followsRuntime: 'this kubelet takes its driver from the runtime: not the same one',
  },
  slots: (place, { differs: said, docker }) => ({
    node: place.name,
    kubelet: said?.fields['kubelet'] ?? 'systemd',
    wanted: said?.fields['kubelet'] === 'cgroupfs' ? '' : 'systemd',
    other: said?.fields['docker'] === 'systemd' ? 'systemd' : '',
    docker: said?.fields['docker'] ?? docker?.driver ?? 'cgroupfs',
  }),

  fixes: [
    {
      say: 'Compare the two drivers first',
      risk: 'reads-only',
      steps: [
        {
          say: 'the driver of Docker and its file',
          run: "docker info 2>/dev/null | grep -i 'cgroup'; cat /etc/docker/daemon.json",
          on: 'node',
        },
        {
          say: 'the driver of the kubelet',
          run: 'grep -n cgroupDriver /var/lib/kubelet/config.yaml; cat /var/lib/kubelet/kubeadm-flags.env',
          on: 'node',
        },
      ],
    },
    {
      say: 'Set Docker to the systemd cgroup driver in /etc/docker/daemon.json',
      risk: 'touches-node',
      steps: [
        {
          say: 'put "exec-opts": ["native.cgroupdriver=systemd"] into daemon.json; merge by hand where the file has other keys',
          run: `[ -s /etc/docker/daemon.json ] || echo '{"exec-opts": ["native.cgroupdriver=systemd"]}' > /etc/docker/daemon.json; cat /etc/docker/daemon.json`,
          on: 'node',
        },
        {
          say: 'the option must not also stand on the command line of dockerd',
          run: 'systemctl cat docker | grep -n exec-opt',
          on: 'node',
        },
        {
          say: 'restart Docker (its containers stop, unless live-restore is on), then the kubelet',
          run: 'systemctl restart docker && systemctl restart kubelet',
          on: 'node',
        },
        { say: 'where cri-dockerd stands between them, restart it too', run: 'systemctl restart cri-docker', on: 'node' },
      ],
      changes: [
        { do: 'docker-set', option: 'exec-opts', value: 'native.cgroupdriver={{wanted}}', prefix: 'native.cgroupdriver=' },
        { do: 'units', action: 'restart', units: ['docker', 'kubelet'] },
      ],
      verified: 'systemctl is-active kubelet says active, docker info shows Cgroup Driver: systemd, and the node becomes Ready',
    },
    {
      say: 'Or, on a host without systemd, set the kubelet to {docker}',
      risk: 'touches-node',
      steps: [
        {
          say: 'cgroupDriver in the kubelet configuration',
          run: "sed -i 's/^cgroupDriver: .*/cgroupDriver: {{docker}}/' /var/lib/kubelet/config.yaml && systemctl restart kubelet",
          on: 'node',
        },
      ],
      changes: [
        { do: 'kubelet-set', key: 'cgroupDriver', value: '{{other}}' },
        { do: 'units', action: 'restart', units: ['kubelet'] },
      ],
      verified: 'the kubelet stays active and {node} is Ready',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/dockershim/docker_service.go (until 1.23)',
    'cri-dockerd core/docker_service.go',
    'moby daemon/daemon_unix.go (native.cgroupdriver)',
  ],
});
