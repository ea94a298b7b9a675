import { defineCause, excludes, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

const refused = line(
  ['NodeAffinity check failed', 'no matching NodeSelectorTerms', "volume's node affinity"],
  ['pod-events', 'kubelet-log', 'prose'],
  withContext(/MountVolume\.NodeAffinity check failed|no matching NodeSelectorTerms/, { may: [NAMED_VOLUME] }),
);
const mounted = line('MountVolume.SetUp succeeded for volume', []);

export const cause = defineCause({
  id: 'volume-not-for-this-node',
  area: 'storage',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'other-trouble'],

  text: {
    name: 'Volume does not belong to this node',
    title: 'Volume {volume} may not be mounted on this node: the node affinity of the PersistentVolume names other nodes',
    why: 'A local or zonal PersistentVolume says in spec.nodeAffinity which nodes reach it, and the kubelet checks that before it mounts. The labels of this node do not match. The scheduler would not have put the pod here: nodeName in the pod (or a DaemonSet) passed it by, the labels of the node were changed or are missing (topology.kubernetes.io/zone, kubernetes.io/hostname after a new name), or the volume was made with the affinity of another node.',
  },

  clues: {
    refused: proves(refused),
    claim: supports('pod.volume', ({ type }) => /^PersistentVolumeClaim/i.test(type)),
    mounted: excludes(mounted),
  },
  says: {
    refused: 'the kubelet refuses: no term of the affinity matches this node',
    claim: 'it mounts a PersistentVolumeClaim',
    mounted: 'the volume was mounted since',
  },
  slots: (place, { refused: said }) => ({
    namespace: namesOf(place).namespace,
    target: namesOf(place).target,
    volume: said?.fields['volume'] ?? 'of the pod',
    pv: said?.fields['volume'] ?? 'PV',
  }),

  fixes: [
    {
      say: 'Compare what the volume wants with the labels of the nodes',
      risk: 'reads-only',
      steps: [
        { say: 'nodes the volume names', run: "kubectl get pv {{pv}} -o jsonpath='{.spec.nodeAffinity}'", on: 'cluster' },
        { say: 'labels of the nodes', run: 'kubectl get nodes --show-labels', on: 'cluster' },
        {
          say: 'whether nodeName is set in the template',
          run: 'kubectl -n {{namespace}} get {{target}} -o yaml | grep -n nodeName',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Take nodeName out, so that the scheduler chooses a node of the volume; or give the node its label back',
      risk: 'restarts-pods',
      steps: [
        { say: 'the template', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' },
        { say: 'a label that was lost', run: 'kubectl label node NODE KEY=VALUE', on: 'cluster' },
      ],
      verified: 'the pod starts on a node the volume names',
    },
    {
      say: 'A volume with the wrong affinity: keep its data (reclaim policy Retain) and make the PersistentVolume anew; the affinity cannot be changed',
      risk: 'may-lose-data',
      steps: [{ say: 'save it first', run: 'kubectl get pv {{pv}} -o yaml > pv.yaml', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/volume/util/operationexecutor/operation_generator.go (checkNodeAffinity)'],
});
