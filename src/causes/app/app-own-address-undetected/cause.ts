import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves } from '../../define-cause.ts';

/** Programs that tell their peers where they are, and find no address of theirs that they would take. */
const none = line(
  [
    'No private IPv4 address found',
    'no private IP found',
    'no private IP address found',
    'no useable address found for interface',
    'no usable address found for interface',
    'failed to get advertise address',
    "couldn't deduce an advertise address",
    'No private IP address found',
  ],
  ['container-log', 'prose', 'pod-status'],
  /(?<error>[Nn]o private IP(?:v4)?(?: address(?:es)?)? found|no use?able address found for interfaces? (?<interfaces>\[[^\]\n]{0,120}\]|\S{1,60})|(?:failed to get|couldn't deduce an?) advertise address[^\n]{0,160}?no [^\n]{3,80})/,
);
const many = line(
  ['Multiple private IPv4 addresses found', 'Multiple private IPs found'],
  ['container-log', 'prose', 'pod-status'],
  /(?<error>Multiple private IP(?:v4 addresse)?s found)/,
);

export const cause = defineCause({
  id: 'app-own-address-undetected',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'other-trouble'],

  text: {
    name: 'Own address not detected',
    title: '{container} does not know which IP address to announce: {what}',
    why: 'Programs that form a cluster (Consul, Alertmanager, Loki, Mimir, Tempo, Cortex) tell their peers an address of theirs and look for it among their interfaces: a private one (10/8, 172.16/12, 192.168/16), or the one of an interface they know by name (eth0, en0). Here {what}. A pod network outside the private ranges (public, 100.64/10, 198.18/15, IPv6 only), another name of the interface, or the host network with several cards brings that about.',
  },

  clues: {
    none: proves(none, byContainers),
    many: proves(many, byContainers),
    well: excludes('pod.status', isWell),
  },
  says: {
    none: 'it finds no address it would announce: {error}',
    many: 'it finds several addresses and does not choose: {error}',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { none: missing, many: several }) => {
    const interfaces = missing?.fields['interfaces'];
    return {
      ...namesOf(place),
      error: (missing ?? several)?.fields['error'] ?? 'none found',
      what: several
        ? 'it has several private addresses'
        : interfaces === undefined
          ? 'none of its addresses is a private one'
          : `it finds no usable address on the interfaces ${interfaces}`,
    };
  },

  fixes: [
    {
      say: 'Name the address: hand the pod its own IP address and give it to the program (bind and advertise address)',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'env POD_IP from fieldRef status.podIP; then Consul: -bind=$(POD_IP) -advertise=$(POD_IP); Alertmanager: --cluster.advertise-address=$(POD_IP):9094; Loki, Mimir, Tempo: memberlist.advertise_addr and instance_addr from POD_IP, with -config.expand-env',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: '{container} starts and finds its peers',
    },
    {
      say: 'Or name the interface: instance_interface_names (Loki, Mimir, Tempo), -bind with a template (Consul)',
      risk: 'restarts-pods',
      steps: [
        { say: 'what the pod has', run: 'kubectl -n {{namespace}} exec {{target}} -- ip -br addr', on: 'cluster' },
        { say: 'the range of the pods; a private one needs none of this', run: 'kubectl get pods -A -o wide | head', on: 'cluster' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['hashicorp/consul agent/config/builder.go', 'prometheus/alertmanager cluster/advertise.go', 'grafana/dskit netutil/netutil.go'],
});
