import type { Fact } from '../../../model/facts.ts';
import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const blocked = line(
  ['[UFW BLOCK]', 'FINAL_REJECT: ', 'filter_IN_', 'filter_FWD', 'STATE_INVALID_DROP: '],
  ['kernel-log', 'system-log'],
  /(?<who>\[UFW BLOCK\]|\w{0,40}FINAL_REJECT|filter_(?:IN|FWD)_\w{1,40}(?:REJECT|DROP)|STATE_INVALID_DROP):? IN=(?<in>[\w.@-]{0,20}) OUT=(?<out>[\w.@-]{0,20}) [\s\S]{0,300}?(?:PROTO=(?<protocol>\w{1,8}))(?:[\s\S]{0,60}?DPT=(?<port>\d{1,5}))?/,
);
const prohibited = line(
  ['Destination Host Prohibited', 'administratively prohibited', 'host unreachable - admin prohibited', 'admin prohibited'],
  ['host-tools', 'host-state', 'container-log'],
  /(?:[Ff]rom (?<from>[\w.:-]{3,60})[^\n]{0,60}?)?(?:Destination Host Prohibited|(?:host|communication) administratively prohibited|admin prohibited)/,
);
const noRoute = line(
  ['connect: no route to host', 'EHOSTUNREACH', 'No route to host'],
  ['container-log', 'pod-events', 'kubelet-log'],
  /(?:dial tcp |EHOSTUNREACH |[Cc]onnect(?:ing)? to |host=)(?<address>(?:10|172|192|100)\.\d{1,3}\.\d{1,3}\.\d{1,3}(?:[: ]{1,2}(?:port )?\d{1,5})?)[\s\S]{0,60}?(?:no route to host|EHOSTUNREACH)|EHOSTUNREACH (?<node>(?:10|172|192|100)\.[\d.]{5,11}:\d{1,5})/i,
);
const FIREWALL_UNITS = /^(?:firewalld|ufw|nftables|iptables|ip6tables|shorewall|csf|lfd|imunify360|falcon-sensor|ds_agent)(?:\.service)?$/;
const POD_INTERFACE = /^(?:cni0|cbr0|docker0|flannel|cali|veth|vxlan|tunl|cilium|lxc|weave|kube-|antrea|ovn|nodelocaldns|br-)/;
const CLUSTER_PORTS = new Set([
  '53',
  '179',
  '443',
  '2379',
  '2380',
  '4240',
  '4789',
  '5473',
  '6081',
  '6443',
  '6783',
  '7946',
  '8472',
  '9100',
  '9443',
  '10250',
  '10255',
  '10256',
  '51820',
  '51821',
]);

/** Scans from the Internet are blocked all day; what counts is traffic of pods or of the cluster. */
function isClusterTraffic({ fields }: Fact<'log.signature'>): boolean {
  return POD_INTERFACE.test(fields['in'] ?? '') || POD_INTERFACE.test(fields['out'] ?? '') || CLUSTER_PORTS.has(fields['port'] ?? '');
}

function rejects({ action, by, rejectWith, chain }: Fact<'host.firewall'>): boolean {
  return (
    by === 'rule' && action === 'REJECT' && /prohibited/.test(rejectWith ?? '') && /^(?:INPUT|FORWARD|INPUT_|FWD_|filter_)/i.test(chain)
  );
}
// No channel: hardly anybody shows that a firewall is off, and who does says so in these words.
const opened = line(
  ['firewalld is not running', 'Status: inactive', 'firewalld.service: inactive'],
  [],
  /(?:[Ff]irewall[Dd] is not running|^Status: inactive|firewalld\.service: inactive)/,
);

export const cause = defineCause({
  id: 'firewalld-or-security-agent-interferes',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['not-ready', 'crash-loop', 'restarts', 'init-stuck', 'init-crash', 'failed', 'node-not-ready', 'other-trouble'],
  wakesOn: [
    on('net.attempt', { result: 'filtered' }),
    on('net.attempt', { result: 'no-route' }),
    on('host.firewall', { action: 'REJECT', by: 'rule' }),
    on('unit.state', { unit: 'ufw', active: 'active' }),
    on('unit.state', { unit: 'firewalld', active: 'active' }),
  ],

  text: {
    name: 'Host firewall blocks the cluster',
    title: 'The host firewall (firewalld, ufw) on {node} rejects cluster traffic{what}',
    why: 'Host firewalls know nothing of pods and Services: their own rules come before or after those of kube-proxy and the network add-on and reject what they do not know{what}. A rejected packet is answered with "host prohibited", which programs report as "no route to host". A reload or a restart of the firewall also wipes the rules of the cluster.',
  },

  clues: {
    blocked: proves(blocked, isClusterTraffic),
    prohibited: proves(prohibited),
    filtered: proves('net.attempt', ({ result }) => result === 'filtered'),
    noRoute: supports(noRoute, ({ fields }) => !/:(?:6443|10250)$/.test(fields['address'] ?? fields['node'] ?? '')),
    unreached: supports(
      'net.attempt',
      ({ tool, result, target, port }) =>
        tool !== 'ping' && port !== 6443 && port !== 10250 && result === 'no-route' && /^(?:10|172|192|100)\.[\d.]+$/.test(target),
    ),
    rule: supports('host.firewall', rejects),
    active: supports('unit.state', ({ unit, active }) => FIREWALL_UNITS.test(unit) && active === 'active'),
    opened: excludes(opened),
  },
  says: {
    blocked: 'the host firewall logs that it blocks this traffic{what}',
    prohibited: 'a host answers that the traffic is prohibited: a REJECT rule',
    filtered: 'an attempt was answered with a prohibition',
    noRoute: 'connections to {address} end with "no route to host"',
    unreached: 'an attempt to reach {target} ends with "no route to host"',
    rule: 'iptables holds a rule that rejects with icmp-host-prohibited',
    active: 'a host firewall or security agent runs on the node: {unit}',
    opened: 'the host firewall is not running',
  },
  slots: (place, { blocked: log, noRoute: route, unreached, active }) => {
    const port = log?.fields['port'];
    const protocol = log?.fields['protocol'];
    const address = route?.fields['address'] ?? route?.fields['node'];
    return {
      node: place.kind === 'Node' ? place.name : 'a node',
      address: address ?? unreached?.target ?? 'cluster addresses',
      target: unreached?.target ?? address ?? 'it',
      unit: active?.unit ?? 'firewalld',
      what: log
        ? `: ${protocol ?? 'packets'}${port ? ` to port ${port}` : ''}${log.fields['in'] ? ` coming in by ${log.fields['in']}` : ''}`
        : address
          ? `: ${address} (no route to host)`
          : '',
    };
  },

  fixes: [
    {
      say: 'See whether a host firewall runs and what it rejects',
      risk: 'reads-only',
      steps: [
        {
          say: 'on this node and on the one that is called',
          run: 'systemctl is-active firewalld ufw nftables; firewall-cmd --list-all-zones 2>/dev/null | head -40; ufw status verbose',
          on: 'node',
        },
        { say: 'rules that count packets', run: "iptables -L -n -v | grep -E 'REJECT|DROP' | grep -v ' 0     0 '", on: 'node' },
      ],
    },
    {
      say: 'Stop the host firewall on cluster nodes (security groups and NetworkPolicies take its place)',
      risk: 'touches-node',
      steps: [
        { say: 'firewalld', run: 'systemctl disable --now firewalld', on: 'node', family: 'rhel' },
        { say: 'ufw', run: 'ufw disable', on: 'node', family: 'debian' },
        {
          say: 'its rules went with those of the cluster: have them written again',
          run: 'kubectl -n kube-system rollout restart daemonset kube-proxy',
          on: 'cluster',
        },
        { say: 'and the network add-on', run: 'kubectl -n kube-flannel rollout restart daemonset kube-flannel-ds', on: 'cluster' },
      ],
      verified: 'curl -k https://10.96.0.1:443/version answers in pods and on {node}',
    },
    {
      say: 'Or let it pass: ports of the cluster, the pod and service networks, and forwarding',
      risk: 'touches-node',
      steps: [
        {
          say: 'firewalld: pod and service networks are trusted, ports of the cluster open',
          run: 'firewall-cmd --permanent --zone=trusted --add-source=10.244.0.0/16 --add-source=10.96.0.0/12 && firewall-cmd --permanent --add-port={6443,2379-2380,10250,179}/tcp --add-port={8472,4789}/udp --add-masquerade && firewall-cmd --reload',
          on: 'node',
          family: 'rhel',
        },
        {
          say: 'ufw: allow routed traffic and the networks of the cluster',
          run: 'ufw default allow routed && ufw allow from 10.244.0.0/16 && ufw allow 6443,10250,2379:2380/tcp && ufw allow 8472/udp',
          on: 'node',
          family: 'debian',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes cmd/kubeadm/app/preflight/checks.go (FirewalldCheck)',
    'firewalld REJECT with icmp-host-prohibited; connect(2) EHOSTUNREACH',
    'ufw(8) logging',
  ],
});
