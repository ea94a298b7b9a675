import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

const empty = line(
  [
    'dial unix: missing address',
    'container runtime endpoint address was not specified',
    'endpoint is not set',
    '--container-runtime-endpoint is required',
  ],
  'kubelet-log',
  /dial unix:? missing address|container runtime endpoint address was not specified or empty/,
);
const several = line(
  ['Found multiple CRI endpoints on the host', 'Found multiple CRI sockets'],
  'kubeadm-output',
  /Found multiple CRI (?:endpoints|sockets)[^\n]{0,200}?(?:: (?<sockets>[^\n]{5,200}))?$/m,
);
const started = line(['Started kubelet', 'Successfully registered node'], [], /Started kubelet(?![.:]| -)|Successfully registered node/);

export const cause = defineCause({
  id: 'kubelet-runtime-endpoint-unset',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'runtime-down', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'Runtime endpoint not given',
    title: 'On {node} it is not said which container runtime to use: {what}',
    why: 'Since Kubernetes 1.24 the kubelet has no runtime of its own and must be told the CRI socket of one (containerRuntimeEndpoint, --container-runtime-endpoint; for kubeadm --cri-socket). {what}, so kubelet or kubeadm stops before it does anything.',
  },

  clues: {
    empty: proves(empty),
    several: proves(several),
    started: excludes(started, ({ channel }) => channel === 'kubelet-log'),
  },
  says: {
    empty: 'the kubelet has an empty address as its runtime endpoint',
    several: 'kubeadm found several runtimes and none was chosen',
    started: 'the kubelet has started since',
  },
  slots: (place, { several: found }) => ({
    node: place.name,
    what: found
      ? `the host has several CRI sockets${found.fields['sockets'] ? ` (${found.fields['sockets'].trim().slice(0, 120)})` : ' (containerd and cri-dockerd or CRI-O)'} and none is chosen`
      : 'the container runtime endpoint of the kubelet is empty',
  }),

  fixes: [
    {
      say: 'See which runtimes the host has and what the kubelet is told',
      risk: 'reads-only',
      steps: [
        {
          say: 'sockets and settings',
          run: 'ls -l /run/containerd/containerd.sock /run/cri-dockerd.sock /var/run/crio/crio.sock; grep -n -i endpoint /var/lib/kubelet/config.yaml /var/lib/kubelet/kubeadm-flags.env; systemctl cat kubelet',
          on: 'node',
        },
      ],
    },
    {
      say: 'Name the runtime socket: criSocket for kubeadm, container-runtime-endpoint for the kubelet',
      risk: 'touches-node',
      steps: [
        {
          say: 'kubeadm: containerd (or unix:///var/run/cri-dockerd.sock, unix:///var/run/crio/crio.sock)',
          run: 'kubeadm init --cri-socket unix:///run/containerd/containerd.sock',
          on: 'node',
        },
        {
          say: 'a kubelet of your own: add the line to its configuration',
          run: 'echo "containerRuntimeEndpoint: unix:///run/containerd/containerd.sock" >> /var/lib/kubelet/config.yaml && systemctl restart kubelet',
          on: 'node',
        },
      ],
      verified: 'systemctl is-active kubelet says active, and crictl info answers',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes cmd/kubelet/app/server.go', 'kubernetes cmd/kubeadm/app/util/runtime/runtime.go'],
});
