import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const conntrack = line(
  ['conntrack: table full', 'conntrack table full'],
  'kernel-log',
  /conntrack:? (?:nf_conntrack: )?table full(?:, dropping packet)?/,
);
const neighbours = line(
  ['neighbor table overflow', 'Neighbour table overflow', 'neighbour table overflow'],
  'kernel-log',
  /(?:(?<table>arp_cache|ndisc_cache): )?[Nn]eighbou?r table overflow/,
);
const dropped = line(
  ['insert_failed=', 'nf_conntrack_max'],
  ['host-tools', 'host-state'],
  /insert_failed=[1-9]\d{0,12}[^\n]{0,40} drop=(?<drops>[1-9]\d{0,12})/,
);
/** Cilium keeps Services, connections and policies in maps of a fixed size. */
const map = line(
  ['bpf map:', 'bpf map '],
  'container-log',
  /(?:for|in|update[^\n]{0,40}) (?<name>[\w. -]{0,60}?bpf map)[^\n]{0,60}?: (?:no space left on device|argument list too long|map is full)/i,
);
const linkDown = line(
  ['Link is Down', 'link is not ready', 'NIC Link is Down'],
  'kernel-log',
  /\b(?:eth|en[opsx]\w{0,12}|bond)\d{0,3}:? (?:NIC )?[Ll]ink is [Dd]own/,
);

export const cause = defineCause({
  id: 'conntrack-or-arp-table-full',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['not-ready', 'crash-loop', 'restarts', 'failed', 'node-not-ready', 'init-stuck', 'init-crash', 'creating', 'other-trouble'],

  text: {
    name: 'Kernel network table is full',
    title: 'The {table} of the kernel on {node} is full: packets are dropped',
    why: 'The kernel of {node} keeps a limited number of entries in its {table}. It is full, so the kernel drops packets at random ({what}): connections and DNS look-ups of all pods on the node time out now and then, and probes fail.',
  },

  clues: {
    conntrack: proves(conntrack),
    neighbours: proves(neighbours),
    map: proves(map),
    dropped: supports(dropped),
    linkDown: excludes(linkDown),
  },
  says: {
    conntrack: 'the kernel says: conntrack table full, dropping packet',
    neighbours: 'the kernel says: neighbour (ARP) table overflow',
    map: 'cilium cannot add an entry: the {name} is full',
    dropped: 'conntrack counts dropped entries: {drops}',
    linkDown: 'the network card lost its link',
  },
  slots: (place, { conntrack: full, neighbours: overflow, map: entries, dropped: counted }) => ({
    name: entries?.fields['name'] ?? 'BPF map',
    node: place.name,
    table:
      entries && !full
        ? `${entries.fields['name'] ?? 'BPF map'} of cilium`
        : overflow && !full
          ? 'neighbour (ARP) table'
          : 'connection tracking (conntrack) table',
    what:
      entries && !full
        ? 'no space left in the map'
        : overflow && !full
          ? 'neighbor table overflow'
          : 'nf_conntrack: table full, dropping packet',
    drops: counted?.fields['drops'] ?? 'some',
  }),

  fixes: [
    {
      say: 'See how full the tables are and who fills them',
      risk: 'reads-only',
      steps: [
        {
          say: 'connections: count and limit',
          run: 'sysctl net.netfilter.nf_conntrack_count net.netfilter.nf_conntrack_max; conntrack -S | head -4',
          on: 'node',
        },
        {
          say: 'neighbours: count and limits',
          run: 'ip neigh | wc -l; sysctl net.ipv4.neigh.default.gc_thresh1 net.ipv4.neigh.default.gc_thresh2 net.ipv4.neigh.default.gc_thresh3',
          on: 'node',
        },
        {
          say: 'maps of cilium and their sizes; bpf.lbMapMax, bpf.policyMapMax and bpf.ctTcpMax in its Helm values raise them',
          run: 'kubectl -n kube-system exec ds/cilium -- cilium-dbg bpf metrics list; kubectl -n kube-system get configmap cilium-config -o yaml | grep -n "bpf-.*max"',
          on: 'cluster',
        },
        {
          say: 'who has most connections',
          run: "conntrack -L 2>/dev/null | grep -oE 'src=[0-9.]+' | sort | uniq -c | sort -rn | head",
          on: 'node',
        },
      ],
    },
    {
      say: 'Raise the limits on {node}',
      risk: 'touches-node',
      steps: [
        {
          say: 'conntrack',
          run: "printf 'net.netfilter.nf_conntrack_max = 1048576\\n' > /etc/sysctl.d/99-conntrack.conf && sysctl -w net.netfilter.nf_conntrack_max=1048576",
          on: 'node',
        },
        {
          say: 'kube-proxy sets it too: conntrack.maxPerCore and conntrack.min in its ConfigMap',
          run: 'kubectl -n kube-system edit configmap kube-proxy',
          on: 'cluster',
        },
        {
          say: 'neighbours',
          run: "printf 'net.ipv4.neigh.default.gc_thresh1 = 8192\\nnet.ipv4.neigh.default.gc_thresh2 = 32768\\nnet.ipv4.neigh.default.gc_thresh3 = 65536\\n' > /etc/sysctl.d/99-neigh.conf && sysctl --system",
          on: 'node',
        },
      ],
      changes: [
        { do: 'sysctl', key: 'net.netfilter.nf_conntrack_max', value: '1048576', atLeast: true },
        { do: 'sysctl', key: 'net.ipv4.neigh.default.gc_thresh1', value: '8192', atLeast: true },
        { do: 'sysctl', key: 'net.ipv4.neigh.default.gc_thresh2', value: '32768', atLeast: true },
        { do: 'sysctl', key: 'net.ipv4.neigh.default.gc_thresh3', value: '65536', atLeast: true },
      ],
      verified: 'dmesg shows no further drops and connections do not time out',
    },
    {
      say: 'Have fewer entries: shorter timeouts, keep-alive in clients, a node-local DNS cache',
      risk: 'touches-node',
      steps: [
        {
          say: 'closed connections leave sooner',
          run: 'sysctl -w net.netfilter.nf_conntrack_tcp_timeout_established=86400 net.netfilter.nf_conntrack_tcp_timeout_time_wait=30',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(30) },
  sources: ['linux net/netfilter/nf_conntrack_core.c', 'linux net/core/neighbour.c', 'kubernetes cmd/kube-proxy/app/conntrack.go'],
});
