import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['host-tools', 'prose', 'container-log'] as const;
/** Kubespray asserts what it needs before it changes anything. */
const assertion = line(
  ['"assertion": "', '"assertion":"', "'assertion': '"],
  SAID_BY,
  /(?:\[(?<host>[\w.-]{1,253})[^\]\n]{0,80}\]: FAILED! => [^\n]{0,200}?)?["']assertion["']: ?["'](?<assertion>[^\n]{3,300}?)["'], ["'](?:changed|evaluated_to|msg)["']/,
);
/** KubeKey looks for the programs that kubeadm wants. */
const required = line(
  [' is required.', 'Some nodes do not meet the requirements', 'is not supported by this installation'],
  SAID_BY,
  /(?:^|\s)(?<host>[\w.-]{1,253}): (?<tool>conntrack|socat|ebtables|ipset|ipvsadm|curl|openssl|sudo|chrony)\b[^\n]{0,40}? is required\./,
);
/** What a step of KubeKey ends with; the reason stands in what it ran. */
const pipeline = line(
  ['] exec failed after', 'Pipeline[', 'init kubernetes cluster failed', 'Failed to exec command: sudo -E'],
  SAID_BY,
  /failed: \[(?<host>[\w.-]{1,253})\] \[(?<step>\w{3,60})\] exec failed after \d{1,3} (?:retires|retries)|Pipeline\[(?<pipe>\w{3,60})\] execute failed/,
);
/** Ansible does not get to the host, or not to root on it. */
const unreachable = line(
  ['UNREACHABLE! => ', 'Missing sudo password', 'Timeout (12s) waiting for privilege escalation'],
  SAID_BY,
  /fatal: \[(?<host>[\w.-]{1,253})[^\]\n]{0,80}\]: (?:UNREACHABLE! => [^\n]{0,200}?(?<login>Permission denied[^\n"\\]{0,80}|Connection timed out|No route to host|Host key verification failed|Connection refused|Could not resolve hostname[^\n"\\]{0,100})|FAILED! => [^\n]{0,300}?(?<sudo>Missing sudo password|Timeout \(\d{1,3}s\) waiting for privilege escalation))/,
);
const passed = line(
  ['Installation is complete', 'KubeKey cluster created', 'Congratulations! Installation'],
  [],
  /Installation is complete|Congratulations! Installation/,
);

export const cause = defineCause({
  id: 'installer-host-check-fails',
  area: 'node',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],
  effectOf: [
    'kubeadm-preflight-refuses',
    'kubeadm-config-invalid',
    'kubeadm-waits-for-kubelet-in-vain',
    'kubeadm-join-token-or-ca-hash-invalid',
  ],

  text: {
    name: 'Installer refuses the hosts',
    title: 'The installer (Ansible, Kubespray, KubeKey) stops at {host}: {what}',
    why: 'Installers test hosts and inventory before they change anything, and stop where a requirement is not met: {what}. Kubernetes was not installed on {host} yet. {hint}',
  },

  clues: {
    assertion: proves(assertion),
    required: proves(required),
    unreachable: proves(unreachable),
    pipeline: supports(pipeline),
    passed: excludes(passed),
  },
  says: {
    assertion: 'this must hold, and does not: {assertion}',
    required: '{host} lacks the program {tool}',
    unreachable: 'Ansible does not get in: {login}',
    pipeline: 'the step {step} fails on {host}',
    passed: 'the installer came to its end',
  },
  slots: (_place, { assertion: claim, required: program, unreachable: away, pipeline: run }) => {
    const said = claim?.fields['assertion']?.replace(/\\+"/g, '"') ?? '';
    const tool = program?.fields['tool'] ?? '';
    const login = away?.fields['login']?.trim() ?? away?.fields['sudo'] ?? '';
    const stepName = run?.fields['step'] ?? run?.fields['pipe'] ?? '';
    const known = REQUIREMENTS.find(([pattern]) => pattern.test(said));
    const [what, hint] = claim
      ? [
          `${known?.[1] ?? 'a requirement is not met'} (${said.slice(0, 160)})`,
          known?.[2] ?? 'The name of the TASK above it tells what was tested.',
        ]
      : program
        ? [`the program ${tool} is not installed there`, 'kubeadm and kube-proxy need conntrack and socat on every host.']
        : away
          ? [
              `Ansible cannot log in or become root there (${login})`,
              'User, key, port and become settings of the inventory; try the same with ssh by hand.',
            ]
          : [
              `its step ${stepName} fails`,
              'That step ran kubeadm or a script on the host: what it printed stands above this line; paste it too.',
            ];
    return {
      host: claim?.fields['host'] ?? program?.fields['host'] ?? away?.fields['host'] ?? run?.fields['host'] ?? 'the hosts',
      assertion: said.slice(0, 160),
      tool: tool || 'conntrack socat',
      login: login || 'no login',
      step: stepName || 'of the installer',
      what: what ?? '',
      hint: hint ?? '',
    };
  },

  fixes: [
    {
      say: 'See the task above the failure, and what the host really has',
      risk: 'reads-only',
      steps: [
        {
          say: 'memory, names and programs of the host',
          run: 'free -m | head -2; hostname; nproc; cat /etc/os-release | head -3; command -v conntrack socat ebtables ipset',
          on: 'node',
        },
      ],
    },
    {
      say: 'Install what is missing, on every host',
      risk: 'touches-node',
      for: ['required'],
      steps: [
        { say: 'Debian and Ubuntu', run: 'apt-get install -y socat conntrack ebtables ipset', on: 'node' },
        { say: 'RHEL, Rocky, CentOS, openEuler', run: 'yum install -y socat conntrack-tools ebtables ipset', on: 'node' },
      ],
      verified: 'the installer passes its checks',
    },
    {
      say: 'A value of the inventory: correct it where it is set, then run the playbook again',
      risk: 'reads-only',
      for: ['assertion'],
      steps: [
        {
          say: 'groups and variables as Ansible sees them',
          run: 'ansible-inventory -i inventory/CLUSTER/hosts.yaml --graph; grep -rnE "minimal_(node|master)_memory_mb|kube_network_plugin|kube_version|etcd" inventory/CLUSTER/group_vars | head',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'kubernetes-sigs/kubespray roles/kubernetes/preinstall/tasks/0040-verify-settings.yml',
    'kubesphere/kubekey cmd/kk/pkg/bootstrap/precheck',
  ],
});

/** What the assertions of Kubespray mean. */
const REQUIREMENTS: readonly (readonly [pattern: RegExp, what: string, hint: string])[] = [
  [
    /memtotal_mb/,
    'the host has too little memory',
    'Give it more, or lower minimal_master_memory_mb and minimal_node_memory_mb in the inventory for a test.',
  ],
  [
    /groups[^\n]{0,60}?etcd[^\n]{0,60}?(?:% ?2|is not divisibleby 2|length)/,
    'the group etcd must hold an odd number of hosts',
    'Use 1, 3 or 5 hosts for etcd.',
  ],
  [
    /groups[^\n]{0,40}?(?:kube[_-]control[_-]plane|kube[_-]master|kube[_-]node|etcd|k8s[_-]cluster)/,
    'a group of the inventory is empty or missing',
    'Newer Kubespray names the groups kube_control_plane, kube_node, etcd and k8s_cluster (with underscores).',
  ],
  [/ansible_version/, 'this version of Ansible does not fit', 'Install the versions of requirements.txt in a virtual environment.'],
  [
    /kube_version|version\(/,
    'a version in the inventory does not fit',
    'Each release of Kubespray takes a few versions of Kubernetes only.',
  ],
  [/distribution/, 'the system of the host is not supported', 'Set allow_unsupported_distribution_setup to go on at your own risk.'],
  [
    /\bip\b|ansible_all_ipv4_addresses|access_ip/,
    'an address of the inventory is not on the host',
    'ip and access_ip of the inventory must be addresses that the host really has.',
  ],
  [/inventory_hostname|hostname/, 'a host name is not allowed', 'Names may hold small letters, digits, dots and hyphens only.'],
  [
    /network_plugin|cni/,
    'the network plugin or one of its settings is not allowed',
    'See kube_network_plugin and the variables of that plugin.',
  ],
  [
    /subnet|cidr|ipaddr/,
    'the address ranges do not fit each other',
    'kube_pods_subnet and kube_service_addresses must not overlap, and must hold the nodes times kube_network_node_prefix.',
  ],
  [/cgroup/, 'the cgroup version of the host does not fit', 'Newer Kubernetes wants cgroup v2.'],
  [/swap/, 'swap is on', 'Switch it off, or allow it in the inventory.'],
];
