import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const noInterface = line(
  [
    'Failed to find any valid interface to use',
    'Could not find valid interface matching',
    'Failed to find interface to use that matches',
    'Failed to find valid interface to use that matches',
  ],
  'container-log',
  /(?:Could not find valid interface matching (?<wanted>[\w.:*^$|()[\]-]{1,80})|Failed to find (?:any |the )?(?:valid )?interface to use(?: that matches)?)(?<error>[^\n]{0,200})/,
);
/** What only the NAT card of VirtualBox and the bridges of Docker and libvirt have: no other node can be reached there. */
const LOCAL = String.raw`10\.0\.2\.15|172\.(?:1[7-9]|2\d|3[01])\.0\.1|192\.168\.122\.1`;
const localAddress = line(
  [
    'Using interface with name',
    'Defaulting external address',
    'as external interface',
    'flannel.alpha.coreos.com/public-ip',
    'public-ip-overwrite',
  ],
  ['container-log', 'node-status'],
  new RegExp(
    `(?:Using interface with name (?<interface>[\\w.-]{1,40}) and address (?<address>${LOCAL})\\b|Defaulting external (?:v6 )?address to interface address \\((?<external>${LOCAL})\\)|Using (?<old>${LOCAL}) as external (?:interface|endpoint)|flannel\\.alpha\\.coreos\\.com/public-ip[":= ]{1,5}(?<annotated>${LOCAL})\\b)`,
  ),
);
const otherFault = line(['pod cidr not assigned', 'Failed to check br_netfilter', "flannel net config doesn't contain"], 'container-log');

export const cause = defineCause({
  id: 'flannel-wrong-interface',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'other-trouble'],

  text: {
    name: 'Flannel uses the wrong interface',
    title: 'flannel on {node} {what}',
    why: 'flannel sends pod traffic between nodes through one network interface, by default the one of the default route. On {node} it {what}, {consequence}. It must be told which interface connects the nodes (--iface).',
  },

  clues: {
    noInterface: proves(noInterface),
    localAddress: supports(localAddress),
    otherFault: excludes(otherFault),
  },
  says: {
    noInterface: 'flannel found no interface to use{error}',
    localAddress: 'flannel took {address}, an address no other node can reach',
    otherFault: 'flannel ends for another reason, and names it',
  },
  slots: (place, { noInterface: none, localAddress: local }) => {
    const address = local?.fields['address'] ?? local?.fields['external'] ?? local?.fields['old'] ?? local?.fields['annotated'];
    const wanted = none?.fields['wanted'];
    return {
      node: place.name,
      address: address ?? 'an address',
      error: none?.fields['error'] ?? '',
      what: none
        ? wanted
          ? `finds no interface ${wanted} to use`
          : 'finds no valid interface to use (no default route, or --iface names none)'
        : `uses the address ${address ?? 'of a wrong interface'} of a NAT card or local bridge`,
      consequence: none
        ? 'so it ends at its start'
        : 'where the other nodes cannot reach it: pods on different nodes do not see each other',
    };
  },

  fixes: [
    {
      say: 'See which interface flannel took and which one connects the nodes',
      risk: 'reads-only',
      steps: [
        {
          say: 'what it said at its start',
          run: "kubectl -n kube-flannel logs -l app=flannel --tail=-1 | grep -iE 'interface|external address'",
          on: 'cluster',
        },
        {
          say: 'addresses that the nodes announce to each other; they must differ and be reachable',
          run: "kubectl get nodes -o custom-columns='NODE:.metadata.name,IP:.status.addresses[0].address,FLANNEL:.metadata.annotations.flannel\\.alpha\\.coreos\\.com/public-ip'",
          on: 'cluster',
        },
        { say: 'interfaces and default route of the node', run: 'ip -br addr; ip route show default', on: 'node' },
      ],
    },
    {
      say: 'Tell flannel the interface that connects the nodes with --iface',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'add "--iface=eth1" (or --iface-regex, --iface-can-reach=<address of another node>) to the args of container kube-flannel',
          run: 'kubectl -n kube-flannel edit daemonset kube-flannel-ds',
          on: 'cluster',
        },
        {
          say: 'where the kubelet also took the wrong address: --node-ip in KUBELET_EXTRA_ARGS',
          run: 'kubectl get nodes -o wide',
          on: 'cluster',
        },
        { say: 'start it anew', run: 'kubectl -n kube-flannel rollout restart daemonset kube-flannel-ds', on: 'cluster' },
      ],
      verified: 'a pod on one node can ping a pod on another one',
    },
    {
      say: 'If the host has no default route, give it one',
      risk: 'touches-node',
      for: ['noInterface'],
      steps: [{ say: 'without one flannel has nothing to go by', run: 'ip route add default via GATEWAY dev INTERFACE', on: 'node' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['flannel-io/flannel main.go, pkg/ipmatch/match.go', 'flannel-io/flannel Documentation/troubleshooting.md (Vagrant)'],
});
