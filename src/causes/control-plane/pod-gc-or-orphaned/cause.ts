import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const collected = line(
  [
    'PodGC: node no longer exists',
    'DeletionByPodGC',
    'Found orphaned Pod ',
    'PodGC is force deleting Pod',
    'Forced deletion of orphaned Pod',
  ],
  ['pod-status', 'control-plane-log'],
  /(?<own>PodGC: node no longer exists|DeletionByPodGC)|Found orphaned Pod assigned to the Node[\s\S]{0,80}?node=[\\"]{0,4}(?<node>[^\s\\",]{1,253})|Found orphaned Pod (?<pod>[^\s]{1,253}) assigned to the Node (?<old>[^\s]{1,253}?)\. Deleting|PodGC is force deleting Pod|[Ff]orced deletion of orphaned Pod/,
);
const nodeGone = line(
  [
    'Deleting node ',
    'RemovingNode',
    'event: Removing Node',
    'DeletingNode',
    'deleting pod for node scale down',
    'because it does not exist in the cloud provider',
  ],
  ['node-events', 'pod-events', 'control-plane-log'],
  /Deleting node (?<node>[^\s]{1,253}) because it does not exist in the cloud provider|event: Removing Node (?<removed>[^\s]{1,253}) from|deleting pod for node scale down/,
);
const OTHER_HANDS = /^(?:PreemptionByScheduler|EvictionByEvictionAPI|DeletionByTaintManager|TerminationByKubelet)$/;

export const cause = defineCause({
  id: 'pod-gc-or-orphaned',
  area: 'control-plane',
  at: 'Pod',
  maturity: 'stable',
  explains: ['failed', 'stuck-terminating', 'not-ready', 'other-trouble'],
  effectOf: ['node-unreachable'],
  wakesOn: [on('pod.condition', { reason: 'DeletionByPodGC' })],

  text: {
    name: 'Pod removed with its node',
    title: '{pod} was deleted by the pod garbage collector: its node{node} no longer exists',
    why: 'The Node object{node} that the pod was bound to has been deleted (scaled down, spot machine reclaimed, removed by hand or by the cloud controller). The pod garbage collector of kube-controller-manager then deletes the pods left behind by force. It is not a fault of the pod: a controller creates a new one elsewhere; a bare pod is simply gone.',
  },

  clues: {
    condition: proves('pod.condition', ({ type, reason }) => type === 'DisruptionTarget' && reason === 'DeletionByPodGC'),
    collected: proves(collected, ({ fields }) => fields['own'] !== undefined),
    // The controller tells it of every node that goes, also where all is well.
    collector: supports(collected, ({ fields }) => fields['own'] === undefined),
    nodeGone: supports(nodeGone),
    otherHand: excludes('pod.condition', ({ type, reason }) => type === 'DisruptionTarget' && OTHER_HANDS.test(reason ?? '')),
  },
  says: {
    condition: 'its condition says DisruptionTarget, DeletionByPodGC',
    collected: 'the pod garbage collector took it: node no longer exists',
    collector: 'the log of the controller manager says that the pod garbage collector took it',
    nodeGone: 'the node was removed from the cluster',
    otherHand: 'somebody else ended it: preemption, eviction, a taint, or the kubelet',
  },
  slots: (place, { collected: said, collector: log, nodeGone: gone }) => {
    const node = said?.fields['node'] ?? log?.fields['node'] ?? log?.fields['old'] ?? gone?.fields['node'] ?? gone?.fields['removed'];
    return {
      pod: place.kind === 'Pod' && place.name !== 'the pod' ? `Pod ${place.name}` : 'The pod',
      node: node === undefined ? '' : ` ${node}`,
      nodeName: node ?? 'NODE',
      namespace: place.namespace && place.namespace !== '?' ? place.namespace : 'NAMESPACE',
    };
  },

  fixes: [
    {
      say: 'Nothing to repair at the pod; see whether its replacement runs and why the node went away',
      risk: 'reads-only',
      steps: [
        { say: 'its replacement', run: 'kubectl -n {{namespace}} get pods -o wide', on: 'cluster' },
        {
          say: 'is the node meant to be gone',
          run: 'kubectl get nodes; kubectl get events -A --field-selector involvedObject.kind=Node',
          on: 'cluster',
        },
        {
          say: 'who removes nodes: autoscaler, spot reclaim, cloud controller',
          run: 'kubectl -n kube-system logs -l app=cluster-autoscaler --tail=100 | grep -i {{nodeName}}',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Make it harmless next time: a controller with several replicas, a PodDisruptionBudget, and drain before a node is removed',
      risk: 'moves-pods',
      steps: [{ say: 'planned removals', run: 'kubectl drain {{nodeName}} --ignore-daemonsets --delete-emptydir-data', on: 'cluster' }],
      verified: 'pods move before their node goes',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/controller/podgc/gc_controller.go'],
});
