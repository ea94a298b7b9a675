import { defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const outgoing = line(
  ['connect: cannot assign requested address', 'EADDRNOTAVAIL'],
  'container-log',
  /(?:dial tcp[46]? (?<from>[\d.]{7,15}:\d{1,5}->)?(?<target>(?!127\.|localhost|\[::1?\]|0\.0\.0\.0)[\w.:[\]-]{3,260}?): connect: cannot assign requested address|connect EADDRNOTAVAIL (?<node>(?!127\.|::1)[\w.:-]{3,100}))/,
);
const java = line(
  ['Cannot assign requested address'],
  'container-log',
  /(?:(?:NoRouteToHostException|BindException|ConnectException|SocketException): Cannot assign requested address \(?(?:connect failed|Address not available)|connect\(\) (?:to (?<upstream>[\w.:/-]{3,200}) )?failed \(99: Cannot assign requested address\) while connecting to upstream)/,
);
const range = supports('host.sysctl', ({ key }) => key === 'net.ipv4.ip_local_port_range');
const listening = line(
  ['bind: cannot assign requested address', 'listen EADDRNOTAVAIL'],
  'container-log',
  /(?:listen (?:tcp|udp)[46]? \S{3,80}: bind: cannot assign requested address|listen EADDRNOTAVAIL)/,
);

export const cause = defineCause({
  id: 'local-ports-exhausted',
  area: 'network',
  at: 'Workload',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'other-trouble'],

  text: {
    name: 'No local ports left',
    title: '{workload} has no local port left for connections to {target} (cannot assign requested address)',
    why: 'Each connection takes a local port of the pod, also for a minute after it was closed (TIME_WAIT), and there are some 28000 per destination. {workload} opens connections to {target} faster than they come free, so the kernel answers "cannot assign requested address". It opens a new connection per request instead of keeping them, or does not close them.',
  },

  clues: {
    outgoing: proves(outgoing),
    java: proves(java),
    range,
    listening: excludes(listening),
    well: excludes('pod.status', isWell),
  },
  says: {
    outgoing: 'a connection to {target} cannot get a local port',
    java: 'a connection cannot get a local port (cannot assign requested address)',
    range: 'the range of local ports is {ports}',
    listening: 'it cannot listen on an address that this pod does not have',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { outgoing: dial, java: jvm, range: ports }) => ({
    namespace: namesOf(place).namespace,
    object: namesOf(place).target,
    workload: place.kind === 'Workload' && place.name !== '?' ? place.name : 'The program',
    target: dial?.fields['target'] ?? dial?.fields['node'] ?? jvm?.fields['upstream'] ?? 'what it calls',
    ports: ports?.value ?? '32768 60999',
  }),

  fixes: [
    {
      say: 'Count the connections of the pod by state and destination',
      risk: 'reads-only',
      steps: [
        {
          say: 'TIME_WAIT: too many new ones; CLOSE_WAIT or ESTABLISHED: never closed',
          run: 'kubectl -n {{namespace}} exec {{object}} -- sh -c "ss -tan 2>/dev/null || netstat -tan" | awk \'{print $1}\' | sort | uniq -c',
          on: 'cluster',
        },
        {
          say: 'the range of ports inside of the pod',
          run: 'kubectl -n {{namespace}} exec {{object}} -- cat /proc/sys/net/ipv4/ip_local_port_range',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Keep connections: a pool or HTTP keep-alive in the program, bodies read and closed',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'Go: one http.Client, MaxIdleConnsPerHost raised, response bodies drained; nginx: keepalive in upstream; JDBC and Redis: a pool',
          run: 'kubectl -n {{namespace}} exec {{object}} -- sh -c "ss -tan state time-wait 2>/dev/null || netstat -tan | grep TIME_WAIT" | wc -l',
          on: 'cluster',
        },
      ],
      verified: 'the number of connections in TIME_WAIT falls and the error stops',
    },
    {
      say: 'Meanwhile widen the range of local ports for the pod, or run more replicas',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'a safe sysctl, set in the pod template',
          run: 'kubectl -n {{namespace}} patch {{object}} -p \'{"spec":{"template":{"spec":{"securityContext":{"sysctls":[{"name":"net.ipv4.ip_local_port_range","value":"1024 65535"}]}}}}}\'',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(30) },
  sources: ['connect(2) EADDRNOTAVAIL', 'linux Documentation/networking/ip-sysctl.rst (ip_local_port_range)'],
});
