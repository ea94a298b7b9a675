import type { Fact } from '../../../model/facts.ts';
import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const weave = line(
  [':6783: i/o timeout', ':6783: connect', 'dial tcp4 :0->', 'no working forwarders'],
  ['host-tools', 'container-log', 'host-state'],
  /(?<peer>\b[\d.]{7,15}):678[34](?:: (?<error>i\/o timeout|connect: [a-z ]{8,40})|[\s\S]{0,80}?(?<forward>no working forwarders))/,
);
const cilium = line(
  ['Cluster health:', 'Endpoint connectivity to', 'Host connectivity to', ':4240/hello'],
  ['host-tools', 'container-log', 'host-state'],
  /(?:Cluster health:\s{0,20}(?<few>\d{1,4})\/(?<many>\d{1,4}) reachable|http:\/\/(?<peer>[\d.:[\]a-f]{3,50}):4240\/hello[\s\S]{0,60}?(?<error>context deadline exceeded|i\/o timeout|connection timed out|no route to host))/,
);
const checksum = line(['bad udp cksum'], ['host-tools', 'host-state'], /bad udp cksum 0x[0-9a-f]{1,4} -> 0x[0-9a-f]{1,4}!/);

/** Mostly ports of Services or of the control plane, not of pods. */
const SERVICE_PORTS = new Set([53, 80, 443, 6443]);

function isPodAddress({ tool, target, port, result }: Fact<'net.attempt'>): boolean {
  const lost = result === 'timed-out' || (tool === 'ping' && (result === 'no-route' || result === 'unreachable'));
  if (!lost || (port !== undefined && (SERVICE_PORTS.has(port) || (port >= 30_000 && port <= 32_767)))) return false;
  return (
    /^(?:10\.\d{1,3}|172\.(?:1[6-9]|2\d|3[01])|192\.168|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.\d{1,3}\.\d{1,3}$/.test(target) &&
    !/\.1$/.test(target)
  );
}

function isSessionDown({ about, status }: Fact<'object.status'>): boolean {
  return about.startsWith('Object/BgpPeer/') && /^(?:start|wait|down)$/.test(status);
}

function isUnreachable({ fields }: Fact<'log.signature'>): boolean {
  return fields['error'] !== undefined || Number(fields['few'] ?? 0) < Number(fields['many'] ?? 0);
}

export const cause = defineCause({
  id: 'overlay-traffic-blocked',
  area: 'network',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['not-ready', 'crash-loop', 'restarts', 'failed', 'init-stuck', 'init-crash', 'other-trouble'],
  effectOf: [
    'firewalld-or-security-agent-interferes',
    'flannel-wrong-interface',
    'flannel-net-conf-or-cidr-mismatch',
    'calico-node-not-ready',
  ],
  wakesOn: [
    on('net.attempt', { result: 'timed-out' }),
    on('net.attempt', { tool: 'ping', result: 'no-route' }),
    on('net.attempt', { tool: 'ping', result: 'unreachable' }),
    on('object.status', { status: 'start' }),
  ],

  text: {
    name: 'Pod traffic between nodes is blocked',
    title: 'Pods on different nodes do not reach each other: traffic between nodes is blocked{what}',
    why: 'The network add-on carries packets between nodes in a tunnel: VXLAN (UDP 8472 for flannel and cilium, 4789 for calico), IP-in-IP (IP protocol 4), BGP (TCP 179) or WireGuard (UDP 51820). A firewall or security group between the nodes, or a network card that spoils checksums, drops them{what}. On one node all works; across nodes connections and DNS time out.',
  },

  clues: {
    weave: proves(weave),
    cilium: supports(cilium, isUnreachable),
    attempt: supports('net.attempt', isPodAddress),
    bgp: supports('object.status', isSessionDown),
    checksum: supports(checksum),
    answered: excludes('net.attempt', ({ result }) => result === 'refused'),
  },
  says: {
    weave: 'weave has no connection to {peer}: {error}',
    cilium: 'cilium does not reach all nodes: {health}',
    attempt: 'no answer from {target} on the pod network',
    bgp: 'the BGP session with {peer} is not up: {session}',
    checksum: 'packets are sent with bad UDP checksums',
    answered: 'packets arrive: a port answers that nobody listens',
  },
  slots: (place, { weave: mesh, cilium: health, attempt, bgp, checksum: spoilt }) => {
    const peer = mesh?.fields['peer'] ?? health?.fields['peer'] ?? bgp?.about.replace(/^.*\//, '');
    const reach = health?.fields['many']
      ? `${health.fields['few']} of ${health.fields['many']} nodes reachable`
      : (health?.fields['error'] ?? 'unreachable');
    return {
      node: place.name,
      peer: peer ?? 'a peer',
      error: mesh?.fields['error'] ?? mesh?.fields['forward'] ?? 'no answer',
      health: reach,
      session: bgp?.detail ?? bgp?.status ?? 'down',
      target: attempt?.target ?? 'a pod',
      what: bgp
        ? ` (BGP session with ${peer}, TCP port 179: ${bgp.detail ?? bgp.status})`
        : peer
          ? ` (no answer from ${peer})`
          : health
            ? ` (${reach})`
            : attempt
              ? ` (no answer from ${attempt.target})`
              : spoilt
                ? ' (tunnel packets carry wrong UDP checksums: checksum offload of the network card)'
                : '',
    };
  },

  fixes: [
    {
      say: 'See where the packets are lost',
      risk: 'reads-only',
      steps: [
        {
          say: 'two pods on two nodes: same node works, other node does not?',
          run: 'kubectl get pods -A -o wide | grep -i -E "dns|proxy"',
          on: 'cluster',
        },
        {
          say: 'on the sender and on the receiver at the same time: do encapsulated packets leave, and arrive?',
          run: 'tcpdump -ni any "udp port 8472 or udp port 4789 or ip proto 4 or tcp port 179 or udp port 51820"',
          on: 'node',
        },
        { say: 'routes to the pod networks of the other nodes', run: 'ip route | grep -E "flannel|tunl|vxlan|cali|cilium"', on: 'node' },
      ],
    },
    {
      say: 'Open the ports of the overlay between all nodes, in security groups and host firewalls',
      risk: 'touches-node',
      steps: [
        {
          say: 'flannel and cilium VXLAN: UDP 8472; calico VXLAN: UDP 4789; IP-in-IP: protocol 4; BGP: TCP 179; WireGuard: UDP 51820; weave: 6783; geneve: UDP 6081',
        },
        {
          say: 'firewalld',
          run: 'firewall-cmd --permanent --add-port=8472/udp --add-port=4789/udp --add-port=179/tcp && firewall-cmd --permanent --add-protocol=ipip && firewall-cmd --reload',
          on: 'node',
          family: 'rhel',
        },
        { say: 'ufw', run: 'ufw allow 8472/udp && ufw allow 4789/udp && ufw allow 179/tcp', on: 'node', family: 'debian' },
        { say: 'clouds that check addresses: switch the source/destination check off, or use VXLAN instead of routes' },
      ],
      verified: 'a pod on one node pings a pod on another one',
    },
    {
      say: 'If packets arrive and are thrown away: switch checksum offload off',
      risk: 'touches-node',
      for: ['checksum'],
      steps: [
        {
          say: 'known of some virtual cards (VMware vmxnet3) and kernels',
          run: 'ethtool -K flannel.1 tx-checksum-ip-generic off',
          on: 'node',
        },
        {
          say: 'calico; it sets this by itself with FELIX_FEATUREDETECTOVERRIDE=ChecksumOffloadBroken=true',
          run: 'ethtool -K vxlan.calico tx-checksum-ip-generic off',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'flannel-io/flannel Documentation/troubleshooting.md',
    'docs.tigera.io calico network requirements',
    'cilium system requirements (firewall rules)',
    'kubernetes #88986 (VXLAN checksum offload)',
  ],
});
