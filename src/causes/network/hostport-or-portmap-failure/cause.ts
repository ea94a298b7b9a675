import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log'] as const;

const portmap = line(
  ['CNI-HOSTPORT', 'type="portmap"', 'type=\\"portmap', 'unable to create chain CNI-', 'failed to set up portmap'],
  CHANNELS,
  /(?:plugin type=[\\"“”]{1,8}portmap[\\"“”]{1,8}(?: name=\S{1,100})? failed \((?:add|delete)\)|unable to (?:create|setup|set up) chain CNI-\w{3,40}|failed to set up portmap)(?<rest>[^\n]{0,400})/,
);
const hostport = line(
  ['cannot open hostport', 'failed to add hostport mapping', 'port is already allocated', 'failed to ensure that nat chain KUBE-HOSTPORTS'],
  [...CHANNELS, 'docker-log'],
  /(?:cannot open hostport (?<port>\d{1,5})|failed to add hostport mapping|Bind for [\d.:[\]]{1,50}:(?<bound>\d{1,5}) failed: port is already allocated|failed to ensure that nat chain KUBE-HOSTPORTS)(?<rest>[^\n]{0,300})/,
);
const tool = supports('host.tool', ({ name, present }) => name === 'iptables' && !present);
const missing = line('failed to find plugin', ['pod-events', 'kubelet-log'], /failed to find plugin [\\"“”]{1,8}portmap/);

function reasonOf(rest: string): string {
  if (/executable file not found|no such file or directory/i.test(rest) && /iptables|nft/.test(rest))
    return 'iptables is not installed on the node';
  if (/address already in use|already allocated/.test(rest)) return 'the host port is taken by another program';
  if (/xtables lock|Resource temporarily unavailable/i.test(rest)) return 'another program holds the xtables lock';
  if (/Couldn't load|does not exist|No chain|incompatible|insmod|RULE_|not supported|exit status [1-4]/i.test(rest))
    return 'iptables on the node does not accept the rule (kernel module missing, or legacy and nft mixed)';
  return 'the rules for the host port cannot be written';
}

export const cause = defineCause({
  id: 'hostport-or-portmap-failure',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'stuck-terminating', 'create-error', 'other-trouble'],
  effectOf: ['kernel-too-old-or-module-missing', 'host-process-collision'],

  text: {
    name: 'Host port cannot be mapped',
    title: 'The host port {port} of the pod cannot be mapped on {node}: {reason}',
    why: 'A container asks for a hostPort. The portmap CNI plugin (or the runtime) must write iptables rules on {node} that lead the port to the pod, and that fails: {reason}. Only pods with a hostPort are hit (where the plugin stands in the chain, all pods of the node).',
  },

  clues: {
    portmap: proves(portmap),
    hostport: proves(hostport),
    tool,
    missing: excludes(missing),
  },
  says: {
    portmap: 'the portmap plugin fails: {reason}',
    hostport: 'the runtime cannot open host port {port}: {reason}',
    tool: 'iptables is not installed on the node',
    missing: 'the portmap plugin is not installed at all',
  },
  slots: (place, { portmap: plugin, hostport: opened, tool: none }) => ({
    node: place.name,
    port: opened?.fields['port'] ?? opened?.fields['bound'] ?? 'asked for',
    command:
      none || /iptables[^\n]{0,80}executable file not found/.test(`${plugin?.fields['rest'] ?? ''}${opened?.fields['rest'] ?? ''}`)
        ? 'iptables'
        : '',
    reason: none
      ? 'iptables is not installed on the node'
      : reasonOf(
          `${plugin?.fields['rest'] ?? ''} ${opened ? 'hostport' : ''} ${opened?.fields['rest'] ?? ''}${opened?.fields['bound'] === undefined ? '' : ' already allocated'}`,
        ),
  }),

  fixes: [
    {
      say: 'See what stands in the way',
      risk: 'reads-only',
      steps: [
        {
          say: 'which iptables, and whether it works',
          run: 'iptables --version; iptables -t nat -S | head -5; nft list tables 2>/dev/null',
          on: 'node',
        },
        { say: 'who listens on the port', run: "ss -lntup | grep -w ':{{port}}'", on: 'node' },
        {
          say: 'which pods want host ports',
          run: 'kubectl get pods -A -o jsonpath=\'{range .items[?(@..hostPort)]}{.metadata.namespace}/{.metadata.name} {..hostPort}{"\\n"}{end}\'',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Install iptables and load its modules on {node}',
      risk: 'touches-node',
      for: ['portmap'],
      steps: [
        { say: 'the package', run: 'apt-get install -y iptables', on: 'node', family: 'debian' },
        { say: 'the package', run: 'dnf install -y iptables-nft || dnf install -y iptables', on: 'node', family: 'rhel' },
        { say: 'the package', run: 'zypper install -y iptables', on: 'node', family: 'suse' },
        { say: 'modules the rules need', run: 'modprobe -a ip_tables iptable_nat xt_comment xt_mark xt_multiport nf_nat', on: 'node' },
        {
          say: 'one kind for all: host and containers must both use nft or both legacy',
          run: 'update-alternatives --config iptables',
          on: 'node',
          family: 'debian',
        },
      ],
      changes: [
        {
          do: 'package',
          names: { debian: 'iptables', rhel: 'iptables', suse: 'iptables', alpine: 'iptables', arch: 'iptables' },
          command: '{{command}}',
        },
      ],
      verified: 'the sandbox is created and the port answers on {node}',
    },
    {
      say: 'Free the port, or do without hostPort (use a NodePort or LoadBalancer Service)',
      risk: 'restarts-pods',
      for: ['hostport'],
      steps: [
        {
          say: 'stop what holds the port on {node}, or remove hostPort from the pod template',
          run: 'kubectl -n NAMESPACE edit deployment NAME',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'containernetworking/plugins plugins/meta/portmap',
    'kubernetes (until 1.23) pkg/kubelet/dockershim/network/hostport',
    'cri-o internal/hostport',
  ],
});
