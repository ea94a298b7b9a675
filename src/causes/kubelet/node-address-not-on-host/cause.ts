import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const notHere = line(
  ["not found in the host's network interfaces"],
  ['kubelet-log', 'system-log'],
  /node IP: [\\"]{0,4}(?<address>[\da-fA-F.:]{3,60})[\\"]{0,4} not found in the host's network interfaces/,
);
const noInterface = line(
  ['failed to find interface with specified node ip'],
  ['system-log', 'kubelet-log', 'container-log'],
  /failed to find interface with specified node ip/,
);
const noRoute = line(
  ['could not find default route', 'no default routes found', 'unable to select an IP from default routes', 'unable to find default route'],
  ['kubelet-log', 'system-log', 'control-plane-log', 'kubeadm-output', 'container-log'],
  /could not find default route|no default routes found|unable to select an IP from default routes|unable to find default route/,
);
const registered = line(['Successfully registered node'], [], /Successfully registered node/);

export const cause = defineCause({
  id: 'node-address-not-on-host',
  area: 'kubelet',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'crash-loop', 'other-trouble'],
  effectOf: ['default-route-missing'],

  text: {
    name: 'Node address is not there',
    title: '{where} has not the address it is to use: {what}',
    why: 'kubelet, kubeadm, k3s and the API server take the address of the node from --node-ip or, unless told, from the interface of the default route. On {where} {what}: the address changed (DHCP, a cloned or moved machine), the interface is not up yet at boot or is named otherwise, or the machine stands in a network without a gateway.',
  },

  clues: {
    notHere: proves(notHere, notByContainers),
    noInterface: proves(noInterface),
    noRoute: proves(noRoute, notByContainers),
    someRoute: supports(noRoute),
    registered: excludes(registered),
  },
  says: {
    notHere: 'the kubelet is told the node IP {address}, which no interface has',
    noInterface: 'no interface has the node IP that is set',
    noRoute: 'the host has no default route',
    someRoute: 'a program finds no default route',
    registered: 'the kubelet has registered its node since',
  },
  slots: (place, { notHere: told, noInterface: none, noRoute: route, someRoute: some }) => ({
    where: place.kind !== 'Node' || place.name.includes(' ') ? 'this node' : `node ${place.name}`,
    address: told?.fields['address'] ?? 'it is set to',
    what: told
      ? `no interface has the node IP ${told.fields['address'] ?? ''}`
      : none
        ? 'no interface has the node IP that is set'
        : (route ?? some)
          ? 'there is no default route to take an address from'
          : 'its address cannot be found',
  }),

  fixes: [
    {
      say: 'Compare the addresses of the host with the one that is set',
      risk: 'reads-only',
      steps: [
        {
          say: 'addresses, routes and settings',
          run: 'ip -br addr; ip route; grep -rn "node-ip" /var/lib/kubelet/kubeadm-flags.env /etc/default/kubelet /etc/sysconfig/kubelet /etc/rancher 2>/dev/null',
          on: 'node',
        },
      ],
    },
    {
      say: 'Set --node-ip (k3s, RKE2: node-ip) to an address the host has, or give the host its old address back',
      risk: 'touches-node',
      for: ['notHere', 'noInterface'],
      steps: [
        { say: 'in KUBELET_EXTRA_ARGS or /etc/rancher/k3s/config.yaml, then', run: 'systemctl restart kubelet', on: 'node' },
        {
          say: 'an address that comes late at boot: let the unit wait',
          run: 'systemctl enable systemd-networkd-wait-online NetworkManager-wait-online 2>/dev/null',
          on: 'node',
        },
      ],
      verified: 'kubectl get nodes -o wide shows the address, and the node is Ready',
    },
    {
      say: 'Without a gateway: add a default route, on a dummy interface if there is none (air gap)',
      risk: 'touches-node',
      for: ['noRoute', 'someRoute'],
      steps: [
        {
          say: 'for example',
          run: 'ip link add dummy0 type dummy && ip link set dummy0 up && ip addr add 203.0.113.254/31 dev dummy0 && ip route add default via 203.0.113.255 dev dummy0 metric 1000',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/kubelet_node_status.go (ValidateNodeIPFunc)',
    'apimachinery util/net/interface.go',
    'k3s pkg/agent/flannel; docs air-gap',
  ],
});
