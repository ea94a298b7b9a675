import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const noPeer = line(
  ['BGP not established with', 'BGP not established (', 'BIRD is not ready'],
  ['pod-events', 'kubelet-log'],
  /BGP not established (?:with|\()? ?(?<peers>[\d.:a-fA-F,]{3,500})/,
);
const noSocket = line(
  ['unable to connect to BIRD', 'Error querying BIRD', 'BIRD is not ready: '],
  ['pod-events', 'kubelet-log'],
  /BIRD6? is not ready: (?:Failed to stat|Error querying BIRD|[\s\S]{0,200}unable to connect to BIRD)|Error querying BIRD: unable to connect to BIRD|unable to connect to BIRDv[46] socket/,
);
const felix = line(
  ['felix is not ready', 'Felix is not live', 'felix is not live'],
  ['pod-events', 'kubelet-log'],
  /felix is not (?:ready|live)/i,
);
const addressTaken = line(
  'already using the IPv4 address',
  'container-log',
  /Calico node '(?<other>[^']{1,253})' is already using the IPv4 address (?<address>[\d.]{7,15})/,
);
/** None of these reaches another node; that calico took one of them is told at its start and again each minute. */
const wrongInterface = line(
  ['autodetected IPv4 address on interface'],
  'container-log',
  /Using autodetected IPv4 address on interface (?<interface>nodelocaldns|docker\d{1,2}|br-[\da-f]{12}|kube-ipvs0|virbr\d{1,2}|cni0|cni-podman\d|podman\d|lxdbr\d|lxcbr\d|flannel\.\d{1,4}|dummy\d{1,2}|lo|cilium_host|weave|tun\d{1,2}|tailscale\d): (?<address>[\d.]{7,15})/,
);
/** What calico-node serves its own checks on, in the network of the host. */
const portTaken = line(
  [':9099: bind: address already in use', ':9098: bind: address already in use', ':9094: bind: address already in use'],
  'container-log',
  /listen tcp [\d.[\]:]{0,40}:(?<port>909[489]): bind: address already in use/,
);
const slowProbe = line(
  ['-felix-ready', '-bird-ready'],
  ['pod-events', 'kubelet-log'],
  /command [\\"“”]{0,8}\/bin\/calico-node [\s\S]{0,80}-(?:felix|bird)-ready[\\"“”]{0,8} timed out/,
);

/** Addresses that only bridges of Docker or libvirt and the NAT card of VirtualBox have. */
const LOCAL_ONLY = /(?:^|,)(?<address>172\.(?:1[7-9]|2\d|3[01])\.0\.1|10\.0\.2\.15|192\.168\.122\.1)(?:,|$)/;

function whatOf(peers: string): string {
  const local = LOCAL_ONLY.exec(peers)?.groups?.['address'];
  if (local !== undefined) return `no BGP session with ${local}, the address of a Docker or NAT interface`;
  const [first = peers, ...others] = peers.split(',');
  return `no BGP session (TCP port 179) with ${first}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}

export const cause = defineCause({
  id: 'calico-node-not-ready',
  area: 'network',
  at: 'Workload',
  maturity: 'stable',
  explains: ['not-ready', 'restarts', 'crash-loop', 'other-trouble'],
  effectOf: ['calico-init-hangs'],

  text: {
    name: 'calico-node is not ready',
    title: 'The calico-node pods are not ready: {what}',
    why: 'calico-node exchanges pod routes with every other node over BGP, TCP port 179, and is ready only when its BGP daemon BIRD has its sessions and felix has programmed the node. {hint}',
  },

  clues: {
    noPeer: proves(noPeer),
    noSocket: proves(noSocket),
    felix: proves(felix),
    portTaken: proves(portTaken),
    addressTaken: supports(addressTaken),
    wrongInterface: supports(wrongInterface),
    slowProbe: excludes(slowProbe),
  },
  says: {
    noPeer: 'no BGP session with {peers}',
    noSocket: 'the routing daemon BIRD inside calico-node does not answer',
    felix: 'felix, which programs routes and rules, is not ready',
    portTaken: 'port {port} of its own checks is already in use on the node',
    addressTaken: 'it took {address}, which {other} uses: a wrong interface',
    wrongInterface: 'it took {address} of the interface {interface} for the address of its node',
    slowProbe: 'the check itself timed out: the node is short of CPU',
  },
  slots: (_place, { noPeer: peers, noSocket, felix: sick, portTaken: busy, addressTaken: taken, wrongInterface: local }) => ({
    detection: peers || taken || local ? 'IP_AUTODETECTION_METHOD' : '',
    port: busy?.fields['port'] ?? '9099',
    peers: peers?.fields['peers'] ?? 'its peers',
    address: taken?.fields['address'] ?? local?.fields['address'] ?? 'of another interface',
    interface: local?.fields['interface'] ?? 'of another network',
    other: taken?.fields['other'] ?? 'another node',
    what: busy
      ? `another program on the node already uses port ${busy.fields['port']}, which its health check needs`
      : taken
        ? `it took an IP address that ${taken.fields['other'] ?? 'another node'} uses (wrong interface detected)`
        : local
          ? `it detected a wrong interface (${local.fields['interface']}) and announces its address ${local.fields['address']}`
          : peers
            ? whatOf(peers.fields['peers'] ?? 'its peers')
            : noSocket
              ? 'its BGP daemon BIRD does not run'
              : sick
                ? 'felix does not come up'
                : 'its BGP sessions do not come up',
    hint:
      peers || taken || local
        ? 'Without a session there are no routes to the pods of that node. Either a firewall or security group between the nodes blocks port 179 (and IP-in-IP, protocol 4), or calico announces the address of a wrong interface (docker0, a VPN, a NAT card), so that its peers call in vain.'
        : 'One of them does not answer; the log of calico-node tells why: no address detected, API server not reachable, a kernel module missing.',
  }),

  fixes: [
    {
      say: 'See which sessions are down and which address each node announces',
      risk: 'reads-only',
      steps: [
        {
          say: 'sessions as BIRD sees them',
          run: 'kubectl -n kube-system exec ds/calico-node -c calico-node -- birdcl show protocols',
          on: 'cluster',
        },
        {
          say: 'addresses that calico detected; all must belong to the network between the nodes',
          run: "kubectl get nodes -o custom-columns='NODE:.metadata.name,IP:.status.addresses[0].address,CALICO:.metadata.annotations.projectcalico\\.org/IPv4Address'",
          on: 'cluster',
        },
        { say: 'whether a peer answers on port 179', run: 'nc -vz PEER 179', on: 'node' },
      ],
    },
    {
      say: 'Open TCP port 179 (BGP) and IP protocol 4 (IP-in-IP) between all nodes, in host firewalls and in the security group',
      risk: 'touches-node',
      for: ['noPeer'],
      steps: [
        {
          say: 'firewalld',
          run: 'firewall-cmd --permanent --add-port=179/tcp && firewall-cmd --permanent --add-protocol=ipip && firewall-cmd --reload',
          on: 'node',
          family: 'rhel',
        },
        { say: 'ufw', run: 'ufw allow 179/tcp', on: 'node', family: 'debian' },
        { say: 'in a cloud: allow inbound TCP 179 and protocol 4 from the nodes own security group' },
      ],
      verified: 'birdcl shows every peer as Established and calico-node is 1/1',
    },
    {
      say: 'Or tell calico which interface to use (IP_AUTODETECTION_METHOD)',
      risk: 'restarts-pods',
      for: ['addressTaken', 'wrongInterface'],
      steps: [
        {
          say: 'the interface that reaches the other nodes, by name or by an address behind it',
          run: 'kubectl -n kube-system set env daemonset/calico-node IP_AUTODETECTION_METHOD=can-reach=10.0.0.1',
          on: 'cluster',
        },
      ],
      changes: [
        {
          do: 'workload-set',
          container: 'calico-node',
          field: 'env.{{detection}}',
          value: { ask: 'method', says: 'how calico finds the address of a node, such as interface=eth0 or can-reach=10.0.0.1' },
        },
      ],
      verified: 'birdcl shows every peer as Established and calico-node is 1/1',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['projectcalico/calico node/pkg/health/health.go', 'projectcalico/calico node/pkg/lifecycle/startup/startup.go'],
});
