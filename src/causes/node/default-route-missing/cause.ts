import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['container-log', 'kubelet-log', 'system-log', 'control-plane-log', 'kubeadm-output', 'pod-events'] as const;

/** kubeadm goes on with 0.0.0.0 when it only prints something; k3s, the kubelet and OVN end. */
const noRoutes = line(
  ['no default routes found in', 'unable to select an IP from default routes', 'failed to get default gateway interface'],
  SAID_BY,
  /(?<error>no default routes found in [\\"]{1,4}\/proc\/net\/route(?![^\n]{0,100}?using: )|unable to select an IP from default routes|failed to get default gateway interface)/,
);
/** The kernel looks for a route before kube-proxy changes the address, so it refuses what no route covers. */
const unreachable = line(
  ['connect: network is unreachable'],
  SAID_BY,
  /dial tcp (?<address>(?:10|172|192|100)\.\d{1,3}\.\d{1,3}\.1):(?:443|6443): connect: (?<error>network is unreachable)/,
);

export const cause = defineCause({
  id: 'default-route-missing',
  area: 'node',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'node-not-ready', 'kubelet-down', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'Node has no default route',
    title: '{node} has no default route: {what}',
    why: 'Kubernetes takes the address of a node from its default route, and connections to Service addresses (such as {address}) need some route that covers them before kube-proxy can turn them to a pod: without a default route the kernel answers "network is unreachable" at once. Machines without a gateway (offline networks, a second card only, DHCP that failed) have none.',
  },

  clues: {
    noRoutes: proves(noRoutes),
    none: supports('host.route', ({ destination, present }) => destination === 'default' && !present),
    unreachable: supports(unreachable),
    there: excludes('host.route', ({ destination, present }) => destination === 'default' && present),
  },
  says: {
    noRoutes: 'a program finds no default route: {error}',
    none: 'the routes of the host hold no default',
    unreachable: 'the kernel has no route to {address}: network is unreachable',
    there: 'the host has a default route',
  },
  slots: (place, { noRoutes: said, unreachable: refused }) => ({
    node: place.name,
    address: refused?.fields['address'] ?? '10.96.0.1',
    error: said?.fields['error']?.replace(/\\/g, '') ?? 'none found',
    what:
      said === undefined
        ? `the network of ${refused?.fields['address'] ?? 'the Services'} is unreachable`
        : 'programs that take the address of the node from it do not start',
  }),

  fixes: [
    {
      say: 'See the routes and interfaces of {node}',
      risk: 'reads-only',
      steps: [{ say: 'a line that begins with default must be there', run: 'ip route; ip -br addr', on: 'node' }],
    },
    {
      say: 'Give {node} a default route; offline a gateway that does not exist will do, or a dummy interface',
      risk: 'touches-node',
      steps: [
        { say: 'through the gateway of its network', run: 'ip route add default via GATEWAY dev INTERFACE', on: 'node' },
        {
          say: 'no gateway at all: a dummy interface that carries it',
          run: 'ip link add dummy0 type dummy && ip link set dummy0 up && ip addr add 203.0.113.254/31 dev dummy0 && ip route add default via 203.0.113.255 dev dummy0 metric 1000',
          on: 'node',
        },
        { say: 'lasting: in netplan, NetworkManager or the interface file of the host', on: 'node' },
      ],
      verified: 'ip route shows a default, and the pods of {node} start',
    },
    {
      say: 'Or name the address and leave the route out: --node-ip for the kubelet and k3s, a route for the Service range',
      risk: 'touches-node',
      steps: [
        {
          say: 'the range of the Services, through the interface of the nodes',
          run: 'ip route add SERVICE-RANGE dev INTERFACE',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes apimachinery pkg/util/net/interface.go', 'k3s docs: air-gap install', 'ovn-kubernetes go-controller/pkg/node'],
});
