import { defineCause, excludes, line, minutes, on, supports } from '../../define-cause.ts';

const PATTERN =
  /plugin\/errors: \d (?<name>[\w.*-]{1,253}) (?<type>[A-Z]{1,10}): (?:read|write|dial) (?:udp|tcp)(?: (?<from>[\d.:[\]a-f]{3,60})(?:->(?<server>[\d.:[\]a-f]{3,60}?):53)?)?: (?<error>i\/o timeout|read: connection refused|read: no route to host|connect: [a-z ]{8,40}|[a-z ]{8,40})/;

const unanswered = line(['plugin/errors: '], 'container-log', PATTERN);
const noUpstream = line(
  ['no healthy upstream', 'unreachable backend', 'no upstream host', 'plugin/forward: no next', 'concurrent queries exceeded maximum'],
  'container-log',
  /plugin\/(?:forward|errors)[^\n]{0,200}?(?:no healthy upstream|unreachable backend|no upstream host|concurrent queries exceeded maximum \d{1,9})/,
);
const probe = supports('net.attempt', ({ port, result }) => port === 53 && /^(?:timed-out|no-route|refused|unreachable)$/.test(result));
/** Asked in a pod, or nobody knows where; a node has servers of its own. */
const OUTSIDE = /^(?!.*\.(?:local|internal|svc|lan|corp|home|localdomain)\.?$)[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}\.?$/;
/** Two labels are the name of a Service and its namespace, unless the second is a domain. */
const TWO_LABELS =
  /^[\w-]{1,63}\.(?!(?:com|org|net|io|dev|cn|ru|jp|kr|de|fr|eu|uk|us|co|me|app|cloud|ai|gov|edu|info|xyz|tech)\.?$)[\w-]{1,63}\.?$/;
const IN_POD = /^(?:Pod\/|Container\/|Node\/\?$)/;
const outside = supports(
  'net.attempt',
  ({ about, target, result }) =>
    result === 'unresolved' &&
    IN_POD.test(about) &&
    OUTSIDE.test(target) &&
    !TWO_LABELS.test(target) &&
    !/^kubernetes\.|^[\d.]+$/.test(target),
);
const inside = supports(
  'net.attempt',
  ({ about, tool, target, result }) =>
    result === 'ok' && IN_POD.test(about) && tool === 'nslookup' && /^kubernetes(?:\.default|$)|\.svc(?:\.|$)/.test(target),
);
/** An answer without an address is an answer. */
const answered = line(["*** Can't find "], [], /\*\*\* Can't find [\w.-]{1,253}: No answer/);
const loop = line(['plugin/loop: Loop', 'plugin/loop: Forwarding loop'], 'container-log');

export const cause = defineCause({
  id: 'coredns-upstream-unreachable',
  area: 'network',
  at: 'Workload',
  maturity: 'stable',
  explains: ['not-ready', 'restarts', 'crash-loop', 'other-trouble'],
  wakesOn: [on('net.attempt', { result: 'unresolved' })],
  effectOf: ['firewalld-or-security-agent-interferes', 'ip-forward-or-rp-filter', 'networkpolicy-blocks', 'overlay-traffic-blocked'],

  text: {
    name: 'DNS upstream does not answer',
    title: 'CoreDNS gets no answer from its upstream DNS server {server}: {error}',
    why: 'CoreDNS answers names of the cluster itself and forwards all others (here {name}) to the servers in the resolv.conf of its node. {server} does not answer packets that come from the pod network ({error}): the address is wrong or out of reach, a firewall drops UDP port 53, or the node does not forward and masquerade pod traffic. So names outside of the cluster do not resolve in pods.',
  },

  clues: {
    unanswered: supports(unanswered),
    noUpstream: supports(noUpstream),
    probe,
    outside,
    inside,
    answered: excludes(answered),
    loop: excludes(loop),
  },
  says: {
    unanswered: 'a query to {server} was not answered: {error}',
    noUpstream: 'CoreDNS finds no healthy upstream server',
    probe: 'an attempt to reach a DNS server on port 53 failed',
    outside: 'a name outside of the cluster does not resolve in a pod: {asked}',
    inside: 'names of the cluster itself do resolve',
    answered: 'the servers do answer, only without an address',
    loop: 'it forwards to itself: a loop',
  },
  slots: (place, { unanswered: said, outside: failed }) => {
    return {
      namespace: place.namespace === undefined || place.namespace === '?' ? 'kube-system' : place.namespace,
      server: said?.fields['server'] ?? 'in its resolv.conf',
      address: said?.fields['server'] ?? 'SERVER',
      error: (said?.fields['error'] ?? 'no answer').replace(/^(?:read|connect): /, ''),
      name: said?.fields['type'] === 'HINFO' ? 'its own test query' : (said?.fields['name'] ?? failed?.target ?? 'a name'),
      asked: failed?.target ?? 'a name',
    };
  },

  fixes: [
    {
      say: 'Ask the upstream server {server} from the node and from a pod',
      risk: 'reads-only',
      steps: [
        { say: 'from the node', run: 'nslookup kubernetes.io {{address}}', on: 'node' },
        {
          say: 'from a pod',
          run: 'kubectl run probe --rm -it --restart=Never --image=busybox:1.36 -- nslookup kubernetes.io {{address}}',
          on: 'cluster',
        },
        {
          say: 'what CoreDNS forwards to',
          run: "kubectl -n {{namespace}} get configmap coredns -o jsonpath='{.data.Corefile}' | grep -n forward",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Forward to DNS servers that answer: in the resolv.conf of the nodes, or in the Corefile',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'forward . 10.0.0.2 (your own servers) in place of forward . /etc/resolv.conf',
          run: 'kubectl -n {{namespace}} edit configmap coredns',
          on: 'cluster',
        },
        { say: 'start it anew', run: 'kubectl -n {{namespace}} rollout restart deployment coredns', on: 'cluster' },
      ],
      verified: 'nslookup of an outside name works in a pod',
    },
    {
      say: 'If the node reaches the server and pods do not: let pod traffic out',
      risk: 'touches-node',
      steps: [
        { say: 'forwarding', run: 'sysctl -w net.ipv4.ip_forward=1', on: 'node' },
        { say: 'masquerading of the pod network', run: 'iptables -t nat -S POSTROUTING | grep -iE "masq|flannel|cali|cilium"', on: 'node' },
        { say: 'firewalls and security groups: UDP and TCP port 53 to {server}' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['coredns plugin/errors', 'coredns plugin/forward'],
});
