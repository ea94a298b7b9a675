import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log', 'container-log'] as const;

const noPackets = line(
  [
    'no packets received from gateway',
    'network not ready after',
    'network is not ready after',
    'failed to ping gw',
    'failed to ping ovn0 gw',
  ],
  CHANNELS,
  /no packets received from gateway (?<gateway>[\da-fA-F.:]{3,45})|failed to ping (?:ovn0 )?gw:? \[?(?<joined>[\da-fA-F.:]{3,45})|(?<pinged>[\da-fA-F.:]{3,45}) network (?:is )?not ready after \d{1,5} (?:ping|arping)/,
);
const noMac = line(
  ['resolve MAC address of', 'failed to check gateway', 'gateway is unreachable', 'gateway unreachable'],
  CHANNELS,
  /resolve MAC address of (?<gateway>[\da-fA-F.:]{3,45}) timeout|failed to check gateway:? (?<other>[\da-fA-F.:]{3,45})|gateway (?<spider>[\da-fA-F.:]{3,45}) is unreachable/,
);
const noAgent = line(
  ['database connection failed', 'connect: connection refused', 'connect: no such file'],
  [],
  /openvswitch|ovn-daemon\.sock/,
);

export const cause = defineCause({
  id: 'pod-gateway-unreachable',
  area: 'network',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'crash-loop', 'restarts', 'failed', 'other-trouble'],

  text: {
    name: 'Gateway of pods does not answer',
    title: 'The gateway {gateway} of the pod subnet does not answer from {node}',
    why: 'Before a pod starts, the network add-on (kube-ovn, spiderpool) asks the gateway of its subnet by ARP or ping. {gateway} does not answer from {node}: in an underlay network the VLAN, the interface of the provider network, the switch port or the gateway address is wrong, or the hypervisor drops foreign MAC addresses (promiscuous mode, forged transmits); in an overlay the tunnel between the nodes (Geneve, UDP 6081) is blocked, or the logical router or the OVN daemons are behind. So pods stay in ContainerCreating, or the daemon of the add-on ends.',
  },

  clues: {
    noPackets: proves(noPackets),
    noMac: proves(noMac),
    tried: supports('net.attempt', ({ tool, target, result }) => tool === 'ping' && result !== 'ok' && /\.(?:1|254)$/.test(target)),
    noAgent: excludes(noAgent),
  },
  says: {
    noPackets: 'nothing comes back from the gateway {gateway}',
    noMac: 'the gateway {gateway} does not answer ARP',
    tried: 'ping gets no answer from a gateway either',
    noAgent: 'the network daemon of the node does not answer',
  },
  slots: (place, { noPackets: silent, noMac: arp }) => ({
    node: place.name,
    gateway:
      silent?.fields['gateway'] ??
      silent?.fields['pinged'] ??
      silent?.fields['joined'] ??
      arp?.fields['gateway'] ??
      arp?.fields['other'] ??
      arp?.fields['spider'] ??
      'of the subnet',
    address: silent?.fields['gateway'] ?? silent?.fields['joined'] ?? arp?.fields['gateway'] ?? 'GATEWAY',
  }),

  fixes: [
    {
      say: 'See whether the gateway answers on the network the pods are bound to',
      risk: 'reads-only',
      steps: [
        { say: 'from the node, on the interface of the provider network', run: 'arping -c 3 -I INTERFACE {{address}}', on: 'node' },
        { say: 'subnet, VLAN and provider network', run: 'kubectl get subnets,vlans,provider-networks -o wide', on: 'cluster' },
        { say: 'what the daemon says', run: 'kubectl -n kube-system logs -l app=kube-ovn-cni --tail=40', on: 'cluster' },
        {
          say: 'overlay: tunnels as Open vSwitch sees them; UDP 6081 (Geneve) must be open between all nodes',
          run: 'kubectl -n kube-system get pods -o wide -l "app in (ovs,ovn-central,kube-ovn-controller)"; ovs-vsctl show | grep -A3 -i geneve',
          on: 'node',
        },
      ],
    },
    {
      say: 'Correct interface, VLAN or gateway; on virtual machines allow promiscuous mode, MAC changes and forged transmits',
      risk: 'touches-node',
      steps: [
        { say: 'the gateway of the subnet must be the one of the physical network', run: 'kubectl edit subnet NAME', on: 'cluster' },
        { say: 'VMware, KVM and clouds drop packets of MAC addresses they do not know, unless the port allows them' },
      ],
      verified: 'arping gets an answer and waiting pods start',
    },
    {
      say: 'Where the gateway does not answer ping on purpose: switch the check off',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'kube-ovn, for this subnet',
          run: `kubectl patch subnet NAME --type merge -p '{"spec":{"disableGatewayCheck":true}}'`,
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubeovn/kube-ovn pkg/daemon (waitNetworkReady)', 'kubeovn/kube-ovn issues 2824, 5728'],
});
