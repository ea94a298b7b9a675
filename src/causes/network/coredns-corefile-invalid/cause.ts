import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const parsing = line(
  ['Error during parsing'],
  'container-log',
  /(?<file>[\w./-]{0,120}(?:Corefile|\.server|\.override|coredns[\w.-]{0,40})):(?<row>\d{1,5}) - Error during parsing: (?<error>[^\n]{0,200})/,
);
const setup = line(
  [
    'not an IP address or file',
    'it is already defined',
    'plugin can only be used once per Server Block',
    'loading Caddyfile via flag',
    'Wrong argument count or unexpected line ending',
    'unable to parse zone',
  ],
  'container-log',
  /(?<error>plugin\/[\w-]{2,30}: [^\n]{0,160}?(?:not an IP address or file[^\n]{0,80}|plugin can only be used once per Server Block|Wrong argument count or unexpected line ending[^\n]{0,60}|unable to parse zone[^\n]{0,60})|cannot serve \S{3,120} - it is already defined[^\n]{0,80}|loading Caddyfile via flag: [^\n]{0,160})/,
);
const reload = line(
  ['Corefile changed but reload failed', 'Restart failed: '],
  'container-log',
  /(?:Corefile changed but reload failed: |Restart failed: (?=plugin\/|[^\n]{0,80}Corefile|starting with listener))(?<error>[^\n]{0,200})/,
);
/** What `forward . /etc/resolv.conf` says when that file, handed down from the host by the kubelet, names no server. */
const noUpstream = line(
  ['plugin/forward: no nameservers found', 'plugin/forward: no valid upstream'],
  ['container-log', 'prose'],
  /(?<error>plugin\/forward: no (?:nameservers found|valid upstream addresses found))/,
);
/** health, ready and prometheus each listen once for the whole process; a second server block with the same one finds its port taken. */
const twice = line(
  [
    'listen tcp :8080: bind: address already in use',
    'listen tcp :8181: bind: address already in use',
    ':9153: bind: address already in use',
  ],
  'container-log',
  /(?:\b[Cc]ore ?[Dd][Nn][Ss]|plugin\/(?:health|ready|metrics|prometheus))[^\n]{0,120}?listen tcp [\d.]{0,15}:(?<port>8080|8181|9153): bind: address already in use/,
);
const loop = line(['plugin/loop: Loop', 'plugin/loop: Forwarding loop'], 'container-log');

export const cause = defineCause({
  id: 'coredns-corefile-invalid',
  area: 'network',
  at: 'Workload',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'other-trouble'],

  text: {
    name: 'Corefile is invalid',
    title: 'CoreDNS cannot use its Corefile{where}: {error}',
    why: 'CoreDNS reads its configuration, the Corefile of ConfigMap coredns, at its start and when it changes. {error}{where}: it rejects the whole file and exits (a running one keeps the old configuration), so names in the cluster are not resolved.',
  },

  clues: {
    parsing: proves(parsing),
    setup: proves(setup),
    reload: proves(reload),
    noUpstream: proves(noUpstream),
    twice: supports(twice),
    loop: excludes(loop),
  },
  says: {
    parsing: 'the Corefile does not parse{where}: {error}',
    setup: 'a plugin refuses its configuration: {error}',
    reload: 'the changed Corefile was not taken over: {error}',
    noUpstream: 'the forward plugin finds no DNS server (nameserver) in its resolv.conf',
    twice: 'port {port} is taken by CoreDNS itself: two server blocks have the same plugin (health, ready or prometheus)',
    loop: 'the Corefile is read; it stops because of a forwarding loop',
  },
  slots: (place, { parsing: parsed, setup: refused, reload: changed, noUpstream: none, twice: taken }) => {
    const row = parsed?.fields['row'];
    return {
      namespace: place.namespace === undefined || place.namespace === '?' ? 'kube-system' : place.namespace,
      where: row === undefined ? '' : ` (line ${row} of ${parsed?.fields['file'] || 'Corefile'})`,
      port: taken?.fields['port'] ?? '',
      error: (
        parsed?.fields['error'] ??
        refused?.fields['error'] ??
        changed?.fields['error'] ??
        (none
          ? 'the resolv.conf it forwards to names no DNS server (no nameserver line)'
          : taken
            ? `two server blocks want port ${taken.fields['port'] ?? ''}`
            : 'it contains an error')
      ).trim(),
    };
  },

  fixes: [
    {
      say: 'Look at the Corefile and at what changed',
      risk: 'reads-only',
      steps: [
        {
          say: 'the file, with line numbers',
          run: "kubectl -n {{namespace}} get configmap coredns -o jsonpath='{.data.Corefile}' | cat -n",
          on: 'cluster',
        },
        { say: 'parts that are imported', run: 'kubectl -n {{namespace}} get configmap coredns-custom -o yaml', on: 'cluster' },
        {
          say: 'version of CoreDNS: plugins come and go (proxy went with 1.5, upstream and resyncperiod with 1.7)',
          run: "kubectl -n {{namespace}} get deployment coredns -o jsonpath='{..image}'",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Correct the Corefile in ConfigMap coredns: {error}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'directives that do not exist any more: "proxy . /etc/resolv.conf" is now "forward . /etc/resolv.conf"',
          run: 'kubectl -n {{namespace}} edit configmap coredns',
          on: 'cluster',
        },
        { say: 'health, ready and prometheus belong into one server block only, or each on a port of its own (health :8081)' },
        { say: 'start it anew', run: 'kubectl -n {{namespace}} rollout restart deployment coredns', on: 'cluster' },
      ],
      verified: 'the CoreDNS pods run and their log shows the plugins',
    },
    {
      say: 'Where it finds no nameserver: give the hosts a DNS server in the file that the kubelet hands to pods, or name one in the Corefile',
      risk: 'touches-node',
      for: ['noUpstream'],
      steps: [
        {
          say: 'the file the kubelet uses (resolvConf); behind systemd-resolved it must be /run/systemd/resolve/resolv.conf',
          run: 'grep -n resolvConf /var/lib/kubelet/config.yaml; grep -n nameserver /etc/resolv.conf /run/systemd/resolve/resolv.conf',
          on: 'node',
        },
        {
          say: 'or name the server: "forward . 10.0.0.2"; where no names outside the cluster are wanted, take forward and loop out',
          run: 'kubectl -n {{namespace}} edit configmap coredns',
          on: 'cluster',
        },
        { say: 'pods get the file at their start', run: 'kubectl -n {{namespace}} rollout restart deployment coredns', on: 'cluster' },
      ],
      verified: 'the CoreDNS pods run and their log shows the plugins',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['coredns core/dnsserver, coremain/run.go', 'coredns plugin/forward/setup.go', 'coredns/caddy caddyfile'],
});
