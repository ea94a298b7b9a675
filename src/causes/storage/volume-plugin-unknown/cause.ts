import { defineCause, excludes, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

const unmatched = line(
  ['no volume plugin matched', 'failed to get Plugin from volumeSpec', 'no persistent volume plugin matched'],
  ['pod-events', 'kubelet-log', 'control-plane-log', 'object-events'],
  withContext(/no (?:persistent )?volume plugin matched(?: name: (?<plugin>[\w./~-]{3,120}))?|failed to get Plugin from volumeSpec/, {
    may: [/volumeSpec for volume [\\"]{1,4}(?<volume>[^"\\\n]{1,253})/, /(?<intree>kubernetes\.io[/~](?!csi)[a-z-]{2,30})/],
  }),
);
const notAttachable = line(
  ['FindAttachablePluginBySpec failed', 'FindDeviceMountablePluginBySpec failed', 'FindMountablePluginBySpec failed'],
  ['pod-events', 'kubelet-log', 'control-plane-log'],
  withContext(/Find\w{3,20}PluginBySpec failed/, { may: [NAMED_VOLUME] }),
);
// No channel: then the plugin is known and something else is wrong.
const driverMissing = line('not found in the list of registered CSI drivers', []);

export const cause = defineCause({
  id: 'volume-plugin-unknown',
  area: 'storage',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'volume-pending', 'pending', 'other-trouble'],

  text: {
    name: 'Volume type unknown to Kubernetes',
    title: 'This version of Kubernetes has no plugin for volume {volume}{plugin}',
    why: 'Every PersistentVolume and every volume of a pod names a type (csi, nfs, glusterfs, cinder, flexVolume …), and the kubelet looks for a plugin that handles it. None does for {volume}{plugin}: the built-in drivers of clouds and storage (gcePersistentDisk, awsElasticBlockStore, azureDisk, cinder, vsphereVolume, cephfs, rbd, glusterfs, scaleIO …) were removed between 1.22 and 1.31 in favour of CSI drivers, a flexVolume driver is not installed on the node, or the volume has no type at all. So it is neither attached nor mounted.',
  },

  clues: {
    unmatched: proves(unmatched),
    notAttachable: supports(notAttachable),
    claim: supports('pod.volume', ({ type }) => /PersistentVolumeClaim|FlexVolume|Glusterfs|CephFS|RBD/i.test(type)),
    driverMissing: excludes(driverMissing),
  },
  says: {
    unmatched: 'no volume plugin takes {volume}',
    notAttachable: 'the controller finds no plugin that could attach {volume}',
    claim: 'the pod mounts a claim or a volume of that kind',
    driverMissing: 'the type is known: the CSI driver it names is not on the node',
  },
  slots: (place, { unmatched: said, notAttachable: attach }) => {
    const plugin = said?.fields['plugin'] ?? said?.fields['intree'];
    return {
      ...namesOf(place),
      volume: said?.fields['volume'] ?? attach?.fields['volume'] ?? 'of the pod',
      plugin: plugin ? ` (${plugin})` : '',
      pv: said?.fields['volume'] ?? attach?.fields['volume'] ?? 'VOLUME',
    };
  },

  fixes: [
    {
      say: 'See which type the volume has, and the version of the nodes',
      risk: 'reads-only',
      steps: [
        {
          say: 'the key below spec that names the type; volumes migrated to CSI carry an annotation',
          run: 'kubectl get pv {{pv}} -o yaml | grep -nE "^  [a-zA-Z]+:|migrated-to|driver:"; kubectl get nodes; kubectl get csidriver',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Install the CSI driver of that storage; volumes of the old built-in types of clouds are then handed to it by themselves',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'EBS, GCE PD, Azure disk and file, Cinder, vSphere: their CSI driver. CephFS, RBD and GlusterFS have no such hand-over: make a new PersistentVolume of type csi for the same data',
          run: 'kubectl get pods -A | grep -i csi',
          on: 'cluster',
        },
        {
          say: 'flexVolume: its program must be on each node',
          run: 'ls /usr/libexec/kubernetes/kubelet-plugins/volume/exec /var/lib/kubelet/volumeplugins 2>/dev/null',
          on: 'node',
        },
      ],
      verified: 'the pod gets SuccessfulAttachVolume or starts',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/volume/plugins.go (FindPluginBySpec)', 'kubernetes docs: volumes, removed in-tree drivers'],
});
