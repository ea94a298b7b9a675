import { defineCause, excludes, isOneOf, line, minutes, on, proves, supports } from '../../define-cause.ts';

const silent = line(
  ['Kubelet stopped posting node status', 'Kubelet never posted node status'],
  ['node-status', 'control-plane-log'],
  /Kubelet (?<how>stopped|never) post/,
);

export const cause = defineCause({
  id: 'node-unreachable',
  area: 'node',
  at: 'Node',
  maturity: 'stable',
  explains: ['node-not-ready', 'stuck-terminating', 'not-ready'],
  effectOf: [
    'kubelet-swap-on',
    'kubelet-config-missing-or-invalid',
    'kubelet-bootstrap-or-cert-expired',
    'kubelet-cannot-reach-api',
    'kubelet-node-not-found',
    'kubelet-version-skew',
    'kubelet-disk-root-full',
    'kubelet-unit-stopped',
    'runtime-socket-gone-or-refused',
    'containerd-cri-plugin-disabled',
    'cgroup-driver-dockershim-or-cri-dockerd-mismatch',
    'cgroup-root-slice-missing-or-controllers',
    'kubelet-port-in-use',
    'cgroup-v1-host-refused',
    'kernel-bug-or-hung-task',
    'oom-node-global',
    'disk-full-root',
    'clock-skew',
  ],
  wakesOn: [
    on('kubelet.health', { answer: 'refused' }),
    on('node.condition', { type: 'Ready', status: 'Unknown' }),
    on('node.taint', { key: 'node.kubernetes.io/unreachable' }),
    on('node.symptom', { symptom: 'node-not-ready' }),
  ],

  text: {
    name: 'Node unreachable',
    title: 'The kubelet of {where} {how} posting status: the node is unreachable',
    why: 'The control plane has not heard from the kubelet of {where} for 40 to 50 seconds and marks it Unknown. {which} Its pods are shown as they last were, are marked for deletion after five minutes and hang in Terminating, because nobody there can confirm it.',
  },

  clues: {
    unknown: proves(
      'node.condition',
      ({ type, status, reason }) => type === 'Ready' && status === 'Unknown' && reason !== 'KubeletNotReady',
    ),
    silent: proves(silent),
    taint: supports('node.taint', ({ key }) => key === 'node.kubernetes.io/unreachable'),
    refused: supports('kubelet.health', ({ answer }) => answer === 'refused'),
    noWay: supports('kubelet.health', ({ answer }) => answer === 'no-answer'),
    marked: supports('pod.event', ({ reason }) => reason === 'NodeNotReady' || reason === 'TaintManagerEviction'),
    held: supports('pod.symptom', isOneOf('stuck-terminating')),
    speaks: excludes('node.condition', ({ type, status }) => type === 'Ready' && status === 'False'),
    well: excludes('node.condition', ({ type, status }) => type === 'Ready' && status === 'True'),
  },
  says: {
    unknown: 'the node is Ready Unknown: its kubelet is silent',
    silent: 'the control plane says: Kubelet {how} posting node status',
    taint: 'the taint unreachable stands on the node',
    refused: 'the machine answers, but nothing listens on the port of its kubelet',
    noWay: 'the API server gets no answer from the machine at all',
    marked: 'pods of the node are marked because it is not ready',
    held: 'a pod on it does not go away: nobody there confirms its end',
    speaks: 'the kubelet speaks, and says itself why it is not ready',
    well: 'the node is ready',
  },
  slots: (place, { silent: said, refused, noWay }) => ({
    node: place.name,
    where: place.name.includes(' ') ? place.name : `node ${place.name}`,
    how: said?.fields['how'] === 'never' ? 'never began' : 'stopped',
    unit: refused ? 'kubelet' : '',
    which: refused
      ? 'The machine is up and refuses connections to the kubelet: the kubelet does not run there.'
      : noWay
        ? 'Not even the machine answers: it is down or cut off.'
        : 'The machine is down, cut off, or its kubelet does not run.',
  }),

  fixes: [
    {
      say: 'Restore the host: is {where} up and on the network, and does its kubelet run',
      risk: 'reads-only',
      steps: [
        {
          say: 'since when it is silent',
          run: "kubectl describe node {{node}} | grep -A8 Conditions; kubectl -n kube-node-lease get lease {{node}} -o jsonpath='{.spec.renewTime}'",
          on: 'cluster',
        },
        { say: 'reach the machine: ping, ssh, or its console at the provider', run: 'ping -c3 {{node}}', on: 'cluster' },
        {
          say: 'on it: the kubelet and what it said last',
          run: "systemctl status kubelet --no-pager; journalctl -u kubelet --since '30 min ago' --no-pager | tail -40",
          on: 'node',
        },
      ],
      verified: 'the node is Ready',
    },
    {
      say: 'Start the kubelet, or boot the machine',
      risk: 'touches-node',
      steps: [{ say: 'enable it as well, or it stays down after the next boot', run: 'systemctl enable --now kubelet', on: 'node' }],
      changes: [
        { do: 'units', action: 'enable', units: ['{{unit}}'] },
        { do: 'units', action: 'start', units: ['{{unit}}'] },
      ],
      verified: 'the node is Ready',
    },
    {
      say: 'If the machine is lost for good: let its pods and volumes go',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'only when it is surely powered off, or two pods may write to one volume',
          run: 'kubectl taint nodes {{node}} node.kubernetes.io/out-of-service=nodeshutdown:NoExecute',
          on: 'cluster',
        },
        { say: 'or remove the node', run: 'kubectl delete node {{node}}', on: 'cluster' },
      ],
      verified: 'the pods run on other nodes',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/controller/nodelifecycle/node_lifecycle_controller.go', 'kubernetes pkg/controller/tainteviction'],
});
