import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const bindFails = line(
  'bind: address already in use',
  'kubelet-log',
  /(?:(?<bundled>init cluster datastore and https|starting kubernetes: preparing server)[^\n]{0,80}?: )?listen tcp[46]? (?<address>[^\s"\\]{0,80}:(?<port>\d{2,5})): bind: address already in use/,
);
const preflight = line(
  ['ERROR Port-10250', 'ERROR Port-10248', 'ERROR Port-10255'],
  'kubeadm-output',
  /\[ERROR Port-(?<port>10250|10248|10255)\]: Port \d{5} is in use/,
);
const holder = line(
  [':10250  ', ':10248  ', ':10255  ', ':10250 (LISTEN)', ':10248 (LISTEN)', ':10255 (LISTEN)'],
  'host-tools',
  /(?:^tcp6?\s+\d{1,8}\s+\d{1,8}\s+\S{0,60}:(?<port>10250|10248|10255)\s+\S{1,60}\s+(?<state>[A-Z_]{4,12})\s+(?:\d{1,8}\/(?<program>[\w.-]{1,40})|-)|\s\S{0,60}:10(?:250|248|255)\s+\S{1,60}\s+users:\(\("(?<user>[\w.-]{1,40})"|^(?<opener>[\w.-]{1,40})\s+\d{1,8}\s[\s\S]{0,120}:10(?:250|248|255) \(LISTEN\))/,
);
const hostPort = line('cannot open hostport', 'kubelet-log');

/** kubeadm ran here before: its own kubelet holds the port. */
const joinedBefore = line(['[ERROR FileAvailable-', 'ERROR FileAvailable'], []);

/** k3s and rke2 are server and kubelet in one. */
const SERVER_PORTS: Readonly<Record<string, string>> = {
  '6443': 'API server',
  '6444': 'k3s API server',
  '9345': 'rke2 server',
  '2379': 'etcd',
  '2380': 'etcd',
};
const KUBELET_PORTS = /^(?:10250|10248|10255|4194)$/;

export const cause = defineCause({
  id: 'kubelet-port-in-use',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'Port of the kubelet taken',
    title: 'Port {port} of the {whose} on {node} is already in use{by}',
    why: 'The {whose} must listen on port {port} of {node} and cannot bind it, because another process holds that port{by}. So it exits, systemd starts it again, and the node flaps or stays NotReady. The holder may be a second kubelet (k3s, microk8s, one started by hand), another server, or just a client connection that got {port} as its ephemeral source port.',
  },

  clues: {
    bindFails: proves(
      bindFails,
      ({ channel, fields }) => channel === 'kubelet-log' || fields['bundled'] !== undefined || KUBELET_PORTS.test(fields['port'] ?? ''),
    ),
    preflight: proves(preflight),
    holder: supports(holder),
    hostPort: excludes(hostPort),
    joinedBefore: excludes(joinedBefore),
  },
  says: {
    bindFails: 'the {whose} cannot listen on {address}: address already in use',
    preflight: 'kubeadm found port {port} in use',
    holder: 'the port is held by {program}',
    hostPort: 'the port is one that a pod asked for (hostPort), not one of the kubelet',
    joinedBefore: 'kubeadm has run on this machine before; its own kubelet holds the port',
  },
  slots: (place, { bindFails: said, preflight: checked, holder: found }) => {
    const port = said?.fields['port'] ?? checked?.fields['port'] ?? found?.fields['port'] ?? '10250';
    const program = found?.fields['program'] ?? found?.fields['user'] ?? found?.fields['opener'];
    const client = found?.fields['state'] !== undefined && found.fields['state'] !== 'LISTEN';
    return {
      node: place.name,
      port,
      whose: SERVER_PORTS[port] ?? 'kubelet',
      address: said?.fields['address'] ?? `port ${port}`,
      program: program === undefined ? 'another process' : `${program}${client ? ', as the ephemeral source port of a connection' : ''}`,
      by: program === undefined ? '' : `: held by ${program}${client ? ' (ephemeral source port of a connection)' : ''}`,
    };
  },

  fixes: [
    {
      say: 'Find out who holds port {port}',
      risk: 'reads-only',
      steps: [
        {
          say: 'listeners and connections with that local port',
          run: 'ss -antp | grep -E ":{{port}}\\b"; ps -ef | grep -E "[k]ubelet|[k]3s|[m]icrok8s|[r]ke2"',
          on: 'node',
        },
      ],
    },
    {
      say: 'Free the port: stop or restart the process that holds it',
      risk: 'touches-node',
      steps: [
        {
          say: 'a second kubelet or another distribution: stop and disable it',
          run: 'systemctl disable --now k3s k3s-agent snap.microk8s.daemon-kubelite 2>/dev/null; systemctl restart kubelet',
          on: 'node',
        },
        {
          say: 'a connection of another program: restart that program, it gets another port',
          run: 'systemctl restart kubelet',
          on: 'node',
        },
      ],
      verified: 'ss shows the kubelet listening on {port}, and it stays active',
    },
    {
      say: 'Keep the ports of Kubernetes out of the ephemeral range, so that it does not happen again',
      risk: 'touches-node',
      steps: [
        {
          say: 'reserve them',
          run: "echo 'net.ipv4.ip_local_reserved_ports = 10248-10259,6443,2379-2380' > /etc/sysctl.d/90-k8s-ports.conf && sysctl --system",
          on: 'node',
        },
        { say: 'and see that the range starts above them', run: 'sysctl net.ipv4.ip_local_port_range', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/server/server.go (ListenAndServeKubeletServer)',
    'kubernetes cmd/kubeadm/app/preflight/checks.go (PortOpenCheck)',
    'Linux Documentation/networking/ip-sysctl (ip_local_reserved_ports)',
  ],
});
