import type { Fact } from '../../../model/facts.ts';
import { defineCause, excludes, isWell, line, minutes, namesOf, on, proves, supports } from '../../define-cause.ts';

/** Addresses that installers give to the Service kube-dns, and where GKE has its own. */
const SERVER = String.raw`(?:10|172|192|100)\.\d{1,3}\.\d{1,3}\.10|10\.233\.0\.3|10\.68\.0\.2|10\.254\.0\.2|34\.118\.\d{1,3}\.10|169\.254\.169\.254|fd[\da-f:]{2,36}::a`;

const refused = line(
  [':53: read: connection refused', ':53: connect: connection refused'],
  'container-log',
  new RegExp(
    `(?:lookup (?<name>[\\w.-]{1,253}) on [\\d.:a-f[\\]]{3,45}:53: )?(?:read udp \\S{3,80}->|dial (?:udp|tcp) )?(?<server>${SERVER}):53: (?:read|connect): connection refused`,
  ),
);
const timeout = line(
  [':53: i/o timeout', ':53: connect: no route to host', ':53: read: no route to host', ':53: server misbehaving'],
  'container-log',
  new RegExp(
    `(?:lookup (?<name>[\\w.-]{1,253}) on )?(?:[\\d.:a-f[\\]]{3,45}:53: )?(?:read udp \\S{3,80}->|dial (?:udp|tcp) )?(?<server>${SERVER}):53: (?<error>i\\/o timeout|(?:read|connect): no route to host|server misbehaving)`,
  ),
);
/** A name of a Service is asked of the cluster DNS, whatever its address is. */
const ownName = line(
  [':53: i/o timeout', ':53: connect: no route to host', ':53: read: no route to host'],
  'container-log',
  /lookup (?<name>[\w-]{1,63}(?:\.[\w-]{1,63}){0,3}\.svc(?:\.[\w.-]{1,200})?) on (?<server>[\d.:a-f[\]]{3,45}):53: (?:read udp \S{3,80}: |dial (?:udp|tcp) \S{3,80}: )?(?<error>i\/o timeout|(?:read|connect): no route to host)/,
);
const unresolved = line(
  ['Temporary failure in name resolution', 'EAI_AGAIN', 'Try again) (Temporary', 'lookup timed out', 'Name resolution failed: timed'],
  'container-log',
  /(?:Temporary failure in name resolution|EAI_AGAIN (?<name>[\w.-]{1,253})|EAI_AGAIN|lookup timed out)/,
);
const bare = line(['i/o timeout'], 'container-log', /dial tcp: lookup (?<name>[\w.-]{1,253}): i\/o timeout/);
const dig = line(
  ['communications error to '],
  ['host-tools', 'container-log'],
  /communications error to (?<server>[\d.:a-f]{3,45}?)#53: (?<error>connection refused|timed out|host unreachable|network unreachable)/,
);
const noServer = line(['no servers could be reached'], ['host-tools', 'container-log'], /no servers could be reached/);
const answered = line(
  ['no such host', 'NXDOMAIN', 'ENOTFOUND'],
  'container-log',
  /(?:lookup [\w.-]{1,253} on [\d.:a-f[\]]{3,45}:53: no such host|NXDOMAIN|getaddrinfo ENOTFOUND)/,
);

// No channel: a look-up that was answered settles it.
const resolves = line(
  ['kubernetes.default.svc'],
  [],
  /^(?:Name:\s{1,20}kubernetes\.default\.svc|Address(?: \d{1,2})?:\s{1,20}[\d.]{7,15} kubernetes\.default\.svc)/,
);

/** The one name that every cluster has. */
function isOwnNameUnknown({ result, target, server }: Fact<'net.attempt'>): boolean {
  return (
    result === 'unresolved' &&
    /^kubernetes(?:\.default|$)/.test(target) &&
    (server === undefined || new RegExp(`^(?:${SERVER})$`).test(server))
  );
}

function isNameUnknown({ about, tool, result, target }: Fact<'net.attempt'>): boolean {
  return result === 'unresolved' && tool !== 'nslookup' && /^(?:Pod|Container)\//.test(about) && target.includes('.');
}

export const cause = defineCause({
  id: 'cluster-dns-unanswered',
  area: 'network',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'not-ready', 'init-stuck', 'init-crash', 'failed', 'other-trouble'],
  effectOf: [
    'kube-proxy-down-or-mode-unsupported',
    'overlay-traffic-blocked',
    'firewalld-or-security-agent-interferes',
    'ip-forward-or-rp-filter',
    'networkpolicy-blocks',
    'networkpolicy-default-deny',
    'conntrack-or-arp-table-full',
  ],
  wakesOn: [on('net.attempt', { result: 'unresolved' })],

  text: {
    name: 'Cluster DNS does not answer',
    title: 'The cluster DNS {server} does not answer {workload} ({error}): no name can be looked up',
    why: '{workload} asks the cluster DNS (Service kube-dns, pods coredns) for {name} and {how}. Nothing that has to be looked up can be reached, so it fails at its start. The program and what it wants to reach need not be at fault.',
  },

  clues: {
    refused: proves(refused),
    timeout: supports(timeout),
    ownName: supports(ownName),
    unresolved: supports(unresolved),
    bare: supports(bare),
    noServer: supports(noServer),
    dig: supports(dig),
    unknown: supports('net.attempt', isOwnNameUnknown),
    outside: supports('net.attempt', isNameUnknown),
    resolves: excludes(resolves),
    answered: excludes(answered),
    well: excludes('pod.status', isWell),
  },
  says: {
    refused: '{server} refuses on port 53: no CoreDNS pod is ready behind the Service',
    timeout: 'a query to {server} was not answered: {error}',
    ownName: 'a query to {server} for the name of a Service was not answered: {error}',
    unresolved: 'the resolver gave up: temporary failure in name resolution',
    bare: 'looking up {name} timed out',
    noServer: 'a look-up reached no DNS server',
    dig: 'dig gets no answer from {server}: {error}',
    unknown: 'the cluster DNS does not even resolve {target}',
    outside: 'a name does not resolve in the pod: {target}',
    resolves: 'it answers for names of the cluster',
    answered: 'the DNS server answers: the name does not exist',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { refused: no, timeout: slowly, ownName: own, unresolved: failed, bare: slow, dig: dug, unknown }) => {
    const names = namesOf(place);
    const late = slowly ?? own;
    const error = no
      ? 'connection refused'
      : (late?.fields['error']?.replace(/^(?:read|connect): /, '') ?? dug?.fields['error'] ?? 'no answer');
    return {
      workload: place.kind === 'Workload' && place.name !== '?' ? place.name : 'the program',
      namespace: names.namespace,
      server: no?.fields['server'] ?? late?.fields['server'] ?? dug?.fields['server'] ?? unknown?.server ?? '(Service kube-dns)',
      name: no?.fields['name'] ?? late?.fields['name'] ?? failed?.fields['name'] ?? slow?.fields['name'] ?? unknown?.target ?? 'a name',
      target: unknown?.target ?? 'kubernetes.default',
      error,
      how: no
        ? 'the Service refuses the connection, which it does when no CoreDNS pod is ready'
        : 'gets no answer: CoreDNS is down or overloaded, or packets from this node to its pods are lost (kube-proxy, firewall, overlay network, NetworkPolicy)',
    };
  },

  fixes: [
    {
      say: 'See whether CoreDNS runs and has endpoints',
      risk: 'reads-only',
      steps: [
        {
          say: 'pods, Service and endpoints of the cluster DNS',
          run: 'kubectl -n kube-system get pods,service,endpoints -l k8s-app=kube-dns -o wide',
          on: 'cluster',
        },
        { say: 'what it says', run: 'kubectl -n kube-system logs -l k8s-app=kube-dns --tail=30', on: 'cluster' },
        {
          say: 'ask it from a pod: by its Service, then by the address of one CoreDNS pod',
          run: 'kubectl run probe --rm -it --restart=Never --image=busybox:1.36 -- nslookup kubernetes.default',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Bring CoreDNS up: its own events and log name what stops it',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'Pending, CrashLoopBackOff or 0/1 pods first',
          run: 'kubectl -n kube-system describe pods -l k8s-app=kube-dns',
          on: 'cluster',
        },
        { say: 'too few or overloaded: scale it', run: 'kubectl -n kube-system scale deployment coredns --replicas=3', on: 'cluster' },
      ],
      verified: 'nslookup kubernetes.default answers in a pod on every node',
    },
    {
      say: 'If CoreDNS is well and a query to its pod works, but not to its Service: kube-proxy. If only some nodes fail: the network between nodes',
      risk: 'reads-only',
      steps: [
        { say: 'kube-proxy on the node of the pod', run: 'kubectl -n kube-system logs -l k8s-app=kube-proxy --tail=20', on: 'cluster' },
        { say: 'policies that forbid port 53', run: 'kubectl -n {{namespace}} get networkpolicy', on: 'cluster' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'Go net (DNSError); getaddrinfo(3) EAI_AGAIN',
    'kubernetes.io docs: debugging DNS resolution',
    'kubernetes pkg/proxy/iptables (REJECT without endpoints)',
  ],
});
