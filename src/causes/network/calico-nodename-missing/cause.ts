import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const noNodename = line(
  '/var/lib/calico/nodename',
  ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log'],
  /(?:stat|open) \/var\/lib\/calico\/nodename: no such file or directory/,
);
const unauthorized = line('connection is unauthorized', ['pod-events', 'kubelet-log'], /ClusterInformation: connection is unauthorized/);

export const cause = defineCause({
  id: 'calico-nodename-missing',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'stuck-terminating'],
  effectOf: [
    'calico-node-not-ready',
    'calico-init-hangs',
    'cgroup-driver-kubelet-systemd-runtime-cgroupfs',
    'dockerd-lost-containerd',
    'image-not-found',
  ],

  text: {
    name: 'Calico is not up here',
    title: 'The calico-node pod does not run on {node}: /var/lib/calico/nodename is missing',
    why: 'The calico CNI plugin learns the name of its node from /var/lib/calico/nodename, which the calico-node container writes when it has started. On {node} the file is not there, so no pod gets a network. Either the calico-node pod of {node} does not run, or it does not mount /var/lib/calico of the host, or calico was removed and left 10-calico.conflist in /etc/cni/net.d.',
  },

  clues: {
    noNodename: proves(noNodename),
    calicoTrouble: supports('pod.symptom', ({ about }) => /\/calico-node/.test(about)),
    unauthorized: excludes(unauthorized),
  },
  says: {
    noNodename: 'the calico plugin finds no /var/lib/calico/nodename',
    calicoTrouble: 'the calico-node pod of this node is in trouble itself: {trouble}',
    unauthorized: 'calico is up and its plugin is turned away by the API server',
  },
  slots: (place, { calicoTrouble }) => ({ node: place.name, trouble: calicoTrouble?.detail ?? calicoTrouble?.symptom ?? 'not running' }),

  fixes: [
    {
      say: 'Find out why calico-node does not run on {node}',
      risk: 'reads-only',
      steps: [
        {
          say: 'its pod on this node',
          run: 'kubectl get pods -A -o wide --field-selector spec.nodeName={{node}} | grep -i calico',
          on: 'cluster',
        },
        {
          say: 'no pod there: see whether the DaemonSet tolerates the taints of {node}',
          run: 'kubectl describe node {{node}} | grep -A3 -i taints',
          on: 'cluster',
        },
        { say: 'its init containers and its log', run: 'kubectl -n kube-system logs POD --all-containers --tail=30', on: 'cluster' },
        { say: 'the file itself', run: 'ls -l /var/lib/calico', on: 'node' },
      ],
    },
    {
      say: 'Restart calico-node on {node}; it writes the file again',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'delete its pod (namespace calico-system where the operator installed it)',
          run: 'kubectl -n kube-system delete pod -l k8s-app=calico-node --field-selector spec.nodeName={{node}}',
          on: 'cluster',
        },
        {
          say: 'calico was removed in favour of another network: take its configuration away',
          run: 'ls /etc/cni/net.d; mv /etc/cni/net.d/10-calico.conflist /var/backups/',
          on: 'node',
        },
      ],
      verified: '/var/lib/calico/nodename holds the name of the node, and waiting pods start',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['projectcalico/calico cni-plugin/pkg/plugin/plugin.go', 'projectcalico/calico node/pkg/lifecycle/startup/startup.go'],
});
