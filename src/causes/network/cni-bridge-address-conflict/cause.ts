import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const conflict = line(
  'already has an IP address different from',
  ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log'],
  /[\\"“”]{0,8}(?<bridge>[\w.-]{1,30})[\\"“”]{0,8} already has an IP address different from (?<wanted>[\da-fA-F.:]{3,45}(?:\/\d{1,3})?)/,
);
const present = line(
  ['scope global cni0', 'scope global cbr0'],
  'host-tools',
  /inet (?<address>[\d.]{7,15}\/\d{1,2}) [\s\S]{0,80}scope global (?:cni0|cbr0)/,
);
const moved = line(
  ['already allocated', 'no IP addresses available in range set'],
  ['pod-events', 'kubelet-log'],
  /(?:no IP addresses available in range set|has been allocated to|is already allocated)/,
);

export const cause = defineCause({
  id: 'cni-bridge-address-conflict',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck'],

  text: {
    name: 'Old bridge address left behind',
    title: 'The bridge {bridge} on {node} keeps an old address; the node now owns {wanted}',
    why: 'The pod subnet of {node} changed (the node was reset or joined anew, or the network add-on was replaced), but the bridge {bridge} was left behind with its old address. The CNI bridge plugin wants {wanted} on it and refuses to go on, so no new pod of the node gets a network.',
  },

  clues: {
    conflict: proves(conflict),
    present: supports(present),
    moved: excludes(moved),
  },
  says: {
    conflict: '{bridge} already has an address, and not {wanted}',
    present: 'the bridge holds {address}',
    moved: 'the bridge is right by now; the pod subnet has run out of addresses',
  },
  slots: (place, { conflict: said, present: found }) => ({
    node: place.name,
    bridge: said?.fields['bridge'] ?? 'cni0',
    wanted: said?.fields['wanted'] ?? 'another subnet',
    address: found?.fields['address'] ?? 'another address',
  }),

  fixes: [
    {
      say: 'Compare the bridge with the subnet of the node',
      risk: 'reads-only',
      steps: [
        { say: 'the bridge, and what flannel noted down', run: 'ip -4 addr show {{bridge}}; cat /run/flannel/subnet.env', on: 'node' },
        { say: 'the subnet the cluster gave to the node', run: "kubectl get node {{node}} -o jsonpath='{.spec.podCIDR}'", on: 'cluster' },
      ],
    },
    {
      say: 'Delete the old bridge {bridge}; the plugin makes it anew with {wanted}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'move the pods away first: pods that still use the old bridge lose their network',
          run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data',
          on: 'cluster',
        },
        { say: 'delete it', run: 'ip link set {{bridge}} down && ip link delete {{bridge}}', on: 'node' },
        { say: 'addresses reserved in the old subnet', run: 'ls /var/lib/cni/networks; rm -rf /var/lib/cni/networks/cbr0', on: 'node' },
        { say: 'let pods come back', run: 'kubectl uncordon {{node}}', on: 'cluster' },
      ],
      verified: 'ip addr show {bridge} shows {wanted}, and waiting pods start',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['containernetworking/plugins plugins/main/bridge/bridge.go (ensureAddr)'],
});
