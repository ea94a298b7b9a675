import { defineCause, excludes, line, minutes, proves, supports, versionAtLeast, withContext } from '../../define-cause.ts';

const LOOKED_FOR =
  /dial unix (?<socket>\/\S{0,60}dockershim\.sock): connect: (?:no such file or directory|connection refused)|\[ERROR CRI\][^\n]{0,400}?(?<preflight>\/\S{0,60}dockershim\.sock)/;
const socketGone = line(
  ['dockershim.sock: connect:', 'dockershim.sock'],
  ['kubelet-log', 'kubeadm-output', 'runtime-state'],
  withContext(LOOKED_FOR, { must: [/kubelet|\[ERROR CRI\]/] }),
);
/** crictl without a configuration tries this socket first, so its errors prove nothing. */
const socketElsewhere = line(['dockershim.sock: connect:'], ['runtime-state'], LOOKED_FOR);
/** Flags of the kubelet that went with dockershim in 1.24. */
const removedFlag = line(
  'unknown flag: --',
  ['kubelet-log', 'unit-state', 'system-log'],
  /unknown flag: (?<flag>--(?:network-plugin(?:-mtu)?|cni-conf-dir|cni-bin-dir|cni-cache-dir|docker-endpoint|docker|image-pull-progress-deadline|experimental-dockershim-root-directory))\b/,
);
/** What a kubelet says that was told to use Docker itself. */
const unsupported = line('using dockershim is not supported', ['kubelet-log', 'kubeadm-output']);
/** kubeadm before 1.24 finds dockershim as the socket of the node, in its annotation, and so wants the program docker. */
const noClient = line(
  'docker is required for container runtime',
  'kubeadm-output',
  /docker is required for container runtime: exec: [\\"]{1,4}docker[\\"]{1,4}: executable file not found/,
);
const stillThere = line(['Using dockershim is deprecated', 'Hairpin mode is set to'], []);

export const cause = defineCause({
  id: 'dockershim-removed',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'runtime-down', 'control-plane-down', 'creating', 'other-trouble'],

  text: {
    name: 'Dockershim is gone',
    title: 'The kubelet on {node} still expects Docker through dockershim, which Kubernetes 1.24 removed',
    why: 'Up to 1.23 the kubelet could run containers by Docker itself (dockershim). From 1.24 on it needs a CRI runtime. {node} is still set up the old way: {what}. So the kubelet does not start after the upgrade until it is pointed at containerd, CRI-O or cri-dockerd.',
  },

  clues: {
    socketGone: proves(socketGone, ({ channel }) => channel !== 'container-log' && channel !== 'runtime-state'),
    removedFlag: proves(removedFlag),
    unsupported: proves(unsupported),
    noClient: proves(noClient),
    socketElsewhere: supports(socketElsewhere),
    version: supports('host.version', ({ component, version }) => component === 'kubelet' && versionAtLeast(version, '1.24')),
    stillThere: excludes(stillThere),
  },
  says: {
    socketGone: 'the kubelet looks for {socket}, which does not exist any more',
    removedFlag: 'the kubelet is started with {flag}, removed with dockershim',
    unsupported: 'the kubelet says that dockershim is not supported',
    noClient: 'kubeadm wants the program docker: the annotation cri-socket of the node still names dockershim',
    socketElsewhere: 'something still looks for {socket}',
    version: 'the kubelet is {version}: without dockershim',
    stillThere: 'this kubelet still has dockershim',
  },
  slots: (place, { socketGone: gone, socketElsewhere: elsewhere, removedFlag: flagged, unsupported: told, noClient: client, version }) => {
    const said = gone ?? elsewhere;
    const socket = said?.fields['socket'] ?? said?.fields['preflight'] ?? '/var/run/dockershim.sock';
    const flag = flagged?.fields['flag'] ?? '--network-plugin';
    return {
      node: place.name,
      socket,
      flag,
      version: version?.version ?? '1.24 or later',
      what: flagged
        ? `it is started with the removed flag ${flag}`
        : client && !said
          ? 'kubeadm takes Docker for its runtime, from the annotation kubeadm.alpha.kubernetes.io/cri-socket of the Node, and there is no docker on it'
          : told && !said
            ? 'its container runtime is set to docker'
            : `it looks for ${socket}`,
    };
  },

  fixes: [
    {
      say: 'See how the kubelet is started and which runtimes the node has',
      risk: 'reads-only',
      steps: [
        {
          say: 'flags and settings',
          run: 'cat /var/lib/kubelet/kubeadm-flags.env; grep -n -i endpoint /var/lib/kubelet/config.yaml; systemctl cat kubelet',
          on: 'node',
        },
        { say: 'sockets', run: 'ls -l /run/containerd/containerd.sock /run/cri-dockerd.sock /run/crio/crio.sock', on: 'node' },
      ],
    },
    {
      say: 'kubeadm asks for docker, while the node runs on containerd: correct the annotation cri-socket of the Node',
      risk: 'reads-only',
      for: ['noClient'],
      steps: [
        {
          say: 'what it says now',
          run: "kubectl get nodes -o custom-columns='NODE:.metadata.name,SOCKET:.metadata.annotations.kubeadm\\.alpha\\.kubernetes\\.io/cri-socket'",
          on: 'cluster',
        },
        {
          say: 'name the socket of containerd there, then run kubeadm again',
          run: 'kubectl annotate node {{node}} --overwrite kubeadm.alpha.kubernetes.io/cri-socket=unix:///run/containerd/containerd.sock',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Point the kubelet at containerd (it is on the node: Docker runs on it) and drop the removed flags',
      risk: 'touches-node',
      steps: [
        {
          say: "enable the CRI plugin: Docker's containerd.io package disables it",
          run: "containerd config default > /etc/containerd/config.toml && sed -i 's/SystemdCgroup = false/SystemdCgroup = true/' /etc/containerd/config.toml && systemctl restart containerd",
          on: 'node',
        },
        {
          say: 'KUBELET_KUBEADM_ARGS in kubeadm-flags.env: remove --network-plugin, --cni-*, --container-runtime and set the endpoint',
          run: 'sed -i -E \'s/ ?--(network-plugin|cni-conf-dir|cni-bin-dir|container-runtime|image-pull-progress-deadline)=[^ "]*//g; s#--container-runtime-endpoint=[^ "]*##; s#^KUBELET_KUBEADM_ARGS="#&--container-runtime-endpoint=unix:///run/containerd/containerd.sock #\' /var/lib/kubelet/kubeadm-flags.env && systemctl restart kubelet',
          on: 'node',
        },
        {
          say: 'correct the annotation kubeadm reads',
          run: 'kubectl annotate node {{node}} --overwrite kubeadm.alpha.kubernetes.io/cri-socket=unix:///run/containerd/containerd.sock',
          on: 'cluster',
        },
      ],
      verified: 'the kubelet stays active and {node} is Ready with containerd:// as runtime',
    },
    {
      say: 'Or keep Docker: install cri-dockerd and use unix:///run/cri-dockerd.sock as endpoint',
      risk: 'touches-node',
      steps: [
        { say: 'start it', run: 'systemctl enable --now cri-docker.socket cri-docker.service', on: 'node' },
        {
          say: 'set --container-runtime-endpoint=unix:///run/cri-dockerd.sock in /var/lib/kubelet/kubeadm-flags.env',
          run: 'systemctl restart kubelet',
          on: 'node',
        },
      ],
    },
    {
      say: 'Or go back to Kubernetes 1.23 on {node} until the runtime is changed',
      risk: 'touches-node',
      steps: [
        {
          say: 'Debian, Ubuntu',
          run: 'apt-get install -y --allow-downgrades kubelet=1.23.17-00 && systemctl restart kubelet',
          on: 'node',
          family: 'debian',
        },
        { say: 'RHEL, CentOS', run: 'yum downgrade -y kubelet-1.23.17 && systemctl restart kubelet', on: 'node', family: 'rhel' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes cmd/kubelet/app/options/container_runtime.go (1.23 and 1.24)',
    'kubernetes CHANGELOG-1.24, documentation: Migrating from dockershim',
    'cri-tools cmd/crictl/main.go (default endpoints)',
  ],
});
