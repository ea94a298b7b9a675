import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

const CIDR = String.raw`[\da-f.:]{3,45}\/\d{1,3}`;

const weave = line(
  ['overlaps with existing route'],
  ['container-log', 'prose'],
  new RegExp(`Network (?<pods>${CIDR}) overlaps with existing route (?<route>${CIDR})`),
);
const pool = line(
  ['overlaps with CIDR', 'overlaps with service CIDR', 'overlaps with node', 'overlaps with the', 'CIDR overlap', 'cidr overlap'],
  ['container-log', 'control-plane-log', 'object-events', 'objects', 'kubeadm-output'],
  new RegExp(
    `(?:IPPool|[Pp]ool|[Pp]od|[Cc]luster|[Ss]ervice|CIDR)[^\\n]{0,80}?(?<pods>${CIDR})[^\\n]{0,40}?overlaps with[^\\n]{0,60}?(?<route>${CIDR})`,
  ),
);
const started = line(['Discovered local MAC', 'Sniffing traffic on datapath'], 'container-log');

export const cause = defineCause({
  id: 'pod-network-overlaps-host-route',
  area: 'network',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'other-trouble'],

  text: {
    name: 'Pod network overlaps another',
    title: 'The pod network {pods} overlaps with {route}, which the hosts already use',
    why: 'The network add-on is to give pods addresses from {pods}, but the host already has a route to {route} (its own network, a VPN, docker, or what an earlier network add-on left behind). Packets would go astray, so the add-on refuses to start and no pod gets a network.',
  },

  clues: {
    weave: proves(weave),
    pool: proves(pool),
    started: excludes(started),
  },
  says: {
    weave: 'the range of the pods overlaps with the route {route} of the host',
    pool: 'the range {pods} overlaps with {route}',
    started: 'the add-on got past this check since',
  },
  slots: (_place, { weave: said, pool: range }) => ({
    weaveRange: said ? 'IPALLOC_RANGE' : '',
    pods: said?.fields['pods'] ?? range?.fields['pods'] ?? 'of the add-on',
    route: said?.fields['route'] ?? range?.fields['route'] ?? 'another range',
  }),

  fixes: [
    {
      say: 'See whose route {route} is',
      risk: 'reads-only',
      steps: [{ say: 'routes and interfaces of the host', run: 'ip route | grep -F {{route}}; ip -brief address; ip route', on: 'node' }],
    },
    {
      say: 'If an earlier network add-on left it behind: remove its interfaces, routes and files',
      risk: 'touches-node',
      steps: [
        {
          say: 'for flannel and plain bridges; calico leaves tunl0 and cali*, cilium cilium_*',
          run: 'ip link delete flannel.1; ip link delete cni0; ls /etc/cni/net.d',
          on: 'node',
        },
        { say: 'a reboot of the node removes all of them', on: 'node' },
      ],
      verified: 'the pods of the network add-on are Running',
    },
    {
      say: 'Otherwise give the pods a range that nobody else uses',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'weave: IPALLOC_RANGE in its DaemonSet; others: podSubnet of kubeadm, the IPPool of calico, net-conf.json of flannel',
          run: 'kubectl -n kube-system set env daemonset/weave-net IPALLOC_RANGE=10.200.0.0/16',
          on: 'cluster',
        },
        { say: 'a range of pods that exist cannot be changed in place: make the pods anew', on: 'cluster' },
      ],
      changes: [
        {
          do: 'workload-set',
          container: 'weave',
          field: 'env.{{weaveRange}}',
          value: { ask: 'range', says: 'a range that nobody else uses, such as 10.200.0.0/16' },
        },
      ],
      verified: 'the pods of the network add-on are Running and pods get addresses of the new range',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['weaveworks/weave net/route.go (CheckNetworkFree)', 'weaveworks/weave issue 2736'],
});
