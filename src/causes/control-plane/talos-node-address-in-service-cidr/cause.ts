import { defineCause, excludes, line, minutes, needs, supports } from '../../define-cause.ts';

const noAddress = line(
  ['no IP address found for member'],
  ['objects', 'system-log', 'kernel-log', 'container-log'],
  /no IP address found for member: (?<member>[\w.-]{1,253})/,
);
/** Talos takes 10.96.0.0/12 for services and 10.244.0.0/16 for pods unless told. */
const inRange = line(
  ['AddressStatus'],
  ['objects', 'host-state', 'container-log'],
  /AddressStatus\s{1,20}(?<link>(?!lo\/|cni|flannel|kube-ipvs)[\w.-]{1,20})\/(?<address>10\.(?:9[6-9]|10\d|11[01]|244)\.\d{1,3}\.\d{1,3})\/\d{1,2}/,
);
const ownRange = line(['serviceSubnets'], [], /serviceSubnets/);

export const cause = defineCause({
  id: 'talos-node-address-in-service-cidr',
  area: 'control-plane',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['control-plane-down', 'node-not-ready', 'kubelet-down', 'other-trouble'],

  text: {
    name: 'Node address inside service CIDR',
    title:
      'The address {address} of Talos node {member} lies inside the service or pod CIDR of the cluster: the node has no usable address',
    why: 'Talos leaves out addresses that belong to the services or pods of Kubernetes when it tells others the address of a node. The own address of the node ({address}) overlaps that range (10.96.0.0/12 and 10.244.0.0/16 by default), so it is taken for one of Kubernetes: discovery shows no address, and health, etcd and kubelet do not come up.',
  },

  clues: {
    noAddress: needs(noAddress),
    inRange: supports(inRange),
    ownRange: excludes(ownRange),
  },
  says: {
    noAddress: 'Talos finds no address for the member {member}',
    inRange: 'its address {address} lies in the default range of services or pods',
    ownRange: 'the ranges of the cluster are set to others',
  },
  slots: (_place, { noAddress: none, inRange: own }) => ({
    member: none?.fields['member'] ?? 'of the cluster',
    address: own?.fields['address'] ?? 'of the node',
  }),

  fixes: [
    {
      say: 'Give the cluster other service and pod subnets that do not overlap the network of the nodes',
      risk: 'touches-node',
      steps: [
        {
          say: 'cluster.network.serviceSubnets and podSubnets in the machine configuration of all nodes, before bootstrap; a running cluster has to be made anew',
          run: 'talosctl gen config NAME https://ENDPOINT:6443 --config-patch \'[{"op":"add","path":"/cluster/network/serviceSubnets","value":["172.30.0.0/16"]}]\'',
          on: 'cluster',
        },
      ],
      verified: 'talosctl get members shows the addresses of the nodes',
    },
    {
      say: 'Or move the nodes to another network range',
      risk: 'touches-node',
      steps: [{ say: 'what each node has', run: 'talosctl get addresses', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['siderolabs/talos issue 8099, network.NodeAddress filters', 'siderolabs/sidero issue 1033'],
});
