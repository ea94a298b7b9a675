import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log', 'container-log'] as const;

const kubeOvn = line(
  ['see kube-ovn-controller logs'],
  CHANNELS,
  /no address allocated to pod (?<pod>[\w./-]{3,253})[^\n]{0,120}?kube-ovn-controller logs/,
);
const ovn = line(
  ['timed out waiting for annotations', 'waiting for OVN port binding'],
  CHANNELS,
  /timed out waiting for (?:annotations|OVN port binding)/,
);
const terway = line(
  ['allocate eni ip timeout', 'error waiting for pod eni'],
  CHANNELS,
  /allocate eni ip timeout|error waiting for pod eni[^\n]{0,80}/,
);
const socket = line(['dial unix /'], [], /dial unix \/[^\s:]{3,200}: connect: (?:no such file or directory|connection refused)/);

export const cause = defineCause({
  id: 'network-controller-gives-no-address',
  area: 'network',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'pending', 'other-trouble'],

  text: {
    name: 'Network controller gives no address',
    title: '{controller} has given the pod no address{pod}, so the CNI plugin waits in vain',
    why: 'In this network add-on a central controller, {controller}, sees each new pod, allocates its address and writes it into annotations of the pod; the plugin on the node only waits for that. Nothing came in time: {controller} does not run, is not ready (0/1), does not reach its database or the API server, or has no address left in the subnet of the namespace. The node itself is well.',
  },

  clues: {
    kubeOvn: proves(kubeOvn),
    ovn: proves(ovn),
    terway: proves(terway),
    trouble: supports('pod.symptom', ({ about }) =>
      /\/(?:kube-ovn-controller|ovn-central|ovnkube-(?:control-plane|master|cluster-manager)|terway-controlplane)[^/]*$/.test(about),
    ),
    socket: excludes(socket),
  },
  says: {
    kubeOvn: 'the plugin finds no address of the pod and names {controller}',
    ovn: 'the plugin waits for annotations of the pod, which never come',
    terway: 'the plugin waits for an interface of the cloud, which never comes',
    trouble: 'a pod of the controller is in trouble itself: {state}',
    socket: 'the daemon of the node does not answer',
  },
  slots: (_place, { kubeOvn: told, ovn: waited, terway: interfaceless, trouble }) => ({
    controller: told
      ? 'kube-ovn-controller'
      : waited
        ? 'ovnkube-control-plane'
        : interfaceless
          ? 'terway-controlplane'
          : 'the network controller',
    label: told
      ? 'app=kube-ovn-controller'
      : waited
        ? 'app=ovnkube-control-plane'
        : interfaceless
          ? 'app=terway-controlplane'
          : 'KEY=VALUE',
    pod: told?.fields['pod'] ? ` (${told.fields['pod']})` : '',
    state: trouble?.detail ?? trouble?.symptom ?? 'not ready',
  }),

  fixes: [
    {
      say: 'See whether {controller} runs, is ready, and what it says',
      risk: 'reads-only',
      steps: [
        { say: 'its pods, on any node', run: 'kubectl get pods -A -o wide -l {{label}}', on: 'cluster' },
        { say: 'its last words', run: 'kubectl -n kube-system logs -l {{label}} --all-containers --tail=60', on: 'cluster' },
        {
          say: 'kube-ovn: database and free addresses',
          run: 'kubectl -n kube-system get pods -l app=ovn-central; kubectl get subnets',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Bring {controller} back: it then serves the waiting pods by itself',
      risk: 'restarts-pods',
      steps: [
        { say: 'running pods keep their network', run: 'kubectl -n kube-system delete pods -l {{label}}', on: 'cluster' },
        {
          say: 'a subnet without free addresses: enlarge it, or bind the namespace to another',
          run: 'kubectl edit subnet NAME',
          on: 'cluster',
        },
      ],
      verified: '{controller} is ready and waiting pods get addresses',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubeovn/kube-ovn pkg/daemon/handler.go',
    'ovn-org/ovn-kubernetes go-controller/pkg/cni',
    'AliyunContainerService/terway daemon',
  ],
});
