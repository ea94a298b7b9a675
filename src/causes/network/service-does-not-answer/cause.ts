import type { Fact } from '../../../model/facts.ts';
import { defineCause, excludes, line, minutes, namesOf, on, proves, supports } from '../../define-cause.ts';

const PRIVATE = /^(?:10\.\d{1,3}|172\.(?:1[6-9]|2\d|3[01])|192\.168|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.\d{1,3}\.\d{1,3}$/;
/** A name without a dot, with a namespace, or in full. */
const NAME = /^(?!localhost$)(?:[a-z][\w-]{0,62}|[a-z][\w-]{0,62}\.[a-z][\w-]{0,62}|[\w.-]{1,200}\.svc(?:\.[\w.-]{1,100})?)$/;
const KNOWN_ENDS = /\.(?:com|org|net|io|dev|cn|ru|jp|kr|de|fr|eu|uk|us|co|me|app|cloud|ai|gov|edu|info|local|internal|lan)$/;
/** The API server, its store, the kubelet, DNS and ssh have causes of their own. */
const OTHERS = new Set([22, 53, 179, 2379, 2380, 6443, 10_250]);

function isNodePort(port: number | undefined): boolean {
  return port !== undefined && port >= 30_000 && port <= 32_767;
}

function isOfCluster({ tool, target, port }: Fact<'net.attempt'>): boolean {
  if (tool === 'ping' || tool === 'nslookup' || tool === 'dig' || tool === 'mount' || tool === 'rpc' || tool === 'ssh') return false;
  if (port !== undefined && OTHERS.has(port)) return false;
  if (target === '?') return true;
  if (isNodePort(port)) return !/^(?:127\.|localhost$)/.test(target);
  return PRIVATE.test(target) || (NAME.test(target) && !KNOWN_ENDS.test(target.replace(/\.cluster\.local$/, '')));
}

/** `kubectl port-forward` connects inside of the pod: nobody listens there. */
const forwarded = line(
  ['error forwarding port', 'inside namespace'],
  ['host-tools', 'objects', 'control-plane-log'],
  /error forwarding port (?<port>\d{1,5}) to pod [^\n]{1,400}?(?:connection refused|Connection refused)/,
);

/** Service addresses are rules of kube-proxy for ports: most clusters do not answer ping there. */
function isServicePinged({ tool, target, result }: Fact<'net.attempt'>): boolean {
  return tool === 'ping' && result !== 'ok' && result !== 'unresolved' && /\.svc(?:\.|$)/.test(target);
}

const RESULTS = new Set(['refused', 'timed-out', 'no-route', 'unreachable', 'reset']);

function isLost(fact: Fact<'net.attempt'>): boolean {
  return RESULTS.has(fact.result) && isOfCluster(fact);
}

/** What the way of failing speaks for, likeliest first. */
const WAYS: Readonly<Record<string, string>> = {
  refused:
    'a refusal comes at once: the Service has no ready endpoint, its targetPort is not the port the program listens on, or the program listens on 127.0.0.1 only',
  'timed-out':
    'packets get lost on the way: kube-proxy on the node, a NetworkPolicy, a firewall or security group between the nodes, a pod network that overlaps another one, or a tunnel with too large an MTU',
  'no-route': 'somebody on the way says no: mostly a host firewall (firewalld, REJECT) or a missing route to the pod network',
  unreachable: 'there is no route at all: no default route, or no IPv6 (IPv4) on this side',
  reset:
    'the connection comes about and is cut: the program crashes on the request, speaks another protocol (TLS or plain), or a proxy (mesh sidecar) on one side wants mutual TLS',
};
const NODE_PORT: Readonly<Record<string, string>> = {
  refused:
    'nothing answers on that node port: it is not the nodePort of a Service, kube-proxy does not run on that node, or the Service has no ready endpoint',
  'timed-out':
    'packets to that node port get lost: a firewall or security group (open 30000-32767), externalTrafficPolicy: Local on a node without a pod of the Service, or the way from that node to the pod (overlay network, ip_forward, MTU)',
};

export const cause = defineCause({
  id: 'service-does-not-answer',
  area: 'network',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'not-ready'],
  effectOf: [
    'service-selects-no-ready-pods',
    'networkpolicy-blocks',
    'networkpolicy-default-deny',
    'kube-proxy-down-or-mode-unsupported',
    'overlay-traffic-blocked',
    'firewalld-or-security-agent-interferes',
    'ip-forward-or-rp-filter',
    'external-traffic-policy-local',
    'pod-network-overlaps-host-route',
    'mtu-mismatch',
    'flannel-br-netfilter-missing',
    'conntrack-or-arp-table-full',
    'pod-gateway-unreachable',
    'iptables-backends-mixed',
    'cluster-dns-unanswered',
  ],
  wakesOn: [
    on('net.attempt', { result: 'refused' }),
    on('net.attempt', { result: 'timed-out' }),
    on('net.attempt', { result: 'no-route' }),
    on('net.attempt', { result: 'unreachable' }),
    on('net.attempt', { result: 'reset' }),
  ],

  text: {
    name: 'Service does not answer',
    title: '{target} does not answer ({result}): {short}',
    why: 'The attempt shows how it fails, not yet why. {what}. Look in this order: endpoints of the Service, the port of the pod itself, then the Service address, then the same from a pod on another node; the first step that fails names the fault.',
  },

  clues: {
    attempt: supports('net.attempt', isLost),
    forwarded: proves(forwarded),
    pinged: supports('net.attempt', isServicePinged),
    empty: supports(
      'object.status',
      ({ about, status }) => status === '<none>' && /^Object\/(?:Service|Endpoints|EndpointSlice)\//.test(about),
    ),
    through: excludes('net.attempt', (fact) => fact.result === 'ok' && (fact.status ?? 200) < 500 && isOfCluster(fact)),
  },
  says: {
    attempt: 'an attempt to reach {target} failed: {result}',
    forwarded: 'inside the pod nothing listens on port {port}',
    pinged: 'the name of a Service was pinged',
    empty: 'a Service has no endpoints',
    through: 'an attempt got through',
  },
  slots: (place, { attempt: tried, forwarded: refused, pinged }) => {
    const attempt = tried ?? pinged;
    const result = refused ? 'refused' : (attempt?.result ?? 'timed-out');
    const port = attempt?.port ?? (refused?.fields['port'] === undefined ? undefined : Number(refused.fields['port']));
    const target = attempt === undefined || attempt.target === '?' ? (refused ? 'The pod' : 'The server') : attempt.target;
    const fallback = WAYS[result] ?? WAYS['timed-out'] ?? '';
    return {
      namespace: namesOf(place).namespace,
      target: port === undefined ? target : `${target}:${port}`,
      host: attempt === undefined || attempt.target === '?' ? 'HOST' : attempt.target,
      port: port === undefined ? 'PORT' : String(port),
      name: attempt && NAME.test(attempt.target) ? (attempt.target.split('.')[0] ?? 'SERVICE') : 'SERVICE',
      result:
        result === 'timed-out'
          ? 'no answer'
          : result === 'no-route'
            ? 'no route to host'
            : result === 'refused'
              ? 'connection refused'
              : result === 'reset'
                ? 'connection reset'
                : 'network unreachable',
      short: refused
        ? 'nothing listens on that port inside the pod'
        : pinged && !tried
          ? 'the address of a Service does not answer ping by design; try its port'
          : isNodePort(port)
            ? result === 'refused'
              ? 'no such nodePort, kube-proxy, or no endpoint'
              : 'firewall, traffic policy Local, or the network between nodes'
            : result === 'refused'
              ? 'no ready endpoint, or a wrong targetPort'
              : result === 'reset'
                ? 'the program or a proxy cuts the connection'
                : result === 'unreachable'
                  ? 'no route to it'
                  : 'kube-proxy, NetworkPolicy, firewall or the pod network',
      what: refused
        ? 'kubectl port-forward connects to the port inside the pod itself, and nothing listens there: the program uses another port, or is not up yet'
        : pinged && !tried
          ? 'The address of a Service exists only as rules of kube-proxy for its ports; ping proves nothing there'
          : isNodePort(port)
            ? (NODE_PORT[result] ?? fallback)
            : fallback,
    };
  },

  fixes: [
    {
      say: 'Find the step that fails, in this order',
      risk: 'reads-only',
      steps: [
        {
          say: 'the Service and its endpoints: an empty list means that selector or readiness is at fault',
          run: 'kubectl get service,endpointslices -A -o wide | grep -E "{{name}}|{{host}}"',
          on: 'cluster',
        },
        {
          say: 'the program in its own pod: does it listen on 0.0.0.0 and on the targetPort?',
          run: 'kubectl -n {{namespace}} exec POD -- sh -c "ss -lntp || netstat -lnt"',
          on: 'cluster',
        },
        { say: 'the address of the pod, from its own node', run: 'curl -m 3 -v http://POD-IP:TARGET-PORT/', on: 'node' },
        {
          say: 'the Service, from a pod; then the same from a pod on another node: only there it fails means the network between nodes (firewall, MTU)',
          run: 'kubectl run probe --rm -it --restart=Never --image=busybox:1.36 -- nc -zvw3 {{host}} {{port}}',
          on: 'cluster',
        },
        { say: 'policies, of both namespaces', run: 'kubectl get networkpolicies -A', on: 'cluster' },
        {
          say: 'kube-proxy on the node of the caller: does it have rules for the Service?',
          run: 'iptables-save | grep -E "{{name}}|{{host}}" | head; ipvsadm -Ln 2>/dev/null | grep -A3 {{host}}; nft list ruleset 2>/dev/null | grep -m3 {{host}}',
          on: 'node',
        },
      ],
    },
    {
      say: 'If the Service leads to a wrong port or to no pod: correct targetPort and selector',
      risk: 'reads-only',
      steps: [
        {
          say: 'targetPort is the port of the container, port that of the Service',
          run: 'kubectl -n {{namespace}} edit service {{name}}',
          on: 'cluster',
        },
      ],
      verified: '{target} answers from pods on every node',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['kubernetes.io docs: debug Services', 'connect(2) ECONNREFUSED, ETIMEDOUT, EHOSTUNREACH', 'kubernetes pkg/proxy'],
});
