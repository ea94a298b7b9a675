import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const noLease = line(
  ['/run/flannel/subnet.env', 'loadFlannelSubnetEnv failed', "failed to load flannel 'subnet.env'"],
  ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log'],
  /(?:loadFlannelSubnetEnv failed|failed to load flannel 'subnet\.env' file|open \/run\/flannel\/subnet\.env: no such file or directory)/,
);
const bridge = line('already has an IP address different from', ['pod-events', 'kubelet-log']);

export const cause = defineCause({
  id: 'flannel-subnet-env-missing',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'stuck-terminating'],
  effectOf: [
    'flannel-br-netfilter-missing',
    'flannel-pod-cidr-not-assigned',
    'flannel-net-conf-or-cidr-mismatch',
    'flannel-wrong-interface',
    'cgroup-driver-kubelet-systemd-runtime-cgroupfs',
    'kube-proxy-down-or-mode-unsupported',
  ],

  text: {
    name: 'Flannel has no subnet file',
    title: 'Flannel is not up on {node}: /run/flannel/subnet.env is missing',
    why: 'The flannel CNI plugin reads the pod subnet of {node} from /run/flannel/subnet.env. flanneld (the kube-flannel pod of this node) writes that file once it holds a lease; it has not, so no new pod on {node} gets a network. The fault is in the kube-flannel pod, this is its effect.',
  },

  clues: {
    noLease: proves(noLease),
    flannelTrouble: supports('pod.symptom', ({ about }) => /flannel[^/]*$/.test(about)),
    bridge: excludes(bridge),
  },
  says: {
    noLease: 'the flannel plugin finds no /run/flannel/subnet.env',
    flannelTrouble: 'the kube-flannel pod of this node is in trouble itself: {trouble}',
    bridge: 'the file is there by now; the bridge cni0 keeps an old address',
  },
  slots: (place, { flannelTrouble }) => ({ node: place.name, trouble: flannelTrouble?.detail ?? flannelTrouble?.symptom ?? 'not running' }),

  fixes: [
    {
      say: 'Find out why kube-flannel does not run on {node}',
      risk: 'reads-only',
      steps: [
        {
          say: 'its pod on this node',
          run: 'kubectl get pods -A -o wide --field-selector spec.nodeName={{node}} | grep -i flannel',
          on: 'cluster',
        },
        {
          say: 'its log: net-conf, pod CIDR, br_netfilter, API server',
          run: 'kubectl -n kube-flannel logs POD --all-containers --tail=30',
          on: 'cluster',
        },
        { say: 'whether the node has a pod CIDR at all', run: "kubectl get node {{node}} -o jsonpath='{.spec.podCIDR}'", on: 'cluster' },
        { say: 'the file itself', run: 'cat /run/flannel/subnet.env', on: 'node' },
      ],
    },
    {
      say: 'Repair or restart the kube-flannel pod; it writes the file by itself',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'no DaemonSet at all: install flannel',
          run: 'kubectl apply -f https://github.com/flannel-io/flannel/releases/latest/download/kube-flannel.yml',
          on: 'cluster',
        },
        {
          say: 'it hangs without an error: delete its pod on {node}',
          run: 'kubectl -n kube-flannel delete pod -l app=flannel --field-selector spec.nodeName={{node}}',
          on: 'cluster',
        },
      ],
      verified: '/run/flannel/subnet.env exists on {node} and waiting pods start',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['flannel-io/cni-plugin flannel.go (loadFlannelSubnetEnv)', 'flannel-io/flannel pkg/subnet/subnet.go (WriteSubnetFile)'],
});
