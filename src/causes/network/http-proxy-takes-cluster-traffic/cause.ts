import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const CALLERS = [
  'kubeadm-output',
  'pod-events',
  'kubelet-log',
  'containerd-log',
  'container-log',
  'control-plane-log',
  'objects',
  'system-log',
] as const;
const INSIDE = String.raw`(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))(?:\.\d{1,3}){2,3}|localhost|kubernetes\.default|[\w.-]{1,200}\.svc(?:\.[\w.-]{1,60})?`;

/** A call to an address of the cluster that was sent to a proxy, which did not pass it on. */
const misled = line(
  ['proxyconnect tcp'],
  CALLERS,
  new RegExp(
    `https?://(?<target>(?:${INSIDE})(?::\\d{1,5})?)[^\\s]{0,300}?:? proxyconnect tcp: (?:dial tcp (?:lookup )?(?<proxy>[\\w.:[\\]-]{3,120}?): )?(?<error>[^\\n"\\\\]{3,80})`,
  ),
);
/** What a proxy answers to CONNECT is handed on by Go as its bare status; the API server itself says who may not do what. */
const refused = line(
  ['": Forbidden', '": Bad Gateway', '": Service Unavailable', '": Gateway Timeout', '": Proxy Authentication Required'],
  CALLERS,
  new RegExp(
    `\\b(?:Get|Post|Put|Patch|Delete|Head) [\\\\"]{0,4}https://(?<target>(?:${INSIDE})(?::\\d{1,5})?)/[^\\s"\\\\]{0,400}[\\\\"]{1,4}: (?<error>Forbidden|Bad Gateway|Service Unavailable|Gateway Timeout|Proxy Authentication Required)(?:["\\\\]|\\s|$)`,
  ),
);
const warned = line(
  ['[WARNING HTTPProxy'],
  'kubeadm-output',
  /\[WARNING HTTPProxy(?:CIDR)?\]: [Cc]onnection to [\\"“”]{0,4}(?<target>[^\s"\\“”]{3,120})[\\"“”]{0,4} (?:uses|is via) proxy [\\"“”]{0,4}(?<proxy>[^\s"\\“”]{3,120})/,
);
const anyProxy = line(
  ['proxyconnect tcp'],
  CALLERS,
  /(?:Unable to connect to the server|couldn't get current server API group list)[^\n]{0,200}?proxyconnect tcp: (?:dial tcp (?:lookup )?(?<proxy>[\w.:[\]-]{3,120}?): )?(?<error>[^\n"\\]{3,80})/,
);
const tunnel = line(
  ['from proxy after CONNECT', 'CONNECT tunnel failed'],
  ['host-tools', 'container-log', 'prose'],
  /Received HTTP code (?<code>\d{3}) from proxy after CONNECT|CONNECT tunnel failed, response (?<status>\d{3})/,
);
const worked = line(['initialized successfully', 'This node has joined the cluster'], []);

export const cause = defineCause({
  id: 'http-proxy-takes-cluster-traffic',
  area: 'network',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['control-plane-down', 'kubelet-down', 'node-not-ready', 'creating', 'not-ready', 'crash-loop', 'failed', 'other-trouble'],

  text: {
    name: 'Cluster traffic goes to a proxy',
    title: 'Calls to {target}, an address of the cluster, go to the HTTP proxy {proxy}: no_proxy lacks it',
    why: 'HTTP_PROXY and HTTPS_PROXY are set where this program runs, and NO_PROXY does not exempt {target}. So a call that should stay inside the cluster is sent to {proxy}, which cannot reach pods, Services or nodes ({error}). kubeadm also copies these variables into the static pods of the control plane, where webhooks and aggregated APIs then fail.',
  },

  clues: {
    misled: proves(misled),
    refused: proves(refused, notByContainers),
    warned: supports(warned),
    anyProxy: supports(anyProxy),
    tunnel: supports(tunnel),
    worked: excludes(worked),
  },
  says: {
    misled: 'the call to {target} was sent to a proxy and failed there: {error}',
    refused: 'the call to {target} is answered by a proxy: {error}',
    warned: 'kubeadm warns that connections to {target} use a proxy',
    anyProxy: 'kubectl goes by a proxy that does not answer: {error}',
    tunnel: 'a proxy answers the call instead, and refuses it',
    worked: 'kubeadm came to its end well',
  },
  slots: (place, { misled, refused: turnedAway, warned: warning, anyProxy: client, tunnel }) => ({
    node: place.name,
    target: (misled ?? turnedAway)?.fields['target'] ?? warning?.fields['target'] ?? (tunnel ? 'what was asked for' : 'the API server'),
    proxy: misled?.fields['proxy'] ?? warning?.fields['proxy'] ?? client?.fields['proxy'] ?? 'in its environment',
    error: ((misled ?? turnedAway)?.fields['error'] ?? client?.fields['error'] ?? 'no answer from there').trim(),
  }),

  fixes: [
    {
      say: 'See where the proxy is set',
      risk: 'reads-only',
      steps: [
        {
          say: 'in this shell and for every login',
          run: 'env | grep -i proxy; grep -rni proxy /etc/environment /etc/profile.d',
          on: 'node',
        },
        { say: 'for kubelet and runtime', run: 'systemctl show kubelet containerd docker crio --property=Environment', on: 'node' },
        { say: 'in the control plane', run: 'grep -rniE "_proxy" /etc/kubernetes/manifests', on: 'node' },
      ],
    },
    {
      say: 'Add the addresses of the cluster to NO_PROXY everywhere the proxy is set',
      risk: 'touches-node',
      steps: [
        {
          say: 'node network, pod network, Service network, .svc and .cluster.local; some programs take no CIDR: name the addresses themselves for those',
          run: 'export no_proxy=localhost,127.0.0.1,10.96.0.0/12,10.244.0.0/16,NODE-NETWORK,.svc,.cluster.local NO_PROXY=$no_proxy',
          on: 'node',
        },
        {
          say: 'the same for daemons, in a drop-in file of each unit: Environment=NO_PROXY=…',
          run: 'systemctl edit containerd && systemctl daemon-reload && systemctl restart containerd kubelet',
          on: 'node',
        },
        {
          say: 'kubeadm that has given up: start again with the new environment',
          run: 'kubeadm reset -f && kubeadm init',
          on: 'node',
        },
      ],
      verified: 'curl -k https://{target} answers on {node} without a proxy',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['Go net/http Transport (proxyconnect)', 'kubernetes cmd/kubeadm/app/preflight/checks.go (HTTPProxyCheck)'],
});
