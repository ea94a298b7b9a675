import { defineCause, excludes, line, minutes, proves, supports, withContext } from '../../define-cause.ts';

const LOG = ['container-log', 'host-tools'] as const;
const PEER =
  /(?:"peer":\s?"|peer=[\\"]{0,2}|Key=[\\"]{0,2}|Key":\s?"|neighbor |dial [\\"]{0,2}|from [\\"]{1,2})(?<peer>[\d.]{7,15}|\[?[\da-f]{1,4}:[\da-f:]{2,36}\]?)/;
const ERROR =
  /(?<error>unexpected peer ASN \d{1,10}, want \d{1,10}|connection refused|i\/o timeout|no route to host|network is unreachable|connection timed out|hold timer expired|connection reset by peer|invalid password|EOF)/;

/** MetalLB speaks BGP by itself, or through FRR. */
const metallb = line('failed to connect to peer', LOG, withContext(/failed to connect to peer/, { may: [PEER, ERROR] }));
const asn = line(
  'unexpected peer ASN',
  LOG,
  withContext(/unexpected peer ASN (?<theirs>\d{1,10}), want (?<ours>\d{1,10})/, { may: [PEER] }),
);
/** GoBGP, inside cilium, kube-vip and kube-router. */
const gobgp = line(
  ['BGP_FSM_', 'Failed to establish BGP session', 'Peer Down'],
  LOG,
  withContext(
    /(?<what>Peer Down|(?:sent|received) notification|failed to connect|Failed to establish BGP session|Can't (?:connect|resolve))/,
    {
      may: [PEER, ERROR, /Code=(?<code>\d{1,2}) [\s\S]{0,200}?Subcode=(?<subcode>\d{1,2})/, /Reason=[\\"]{0,2}(?<reason>[\w-]{4,40})/],
      must: [/BGP|Topic=[\\"]{0,2}Peer|gobgp/],
    },
  ),
);
/** FRR, and whatever a router says of OPEN messages it does not take. */
const frr = line(
  ['%NOTIFICATION: ', '%ADJCHANGE: '],
  LOG,
  /%NOTIFICATION: (?:received from|sent to) neighbor (?<peer>[\d.:a-f]{3,45}) [\d/]{1,7} \((?<error>[^)\n]{3,80})|%ADJCHANGE: neighbor (?<left>[\d.:a-f]{3,45})[^\n]{0,60}? Down (?<down>[^\n]{0,60})/,
);
const bird = line(
  [
    'BGP: Unexpected connect from unknown address',
    'Received: Connection rejected',
    ': Received: Bad peer AS',
    'Error: Hold timer expired',
    'Error: Bad peer AS',
    'Received: Hold timer expired',
  ],
  LOG,
  /BGP: Unexpected connect from unknown address (?<stranger>[\d.:a-f]{3,45})|(?:Mesh|Node|Global|bgp)_(?<session>\w{3,60}): (?:Received|Error): (?<error>Connection rejected|Bad peer AS[^\n]{0,40}|Hold timer expired|Cease[^\n]{0,40})/,
);
/** Rows of `cilium bgp peers`, of `show bgp summary` and of `calicoctl node status` that stand alone. */
const row = line(
  ['ipv4/unicast', 'ipv6/unicast', 'node-to-node mesh', 'node specific', '    never '],
  ['host-tools', 'objects', 'container-log'],
  /^\s{0,8}(?:\S{1,253}\s{1,20})?\d{1,10}\s{1,20}\d{1,10}\s{1,20}(?<cilium>[\d.:a-f]{3,45})\s{1,20}(?<ciliumState>idle|connect|active|opensent|openconfirm)\s|^\|?\s{0,4}(?<calico>[\d.:a-f]{3,45})\s{1,8}\|\s{0,4}(?:node-to-node mesh|node specific|global)\s{1,8}\|\s{0,4}(?:start|wait|down)\s{1,8}\|[^|\n]{0,40}\|\s{0,4}(?<calicoState>[^|\n]{3,80}?)\s{0,40}\||^\s{0,4}(?<frr>[\d.:a-f]{3,45})\s{1,20}4\s{1,20}\d{1,10}\s[\s\d]{5,120}?never\s{1,20}(?<frrState>Active|Idle(?: \(Admin\))?|Connect|OpenSent|OpenConfirm)\b/,
);
const up = line(
  ['BGP session established', '"sessionUp"', '"Peer Up"'],
  'container-log',
  /BGP session established|"event":"sessionUp"|msg="Peer Up"/,
);

const SPEAKERS = /\/(?:speaker|frr|metallb-speaker)[^/]*$|kube-vip/;

/** RFC 4271: why a peer ends a session. */
const CODES: Readonly<Record<string, string>> = {
  '2/2': 'Bad Peer AS',
  '2/3': 'Bad BGP Identifier',
  '2/6': 'Unacceptable Hold Time',
  '2/7': 'Unsupported Capability',
  '4/0': 'Hold Timer Expired',
  '6/3': 'Peer De-configured',
  '6/5': 'Connection Rejected',
};

function whatOf(error: string): string {
  if (/peer ASN|peer AS/i.test(error)) return 'AS numbers differ: what one side is told about the other is not what the other says';
  if (/rejected|de-configured|unknown address|unexpected/i.test(error))
    return 'the peer does not know this node as a neighbour (its address or AS is not configured there, or comes from another interface)';
  if (/refused/i.test(error)) return 'nothing listens on TCP port 179 at the peer, or it does not take this node as a neighbour';
  if (/hold timer/i.test(error))
    return 'the session was up and keep-alives stopped: packet loss, an overloaded peer, or an MTU that is too small';
  if (/password|md5/i.test(error)) return 'the passwords (TCP MD5) of both sides differ';
  return 'packets to TCP port 179 are not answered: a firewall, no route, a wrong peer address, more than one hop (ebgpMultiHop), or a TCP MD5 password on one side only';
}

export const cause = defineCause({
  id: 'bgp-session-down',
  area: 'network',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'not-ready'],

  text: {
    name: 'BGP session does not come up',
    title: 'The BGP session with {peer} is not up ({error}): routes are not announced',
    why: 'MetalLB, kube-vip, cilium, calico and kube-router announce addresses of Services and pods to routers, or to each other, over BGP (TCP port 179). Without a session the other side has no route, so those addresses cannot be reached from outside of the node, while the pods themselves are well. Here: {what}.',
  },

  clues: {
    asn: proves(asn),
    metallb: proves(metallb),
    frr: proves(frr),
    gobgp: supports(gobgp),
    bird: supports(bird),
    row: supports(row),
    speaker: supports('pod.symptom', ({ about }) => SPEAKERS.test(about)),
    up: excludes(up),
  },
  says: {
    asn: 'the peer names another AS number than it was configured with',
    metallb: 'the speaker gets no session with {peer}: {error}',
    frr: 'the BGP daemon reports the end of the session with {peer}: {error}',
    gobgp: 'the BGP server reports the peer {peer} as down: {error}',
    bird: 'the BGP daemon reports {error}',
    row: 'the list of peers shows {peer} as {error}',
    speaker: 'a pod that speaks BGP is in trouble itself',
    up: 'the session was established',
  },
  slots: (_place, { asn: numbers, metallb: speaker, frr: routed, gobgp: server, bird: daemon, row: listed }) => {
    const code = server?.fields['code'] ? CODES[`${server.fields['code']}/${server.fields['subcode'] ?? '0'}`] : undefined;
    const shown = listed?.fields['ciliumState'] ?? listed?.fields['calicoState'] ?? listed?.fields['frrState'];
    const error =
      (numbers ? `unexpected peer ASN ${numbers.fields['theirs']}, want ${numbers.fields['ours']}` : undefined) ??
      speaker?.fields['error'] ??
      routed?.fields['error'] ??
      routed?.fields['down'] ??
      code ??
      server?.fields['error'] ??
      server?.fields['reason'] ??
      daemon?.fields['error'] ??
      (daemon?.fields['stranger'] ? 'connection from an unknown address' : undefined) ??
      shown ??
      'no answer';
    const peer =
      numbers?.fields['peer'] ??
      speaker?.fields['peer'] ??
      routed?.fields['peer'] ??
      routed?.fields['left'] ??
      server?.fields['peer'] ??
      daemon?.fields['stranger'] ??
      daemon?.fields['session']?.replaceAll('_', '.') ??
      listed?.fields['cilium'] ??
      listed?.fields['calico'] ??
      listed?.fields['frr'];
    return { peer: peer ?? 'the peer', address: peer ?? 'PEER', error: error.trim(), what: whatOf(error) };
  },

  fixes: [
    {
      say: 'See both sides of the session',
      risk: 'reads-only',
      steps: [
        { say: 'does the peer take connections from the node?', run: 'nc -zvw3 {{address}} 179; ip route get {{address}}', on: 'node' },
        {
          say: 'MetalLB: peers, and what is announced',
          run: 'kubectl -n metallb-system get bgppeers,bgpadvertisements,ipaddresspools -o yaml; kubectl -n metallb-system logs -l component=speaker --tail=40',
          on: 'cluster',
        },
        { say: 'cilium', run: 'cilium bgp peers; kubectl get ciliumbgpclusterconfigs,ciliumbgppeerconfigs -o yaml', on: 'cluster' },
        { say: 'calico', run: 'calicoctl node status; calicoctl get bgppeers,bgpconfigurations -o yaml', on: 'node' },
        { say: 'on the router: its neighbours, and why the last session ended (FRR)', run: 'vtysh -c "show bgp neighbors"', on: 'node' },
      ],
    },
    {
      say: 'Make both sides agree: address, AS numbers, password, number of hops',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'myASN is the AS of the cluster, peerASN that of the router; the router lists every node as a neighbour; ebgpMultiHop where it is not in the same subnet',
          run: 'kubectl -n metallb-system edit bgppeers',
          on: 'cluster',
        },
        {
          say: 'open TCP port 179 between nodes and router',
          run: 'firewall-cmd --permanent --add-port=179/tcp && firewall-cmd --reload',
          on: 'node',
          family: 'rhel',
        },
        { say: 'open TCP port 179 between nodes and router', run: 'ufw allow 179/tcp', on: 'node', family: 'debian' },
        {
          say: 'two BGP speakers on one node (calico and MetalLB, or the router takes one session per address): let one of them announce the addresses of Services',
          run: 'calicoctl patch bgpconfiguration default --patch \'{"spec":{"serviceLoadBalancerIPs":[{"cidr":"RANGE"}]}}\'',
          on: 'node',
        },
      ],
      verified: 'the peer is Established on both sides and the router has the route',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'RFC 4271 section 6',
    'metallb internal/bgp/native',
    'osrg/gobgp pkg/server',
    'cilium operator bgp documentation',
    'BIRD and FRR log messages',
  ],
});
