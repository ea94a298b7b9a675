import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['objects', 'control-plane-log', 'container-log', 'object-events'] as const;

const noAgent = line(
  ['No agent available', 'No SSH tunnels currently open', 'no backend connection available'],
  SAID_BY,
  /(?:error dialing backend|failed (?:calling|to call) webhook|proxy error|dial)[^\n]{0,300}?(?<error>No agent available|No SSH tunnels currently open|no backend connection available)/,
);
const socket = line(
  ['konnectivity-server.socket', 'konnectivity-uds'],
  SAID_BY,
  /dial unix [^\s:]{0,200}konnectivity[^\s:]{0,100}: (?<error>[^\n"]{5,120})/,
);
const agent = line(
  ['cannot connect once', 'error when connecting to proxy server', 'failed to connect to proxy server'],
  ['container-log'],
  /(?:cannot connect once|error when connecting to proxy server|failed to connect to proxy server)[":]{0,3} ?(?:err(?:or)?[=:] ?)?"?(?<error>[^\n]{5,300})/i,
);
const direct = line(['error dialing backend: dial tcp'], [], /error dialing backend: dial tcp [\d.]{7,15}:10250/);

export const cause = defineCause({
  id: 'control-plane-tunnel-down',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'not-ready', 'no-pods'],

  text: {
    name: 'Tunnel to the nodes is down',
    title: 'The control plane has no tunnel to the nodes: {error}',
    why: 'Where the control plane stands apart from the nodes (GKE, AKS, Kamaji and others), it reaches kubelets, webhooks and aggregated APIs only through a tunnel, which konnectivity-agent pods in the cluster open from inside. No agent is connected ({error}), so kubectl logs, exec and port-forward, webhooks and metrics fail, while pods run on. The agents are pods themselves: no node has room for them, their nodes are gone, or a firewall or proxy stops their way out (port 8132 or 443).',
  },

  clues: {
    noAgent: proves(noAgent),
    socket: proves(socket),
    agent: supports(agent),
    direct: excludes(direct),
  },
  says: {
    noAgent: 'the API server says that no tunnel is open: {error}',
    socket: 'the API server does not reach its konnectivity server: {error}',
    agent: 'an agent cannot connect: {error}',
    direct: 'the API server calls the kubelet directly, without a tunnel',
  },
  slots: (_place, { noAgent: none, socket: local, agent: outward }) => ({
    error: (none ?? local ?? outward)?.fields['error']?.trim().slice(0, 160) ?? 'no agent is connected',
  }),

  fixes: [
    {
      say: 'See whether the agents run, and on which nodes',
      risk: 'reads-only',
      steps: [
        {
          say: 'konnectivity-agent (GKE, AKS, Kamaji, k0s), tunnelfront (old AKS)',
          run: 'kubectl -n kube-system get pods -o wide | grep -E "konnectivity|tunnel"; kubectl get nodes',
          on: 'cluster',
        },
        { say: 'why they do not run', run: 'kubectl -n kube-system describe pods -l k8s-app=konnectivity-agent', on: 'cluster' },
      ],
    },
    {
      say: 'Give the agents a ready node and a way out, then start them anew',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'room on a node without a taint they do not tolerate; outgoing TCP to the address of the control plane (8132, 443) open',
          run: 'kubectl -n kube-system rollout restart deployment/konnectivity-agent || kubectl -n kube-system rollout restart daemonset/konnectivity-agent',
          on: 'cluster',
        },
      ],
      verified: 'kubectl logs answers again',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'apiserver-network-proxy pkg/server/backend_manager.go (ErrNotFound), pkg/agent/client.go',
    'kubernetes pkg/master/tunneler (up to 1.21)',
  ],
});
