import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const notReady = line(
  [
    'NetworkPluginNotReady',
    'network plugin is not ready',
    'cni config uninitialized',
    'No CNI configuration file in',
    'no networks found in /',
  ],
  ['node-status', 'kubelet-log', 'pod-events', 'crio-log'],
  /(?:cni plugin not initialized|cni config uninitialized|No CNI configuration file in (?<directory>\/[^\s"\\,]{1,200}?)[/.]{0,2}(?:[\s"\\,]|$)|no networks found in (?<empty>\/[^\s"\\,]{1,200}))/i,
);
const startedWithout = line(
  ['failed to load cni during init', 'no network config found in'],
  'containerd-log',
  /no network config found in (?<directory>\/[^\s"\\:,]{1,200})/,
);

export const cause = defineCause({
  id: 'cni-not-initialised',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['node-not-ready', 'creating', 'pending', 'init-stuck'],
  effectOf: [
    'cgroup-driver-kubelet-systemd-runtime-cgroupfs',
    'flannel-br-netfilter-missing',
    'flannel-pod-cidr-not-assigned',
    'flannel-net-conf-or-cidr-mismatch',
    'calico-init-hangs',
    'dockerd-lost-containerd',
    'containerd-config-version-or-path-mismatch',
    'image-not-found',
    'image-registry-unreachable',
    'image-registry-dns-failure',
    'image-pull-rate-limited',
  ],

  text: {
    name: 'No CNI configuration',
    title: 'The network of {node} is not set up: no CNI configuration in {directory}',
    why: 'The runtime of {node} finds no CNI configuration file in {directory}, so it reports NetworkPluginNotReady and the kubelet holds the node NotReady. The file is written by the pod network add-on (flannel, calico, cilium and others): it is not installed, or its pod does not run on this node. Pods on the host network run, all others wait.',
  },

  clues: {
    notReady: proves(notReady),
    startedWithout: supports(startedWithout),
    taint: supports('node.taint', ({ key }) => key === 'node.kubernetes.io/not-ready' || key === 'node.kubernetes.io/network-unavailable'),
    ready: excludes('node.condition', ({ type, status }) => type === 'Ready' && status === 'True'),
    listedReady: excludes('node.status', ({ status }) => /^Ready(?:,|$)/.test(status)),
  },
  says: {
    notReady: 'the runtime has no CNI configuration, its network is not initialised',
    startedWithout: 'containerd found no network configuration in {directory} at its start',
    taint: 'the node is tainted as not ready',
    ready: 'the node is Ready by now: the network came up after a while',
    listedReady: 'the node is listed as Ready: the network came up after a while',
  },
  slots: (place, { notReady: said, startedWithout: started }) => ({
    node: place.name,
    directory: said?.fields['directory'] ?? said?.fields['empty'] ?? started?.fields['directory'] ?? '/etc/cni/net.d',
  }),

  fixes: [
    {
      say: 'See whether the pod network add-on is installed and runs on {node}',
      risk: 'reads-only',
      steps: [
        {
          say: 'the add-on has one pod per node (kube-flannel, calico-node, cilium, weave-net …)',
          run: 'kubectl get daemonsets,pods -A -o wide --field-selector spec.nodeName={{node}}',
          on: 'cluster',
        },
        { say: 'configuration and plugins on the node', run: 'ls -l {{directory}} /opt/cni/bin', on: 'node' },
        { say: 'the directories that containerd looks into', run: "containerd config dump | grep -nE 'conf_dir|bin_dir'", on: 'node' },
      ],
    },
    {
      say: 'Install the pod network add-on, if there is none',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'one add-on per cluster; its pod network must match the --pod-network-cidr of kubeadm init (flannel: 10.244.0.0/16)',
          run: 'kubectl apply -f https://github.com/flannel-io/flannel/releases/latest/download/kube-flannel.yml',
          on: 'cluster',
        },
      ],
      verified: '{node} becomes Ready and its waiting pods start within a minute',
    },
    {
      say: 'Repair the pod of the add-on on {node}, if it is installed',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'its own trouble is the cause: log, image, tolerations',
          run: 'kubectl -n NAMESPACE describe pod POD; kubectl -n NAMESPACE logs POD --all-containers --tail=30',
          on: 'cluster',
        },
        {
          say: 'a containerd that was installed or reconfigured since reads the file again after a restart',
          run: 'systemctl restart containerd',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'containerd internal/cri/server/status.go',
    'cri-o/ocicni pkg/ocicni/ocicni.go',
    'kubernetes pkg/kubelet/kubelet.go (networkErrors)',
  ],
});
