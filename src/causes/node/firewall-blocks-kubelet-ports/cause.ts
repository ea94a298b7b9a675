import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const dial = line(
  [
    ':10250: i/o timeout',
    ':10250: connect: no route to host',
    ':10250: connect: connection timed out',
    ':10250: connect: network is unreachable',
  ],
  ['container-log', 'control-plane-log', 'object-events'],
  /dial tcp (?<host>[\w.-]{1,253}|\[[\da-fA-F:]{2,60}\]):10250: (?<error>i\/o timeout|connect: (?:no route to host|connection timed out|network is unreachable))/,
);
const slow = line(
  [':10250/metrics', ':10250/stats', ':10250/containerLogs', ':10250/exec', ':10250/pods'],
  ['container-log', 'control-plane-log'],
  /https:\/\/(?<host>[\w.-]{1,253}|\[[\da-fA-F:]{2,60}\]):10250\/(?:metrics|stats|containerLogs|exec|pods)[^\s"\\]{0,200}[\\"]{0,4}: (?<error>context deadline exceeded|net\/http: (?:request canceled|TLS handshake timeout)[^\n"\\]{0,60})/,
);
const backend = line(
  ['error dialing backend: dial tcp', 'error dialing backend: dial timeout'],
  ['control-plane-log', 'container-log'],
  /error dialing backend: dial (?:tcp (?<host>[\w.:-]{1,253}): )?(?:i\/o timeout|timeout|connect: no route to host)/,
);
const rule = line(
  ['icmp-host-prohibited', 'icmp-admin-prohibited', 'icmp type host-prohibited'],
  ['host-state', 'host-tools'],
  /REJECT[^\n]{0,80}icmp-(?:host|admin)-prohibited|reject with icmp type (?:host|admin)-prohibited/i,
);
const refused = line(':10250: connect: connection refused', []);
const tls = line('remote error: tls', [], /:10250[\s\S]{0,300}?remote error: tls/);
const webhook = line('failed calling webhook', [], /failed calling webhook[\s\S]{0,400}?:10250/);

export const cause = defineCause({
  id: 'firewall-blocks-kubelet-ports',
  area: 'node',
  at: 'Node',
  maturity: 'stable',
  explains: ['not-ready', 'crash-loop', 'restarts', 'other-trouble'],
  effectOf: ['node-unreachable'],

  text: {
    name: 'Kubelet port is blocked',
    title: 'Port 10250 of the kubelet at {host} cannot be reached: {error}',
    why: 'kubectl logs, exec, port-forward and metrics-server all go through port 10250 of the kubelet. Packets to {host}:10250 get no answer ({error}): a firewall (firewalld, ufw, iptables, nftables), a security group of the cloud or a wrong node address stands between. The pods themselves run; only what asks the kubelet fails.',
  },

  clues: {
    dial: proves(dial),
    backend: proves(backend),
    slow: supports(slow),
    rule: supports(rule),
    firewalld: supports('unit.state', ({ unit, active }) => /^(?:firewalld|ufw)(?:\.service)?$/.test(unit) && active === 'active'),
    refused: excludes(refused),
    tls: excludes(tls),
    webhook: excludes(webhook),
    silent: excludes('node.condition', ({ type, status }) => type === 'Ready' && status === 'Unknown'),
  },
  says: {
    dial: 'a connection to {host}:10250 ends with: {error}',
    backend: 'the API server cannot reach the kubelet: error dialing backend',
    slow: 'a request to {host}:10250 gets no answer in time',
    rule: 'a firewall is active or rejects packets',
    firewalld: 'firewalld or ufw runs on the host',
    refused: 'the port refuses: the kubelet does not listen',
    tls: 'the port is reached; the certificate is at fault',
    webhook: 'it is the port of a webhook, not of a kubelet',
    silent: 'the whole node is silent, not just the port',
  },
  slots: (place, { dial: failed, backend: api, slow: late }) => {
    const host = failed?.fields['host'] ?? api?.fields['host']?.replace(/:10250$/, '') ?? late?.fields['host'] ?? place.name;
    return { host, error: failed?.fields['error'] ?? late?.fields['error'] ?? 'timeout' };
  },

  fixes: [
    {
      say: 'Test the port from a control-plane node and from a pod',
      risk: 'reads-only',
      steps: [
        { say: 'from a control-plane node', run: 'nc -vz -w3 {{host}} 10250', on: 'node' },
        {
          say: 'rules of the node',
          run: 'firewall-cmd --list-all 2>/dev/null; ufw status 2>/dev/null; iptables -S INPUT; nft list ruleset 2>/dev/null | grep -nE "reject|drop"',
          on: 'node',
        },
      ],
    },
    {
      say: 'Open TCP 10250 on the node and in the security groups of the cloud, from control plane, nodes and pods',
      risk: 'touches-node',
      steps: [
        { say: 'firewalld', run: 'firewall-cmd --permanent --add-port=10250/tcp && firewall-cmd --reload', on: 'node', family: 'rhel' },
        { say: 'ufw', run: 'ufw allow 10250/tcp', on: 'node', family: 'debian' },
        { say: 'the other ports of Kubernetes too: 6443, 2379-2380, 10257, 10259, 10256, 30000-32767, and those of the network plugin' },
      ],
      verified: 'kubectl logs of a pod on {host} and kubectl top nodes answer',
    },
    {
      say: 'Or switch the firewall of the host off, where another one protects the network',
      risk: 'touches-node',
      steps: [
        { say: 'restart the network plugin afterwards, its rules may be gone', run: 'systemctl disable --now firewalld', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes website: reference/networking/ports-and-protocols', 'metrics-server issue 457', 'kubeadm issue 1520'],
});
