import { defineCause, excludes, line, minutes, needs, proves, supports } from '../../define-cause.ts';

const nobody = line(['no nodes available to schedule pods', '0/0 nodes are available'], ['pod-events', 'pod-status', 'control-plane-log']);
const placed = line(['Successfully assigned ', 'Started container', 'Container started', 'Pulling image "'], 'pod-events');

export const cause = defineCause({
  id: 'sched-no-nodes',
  area: 'scheduling',
  at: 'Cluster',
  maturity: 'stable',
  explains: ['pending'],
  effectOf: ['kubelet-bootstrap-or-cert-expired', 'kubelet-cannot-reach-api', 'kubelet-node-not-found'],

  text: {
    name: 'Cluster without nodes',
    title: 'The cluster has no nodes: no node is registered that could take a pod',
    why: 'The scheduler knows not a single node, because the node pool is empty or its machines never joined (kubelet not started, not admitted, wrong API address). So every pod stays Pending, those of the system included.',
  },

  clues: {
    pending: needs('pod.symptom', ({ symptom }) => symptom === 'pending'),
    message: proves(nobody),
    systemPods: supports('pod.symptom', ({ symptom, about }) => symptom === 'pending' && about.startsWith('Pod/kube-system/')),
    placed: excludes(placed),
    otherReason: excludes('pod.unschedulable', ({ recent, reasons }) => recent && reasons.length > 0),
  },
  says: {
    pending: 'pods wait for a node',
    message: 'the scheduler has no nodes at all to choose from',
    systemPods: 'even pods of kube-system wait for a node',
    placed: 'it has been placed since; there are nodes',
    otherReason: 'its own refusal counts nodes and names another reason',
  },
  slots: () => ({}),

  fixes: [
    {
      say: 'Create or start the nodes: scale the node pool up from zero, start the machines, let them join',
      risk: 'moves-pods',
      steps: [
        {
          say: 'nodes the API knows, and requests to join that wait for approval',
          run: 'kubectl get nodes; kubectl get csr',
          on: 'cluster',
        },
        { say: 'the size and state of the node pool at the provider: zero machines, failed to start, or no quota', on: 'cluster' },
        {
          say: 'on a machine that should be a node: does the kubelet run, and what does it say',
          run: "systemctl status kubelet --no-pager; journalctl -u kubelet --since '15 min ago' --no-pager | tail -40",
          on: 'node',
        },
      ],
      verified: 'kubectl get nodes lists nodes that are Ready',
    },
    {
      say: 'Join machines again that have lost their registration',
      risk: 'touches-node',
      steps: [
        { say: 'a fresh join command', run: 'kubeadm token create --print-join-command', on: 'cluster' },
        {
          say: 'run the printed command on the machine; where a registration was deleted by mistake, a restart of the kubelet is enough',
          run: 'systemctl restart kubelet',
          on: 'node',
        },
      ],
      verified: 'kubectl get nodes lists nodes that are Ready',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/scheduler/schedule_one.go, pkg/scheduler/scheduler.go (ErrNoNodesAvailable)'],
});
