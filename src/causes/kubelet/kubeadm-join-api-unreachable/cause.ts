import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const unreachable = line(
  [
    "couldn't validate the identity of the API Server",
    'failed to request cluster-info',
    'failed to request the cluster-info ConfigMap',
    'unable to fetch the kubeadm-config ConfigMap',
    'Failed to connect to API Server',
    'Failed to request cluster info',
    'configmaps/cluster-info',
    'configmaps/kubeadm-config',
  ],
  'kubeadm-output',
  /(?:cluster[- ]info|kubeadm-config|identity of the API Server|connect to API Server)[^\n]{0,300}?(?:https:\/\/(?<server>[^\s/\\"“”]{3,253})\/|dial tcp (?<address>[\w.:[\]-]{3,120}?):? )[^\n]{0,300}?(?<error>connection refused|i\/o timeout|no route to host|network is unreachable|no such host|Client\.Timeout exceeded|context deadline exceeded|request canceled while waiting for connection|TLS handshake timeout|connection timed out|connection reset by peer|EOF)/i,
);
const cannotPort = line(
  [
    'failed to connect to cluster-info',
    'Failed to validate connection to cluster',
    'failed to validate connection to cluster',
    'failed to get CA certs',
  ],
  ['system-log', 'kubelet-log'],
  /(?:validate connection to cluster at https:\/\/(?<server>[^\s/\\"“”:]{3,253}(?::\d{2,5})?)|failed to get CA certs)[^\n]{0,300}?(?<error>connection refused|i\/o timeout|no route to host|network is unreachable|no such host|context deadline exceeded|connection reset by peer)/i,
);
const firewall = line(['firewalld is active', 'WARNING Firewalld'], 'kubeadm-output', /\[WARNING Firewalld\]/);
const proxied = line(
  ['is via proxy', 'HTTPProxy'],
  'kubeadm-output',
  /\[WARNING HTTPProxy(?:CIDR)?\]: [Cc]onnection to [^\n]{0,80}?(?:uses|via) proxy [\\"“”]{0,4}(?<proxy>[^\s"\\“”]{3,120})/,
);
const otherFault = line(
  ['x509: certificate', 'JWS signature', 'Unauthorized', 'is invalid for this cluster or it has expired'],
  [],
  /(?:cluster-info|kubeadm-config|CA certs|token)[^\n]{0,400}?(?:x509: certificate|JWS signature|Unauthorized|has expired)/i,
);
const joined = line('This node has joined the cluster', []);

export const cause = defineCause({
  id: 'kubeadm-join-api-unreachable',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],
  effectOf: [
    'apiserver-down',
    'http-proxy-takes-cluster-traffic',
    'apiserver-flag-or-manifest-error',
    'control-plane-cert-expired',
    'etcd-corrupt-or-data-lost',
    'etcd-no-quorum-or-slow',
  ],

  text: {
    name: 'Join cannot reach API server',
    title: 'The API server at {server} is not reached from {node}, which is to join the cluster: {error}',
    why: 'kubeadm join (or the k3s/rke2 agent) first reads the cluster information from {server} over TCP; no answer comes ({error}). {meaning} Nothing is wrong with the token yet: it was never checked.',
  },

  clues: {
    unreachable: proves(unreachable),
    agent: proves(cannotPort),
    firewall: supports(firewall),
    proxied: supports(proxied),
    otherFault: excludes(otherFault),
    joined: excludes(joined),
  },
  says: {
    unreachable: 'kubeadm cannot read cluster-info from {server}: {error}',
    agent: 'the agent cannot reach the server {server}: {error}',
    firewall: 'firewalld is active on the host',
    proxied: 'the call goes through the proxy {proxy}',
    otherFault: 'the API server was reached; certificate or token is at fault',
    joined: 'the node has joined',
  },
  slots: (place, { unreachable: said, agent, proxied: through }) => {
    const fact = said ?? agent;
    const error = fact?.fields['error'] ?? 'no answer';
    return {
      node: place.name,
      server: fact?.fields['server'] ?? fact?.fields['address'] ?? 'the control plane',
      error,
      proxy: through?.fields['proxy'] ?? 'a proxy',
      meaning: /refused/i.test(error)
        ? 'The machine answers but nothing listens on that port: the API server is down, or address and port are wrong.'
        : /no such host/i.test(error)
          ? 'The name of the control-plane endpoint is not resolved on this node (DNS or /etc/hosts).'
          : 'Packets are dropped on the way: a firewall or security group does not allow the port (6443, k3s 6443, rke2 9345), a wrong or private address, no route, or a proxy in between.',
    };
  },

  fixes: [
    {
      say: 'Test the way from {node} to {server}',
      risk: 'reads-only',
      steps: [
        { say: 'any HTTP answer means that it is reached', run: 'curl -k -m 5 https://{{server}}/livez; env | grep -i proxy', on: 'node' },
        { say: 'on the control plane: does it listen, on which address', run: 'ss -lntp | grep -E ":6443|:9345"; ip -4 addr', on: 'node' },
      ],
    },
    {
      say: 'Open TCP 6443 from the nodes to the control plane: firewall, security group, load balancer',
      risk: 'touches-node',
      steps: [
        {
          say: 'firewalld on the control plane',
          run: 'firewall-cmd --permanent --add-port=6443/tcp --add-port=2379-2380/tcp --add-port=10250/tcp && firewall-cmd --reload',
          on: 'node',
          family: 'rhel',
        },
        { say: 'ufw on the control plane', run: 'ufw allow 6443/tcp && ufw allow 10250/tcp', on: 'node', family: 'debian' },
        { say: 'in a cloud: allow TCP 6443 in the security group of the control plane; then join again', on: 'node' },
      ],
      verified: 'curl from {node} gets an answer, and kubeadm join goes on',
    },
    {
      say: 'Use the right address, or exempt it from the proxy',
      risk: 'touches-node',
      for: ['proxied'],
      steps: [
        { say: 'a join command with the address in force', run: 'kubeadm token create --print-join-command', on: 'node' },
        { say: 'without proxy', run: 'unset http_proxy https_proxy HTTP_PROXY HTTPS_PROXY', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes cmd/kubeadm/app/discovery/token/token.go', 'k3s pkg/daemons/agent'],
});
