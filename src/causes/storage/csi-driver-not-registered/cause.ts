import { defineCause, excludes, isOneOf, line, minutes, proves, supports } from '../../define-cause.ts';

const notRegistered = line(
  'not found in the list of registered CSI drivers',
  ['pod-events', 'kubelet-log'],
  /driver name (?<driver>[\w.-]{1,100}) not found in the list of registered CSI drivers/,
);
const noEntry = line(
  ['does not contain driver', 'has no NodeID annotation'],
  ['container-log', 'pod-events'],
  /CSINode (?<node>[\w.-]{1,253}) does not contain driver (?<driver>[\w.-]{1,100})|node [\\"]{0,4}(?<named>[\w.-]{1,253})[\\"]{0,4} has no NodeID annotation/,
);
const noNodeId = line(
  'cannot find NodeID for driver',
  ['pod-events', 'container-log', 'control-plane-log'],
  /cannot find NodeID for driver [\\"]{0,4}(?<driver>[\w.-]{1,100})[\\"]{0,4} for node [\\"]{0,4}(?<node>[\w.-]{1,253})/,
);
/** The kubelet knows the driver, and nobody listens on its socket. */
const deaf = line(
  ['csi.sock: connect: ', 'csi.sock: connect: connection refused'],
  ['pod-events', 'kubelet-log'],
  /dial unix \/\S{1,200}?\/plugins\/(?<driver>[\w.-]{1,100})\/csi\.sock: connect: (?<error>connection refused|no such file or directory)/,
);
// No channel: certainty does not wait for it, since the kubelet asks for the driver before it can call it.
const driverAnswers = line(
  'rpc error: code =',
  [],
  /(?:MountVolume|UnmountVolume|MapVolume)\.\w{1,30} failed for volume [\s\S]{1,400}?rpc error: code = (?!Unavailable)/,
);

export const cause = defineCause({
  id: 'csi-driver-not-registered',
  area: 'storage',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'stuck-terminating', 'other-trouble'],
  effectOf: [
    'kubelet-root-dir-nonstandard',
    'host-missing-iscsi-longhorn',
    'host-missing-kernel-module-storage',
    'longhorn-webhook-inaccessible',
    'sched-untolerated-taint',
  ],

  text: {
    name: 'CSI driver not on node',
    title: 'CSI driver {driver} {state} on {node}: no node plugin',
    why: 'The kubelet of {node} mounts and unmounts volumes of {driver} through the node plugin of that driver, a DaemonSet pod (csi-plugin) that registers with the kubelet. None is registered: the pod was not scheduled to {node} or was evicted from it (a NoSchedule or NoExecute taint it does not tolerate), crashes, or registers below another kubelet directory. New pods cannot mount, old ones cannot unmount and hang in Terminating.',
  },

  clues: {
    notRegistered: proves(notRegistered),
    noEntry: proves(noEntry),
    deaf: proves(deaf),
    noNodeId: supports(noNodeId),
    taint: supports(
      'node.taint',
      ({ key, effect }) => effect === 'NoExecute' || (effect === 'NoSchedule' && !/control-plane|master/.test(key)),
    ),
    hanging: supports('pod.symptom', isOneOf('stuck-terminating')),
    plugin: supports('pod.symptom', ({ about }) => /csi[^/]*$/.test(about)),
    driverAnswers: excludes(driverAnswers),
  },
  says: {
    notRegistered: 'the kubelet knows no driver {driver} on this node',
    noEntry: 'the CSINode object of {where} lists no such driver',
    deaf: 'nobody listens on the socket of {driver}',
    noNodeId: 'the attacher finds no node id of the driver for {where}',
    taint: 'the node has the taint {taint}, which evicts or keeps off the driver pod',
    hanging: 'a pod of this node hangs in Terminating: nobody unmounts its volume',
    plugin: 'a driver pod of this node is in trouble itself: {plugin}',
    driverAnswers: 'the driver is there by now and answers with an error of its own',
  },
  slots: (place, { notRegistered: said, noEntry, noNodeId, deaf: mute, taint, plugin }) => ({
    node: place.name,
    state: mute && !said ? 'does not answer' : 'is not registered',
    driver: said?.fields['driver'] ?? noEntry?.fields['driver'] ?? noNodeId?.fields['driver'] ?? mute?.fields['driver'] ?? 'of the volume',
    where: noEntry?.fields['node'] ?? noEntry?.fields['named'] ?? noNodeId?.fields['node'] ?? place.name,
    taint: taint ? `${taint.key}:${taint.effect}` : 'some taint',
    plugin: plugin?.about.split('/').at(-1) ?? 'the node plugin',
  }),

  fixes: [
    {
      say: 'See whether the node plugin of {driver} runs on {node}',
      risk: 'reads-only',
      steps: [
        {
          say: 'drivers that are registered there',
          run: "kubectl get csinode {{node}} -o jsonpath='{.spec.drivers[*].name}'",
          on: 'cluster',
        },
        {
          say: 'driver pods on the node',
          run: 'kubectl get pods -A -o wide --field-selector spec.nodeName={{node}} | grep -i csi',
          on: 'cluster',
        },
        { say: 'taints that keep them away', run: "kubectl get node {{node}} -o jsonpath='{.spec.taints}'", on: 'cluster' },
        { say: 'sockets of registered drivers', run: 'ls /var/lib/kubelet/plugins_registry /var/lib/kubelet/plugins', on: 'node' },
      ],
    },
    {
      say: 'Bring the node plugin back to {node}: remove the taint, or let its DaemonSet tolerate it',
      risk: 'restarts-pods',
      steps: [
        { say: 'remove the taint, if it was only meant for a while', run: 'kubectl taint node {{node}} KEY:EFFECT-', on: 'cluster' },
        {
          say: 'or add a toleration to the DaemonSet of the driver (its chart or operator has a setting for it)',
          run: 'kubectl get daemonsets -A | grep -i csi',
          on: 'cluster',
        },
        {
          say: 'the pod runs but is not registered: restart it, and look at its node-driver-registrar container',
          run: 'kubectl -n NAMESPACE logs POD --all-containers --tail=20',
          on: 'cluster',
        },
        { say: 'k3s, microk8s and others with another kubelet directory: set kubeletDir / KUBELET_ROOT_DIR of the driver' },
      ],
      verified: 'kubectl get csinode {node} lists {driver}, and volumes mount and unmount',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/volume/csi/csi_client.go, csi_drivers_store.go', 'kubernetes-csi/node-driver-registrar'],
});
