import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const WORDS = [
  'register node with API server',
  'Error updating node status',
  'ensure lease exists',
  'ensure node lease exists',
  'Unable to update node status',
];
const noAnswer = line(
  WORDS,
  'kubelet-log',
  /(?:register node|updat\w{2,3} node status|lease exists)[\s\S]{0,600}?dial tcp(?:: lookup (?<host>[^\s:\\"]{1,253})| (?<address>[\w.:[\]-]{3,80}?):)[\s\S]{0,200}?(?<error>i\/o timeout|no route to host|network is unreachable|connection timed out|no such host|server misbehaving)/i,
);
const silent = line(
  WORDS,
  'kubelet-log',
  /(?:register node|updat\w{2,3} node status|lease exists)[\s\S]{0,300}?https:\/\/(?<address>[^\s/\\"]{1,253})\/[\s\S]{0,400}?(?<error>context deadline exceeded|Client\.Timeout exceeded|TLS handshake timeout|http2: client connection lost)/i,
);
const refused = line(
  WORDS,
  'kubelet-log',
  /(?:register node|updat\w{2,3} node status|lease exists)[\s\S]{0,600}?dial tcp (?<address>[\w.:[\]-]{3,80}?): connect: (?<error>connection refused)/i,
);
/** What it watches besides: the same words, but a restart of the API server brings them too. */
const watches = line(
  ['Failed to list *v1', 'Failed to watch *v1', 'failed to list *v1', 'when waiting for CSINode publishing', 'Failed to update lease'],
  'kubelet-log',
  /(?:[Ff]ailed to (?:list|watch) \*v\d|waiting for CSINode publishing|Failed to update lease)[\s\S]{0,600}?(?:dial tcp(?:: lookup (?<host>[^\s:\\"]{1,253})| (?<address>[\w.:[\]-]{3,80}?):)|read tcp \S{3,80}->(?<peer>[\w.:[\]-]{3,80}?): read:)[\s\S]{0,200}?(?<error>connection reset by peer|connection refused|i\/o timeout|no route to host|network is unreachable|connection timed out|no such host|server misbehaving)/,
);
/** The end of such a line alone, as people cut it out of a journal. */
const cut = line(
  [
    ':6443: connect: no route to host',
    ':6443: i/o timeout',
    ':6443: connect: connection timed out',
    ':6443: connect: network is unreachable',
  ],
  'kubelet-log',
  /^dial tcp (?<address>[\w.[\]-]{3,80}:6443): (?:connect: )?(?<error>no route to host|i\/o timeout|connection timed out|network is unreachable)/,
);
const answers = line(
  ['x509: certificate', 'Unauthorized', 'is not allowed to modify node'],
  'kubelet-log',
  /(?:register node|node status|lease exists|Failed to (?:list|watch)|\/api)[\s\S]{0,400}?(?:x509: certificate|Unauthorized|is not allowed to modify)/,
);

export const cause = defineCause({
  id: 'kubelet-cannot-reach-api',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['node-not-ready', 'kubelet-down', 'other-trouble'],
  effectOf: [
    'control-plane-on-mismatched-runtime',
    'cgroup-driver-kubelet-systemd-runtime-cgroupfs',
    'etcd-no-quorum-or-slow',
    'etcd-corrupt-or-data-lost',
    'etcd-space-quota',
    'control-plane-cert-expired',
    'apiserver-flag-or-manifest-error',
    'apiserver-down',
    'kubelet-static-pod-manifest-broken',
  ],

  text: {
    name: 'API server not reached',
    title: 'The kubelet of {node} cannot reach the API server at {address}: {error}',
    why: 'The kubelet reports its node to the API server at {address} every few seconds; after 40 to 50 seconds of silence the node is marked Unknown (NotReady). Its calls end with {error}. {hint}',
  },

  clues: {
    noAnswer: proves(noAnswer),
    silent: proves(silent),
    refused: supports(refused),
    watches: supports(watches, ({ channel }) => channel === 'kubelet-log'),
    cut: supports(cut),
    unknown: supports(
      'node.condition',
      ({ type, status, reason }) =>
        type === 'Ready' && status === 'Unknown' && /NodeStatusUnknown|NodeStatusNeverUpdated/.test(reason ?? ''),
    ),
    itselfWell: supports('kubelet.health', ({ answer }) => answer === 'well'),
    answers: excludes(answers),
    ready: excludes('node.condition', ({ type, status }) => type === 'Ready' && status === 'True'),
    listedReady: excludes('node.status', ({ status }) => /^Ready(?:,|$)/.test(status)),
  },
  says: {
    noAnswer: 'calls of {address} end with {error}',
    itselfWell: 'the kubelet answers and thinks itself well: only its reports do not arrive',
    silent: 'calls of {address} get no answer in time: {error}',
    refused: 'nothing listens at {address}: connection refused',
    watches: 'what it watches at {address} is not reached: {error}',
    cut: 'a line of the kubelet ends with {address}: {error}',
    unknown: 'the cluster has not heard of the node for a while',
    ready: 'the node is Ready: the calls get through again',
    listedReady: 'the node is listed as Ready: the calls get through again',
    answers: 'the API server answers: it is reached and refuses the kubelet',
  },
  slots: (place, { noAnswer: lost, silent: slow, refused: closed, watches, cut: end }) => {
    const said = lost ?? slow ?? closed ?? watches ?? end;
    return {
      node: place.name,
      address: said?.fields['host'] ?? said?.fields['address'] ?? said?.fields['peer'] ?? 'its address',
      error: said?.fields['error'] ?? 'no answer',
      hint: said?.fields['host']
        ? 'The name of the API server does not resolve on the node: DNS or /etc/hosts.'
        : /^(?:127\.|localhost|\[::1\])/.test(said?.fields['address'] ?? said?.fields['peer'] ?? '')
          ? 'That address is the node itself: a local load balancer there (kube-lb, nginx-proxy, haproxy) passes the calls on to the control plane. It is down, or port 6443 of the control plane is closed to this node (firewall, security group).'
          : said?.fields['error'] === 'connection refused'
            ? 'The host is there but no API server (or load balancer) listens on it: it is down, or the address changed.'
            : 'A firewall, a route or the load balancer in front of the API server loses the packets, or the address has changed. If many nodes say so at once, the control plane itself is down.',
    };
  },

  fixes: [
    {
      say: 'Test the way from {node} to the API server',
      risk: 'reads-only',
      steps: [
        { say: 'an answer of any sort means that the network is well', run: 'curl -k -m 5 https://{{address}}/livez', on: 'node' },
        {
          say: 'the address the kubelet uses',
          run: 'grep -n server: /etc/kubernetes/kubelet.conf; getent hosts {{address}}; ip route',
          on: 'node',
        },
        {
          say: 'on the control plane: does the API server run',
          run: 'crictl ps -a --name kube-apiserver; ss -lntp | grep 6443',
          on: 'node',
        },
      ],
    },
    {
      say: 'Open the way: firewall or security group (TCP 6443), load balancer, DNS or /etc/hosts',
      risk: 'touches-node',
      steps: [
        {
          say: 'where the API server moved, put the new address into kubelet.conf',
          run: "sed -i.before 's#server: https://.*#server: https://ADDRESS:6443#' /etc/kubernetes/kubelet.conf && systemctl restart kubelet",
          on: 'node',
        },
        {
          say: 'where it is down, cure it first; the kubelet comes back by itself',
          run: 'crictl logs --tail=30 $(crictl ps -a --name kube-apiserver -q | head -1)',
          on: 'node',
        },
      ],
      verified: 'the lease of {node} in kube-node-lease is renewed, and the node becomes Ready',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/kubelet_node_status.go',
    'kubernetes staging/src/k8s.io/component-helpers/apimachinery/lease/controller.go',
  ],
});
