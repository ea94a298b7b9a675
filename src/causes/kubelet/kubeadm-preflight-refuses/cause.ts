import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const leftover = line(
  ['[ERROR FileAvailable-', '[ERROR DirAvailable-'],
  'kubeadm-output',
  /\[ERROR (?<check>(?:File|Dir)Available-[\w.-]{1,120})\]: (?<path>\/[^\s:]{1,200}) (?<state>already exists|is not empty)/,
);
/** Ports of the kubelet itself have a cause of their own. */
const port = line(
  ['[ERROR Port-', ' is in use'],
  'kubeadm-output',
  /\[ERROR (?<check>Port-(?<port>(?!10250\]|10248\]|10255\])\d{2,5}))\]: Port \d{2,5} is in use|^\s{0,8}(?<old>Port (?<held>(?!10250 |10248 |10255 )\d{2,5}) is in use)\s{0,8}$/,
);
const content = line(
  '[ERROR FileContent-',
  'kubeadm-output',
  /\[ERROR (?<check>FileContent-[\w.-]{1,120})\]: (?<path>\/proc\/sys\/[\w./-]{1,160}) (?<state>contents are not set to (?<wanted>\w{1,20})|does not exist|could not be read)/,
);
const size = line(
  ['[ERROR NumCPU]', '[ERROR Mem]'],
  'kubeadm-output',
  /\[ERROR (?<check>NumCPU|Mem)\]: (?<state>the (?:number of available CPUs \d{1,4} is less than the required \d{1,4}|system RAM \(\d{1,9} MB\) is less than the minimum \d{1,9} MB))/,
);
const tool = line(
  '[ERROR FileExisting-',
  'kubeadm-output',
  /\[ERROR (?<check>FileExisting-[\w.-]{1,80})\]: (?<tool>[\w./-]{1,120}) (?<state>not found in system path|doesn't exist)/,
);
const other = line(
  [
    '[ERROR IsPrivilegedUser]',
    '[ERROR SystemVerification]',
    '[ERROR ImagePull]',
    '[ERROR ExternalEtcdVersion]',
    '[ERROR Hostname]',
    '[ERROR Service-',
    '[ERROR CoreDNS',
    '[ERROR ControlPlaneNodesReady]',
    '[ERROR StaticPodManifest]',
    '[ERROR CreateJob]',
  ],
  'kubeadm-output',
  /\[ERROR (?<check>IsPrivilegedUser|SystemVerification|ImagePull|ExternalEtcdVersion|Hostname|Service-[\w-]{1,40}|CoreDNS\w{1,40}|ControlPlaneNodesReady|StaticPodManifest|CreateJob)\]: (?<state>[\s\S]{3,400})/,
);
const runtime = line(['[ERROR CRI]', '[ERROR CRI-'], 'kubeadm-output', /\[ERROR CRI[\w-]{0,20}\]: (?<state>[\s\S]{3,400})/);
const fatal = line('Some fatal errors occurred', 'kubeadm-output', /\[preflight\] Some fatal errors occurred/);
const done = line(
  ['Your Kubernetes control-plane has initialized successfully', 'This node has joined the cluster'],
  [],
  /initialized successfully|This node has joined the cluster/,
);

export const cause = defineCause({
  id: 'kubeadm-preflight-refuses',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],
  effectOf: [
    'ip-forward-or-rp-filter',
    'flannel-br-netfilter-missing',
    'containerd-cri-plugin-disabled',
    'kubelet-runtime-version-skew',
    'runtime-socket-gone-or-refused',
    'runtime-socket-permission-denied',
    'cri-dockerd-not-running',
    'dockershim-removed',
  ],

  text: {
    name: 'kubeadm preflight check failed',
    title: 'kubeadm refuses to go on at {node}: preflight check {check} failed ({state})',
    why: 'Before kubeadm init, join or upgrade changes anything it checks the machine. On {node} the check {check} found: {state}. {remedy}',
  },

  clues: {
    leftover: proves(leftover),
    port: proves(port, ({ channel, fields }) => fields['old'] === undefined || channel === 'kubeadm-output'),
    content: proves(content),
    size: proves(size),
    tool: proves(tool),
    other: proves(other),
    runtime: supports(runtime),
    fatal: supports(fatal),
    sysctl: supports('host.sysctl', ({ key, value }) => key === 'net.ipv4.ip_forward' && value === '0'),
    done: excludes(done),
  },
  says: {
    leftover: 'files of an earlier kubeadm run are there: {path}',
    port: 'port {port} of the control plane is in use already',
    content: 'a kernel setting is not as needed: {path}',
    size: 'the machine is too small: {state}',
    tool: 'a program is missing on the host: {tool}',
    other: 'the check {check} failed: {state}',
    runtime: 'kubeadm cannot talk to the container runtime (CRI)',
    fatal: 'kubeadm ended in its preflight phase',
    sysctl: 'net.ipv4.ip_forward is 0 on the host',
    done: 'kubeadm has come to its end well',
  },
  slots: (place, seen) => {
    const first = seen.content ?? seen.size ?? seen.tool ?? seen.other ?? seen.leftover ?? seen.port ?? seen.runtime;
    const held = seen.port?.fields['held'];
    const check =
      first?.fields['check'] ??
      (held !== undefined && first === seen.port ? `Port-${held}` : seen.runtime ? 'CRI' : 'that its output names');
    const path = (seen.content ?? seen.leftover)?.fields['path'];
    const subject =
      seen.content || seen.tool || (seen.leftover && first === seen.leftover) ? `${path ?? seen.tool?.fields['tool'] ?? ''} ` : '';
    const state =
      first === seen.port && seen.port
        ? `port ${seen.port.fields['port'] ?? held ?? ''} is in use`
        : `${subject}${first?.fields['state'] ?? 'see its output'}`;
    return {
      node: place.name,
      check,
      state: clean(state),
      path: path ?? seen.tool?.fields['tool'] ?? 'of kubeadm',
      sysctl: seen.content?.fields['path']?.replace('/proc/sys/', '').replaceAll('/', '.') ?? '',
      wanted: seen.content?.fields['wanted'] ?? '1',
      port: seen.port?.fields['port'] ?? seen.port?.fields['held'] ?? '6443',
      tool: seen.tool?.fields['tool'] ?? 'a tool',
      remedy: remedyOf(check, path, state),
    };
  },

  fixes: [
    {
      say: 'Remove the reason the check {check} names: {remedy}',
      risk: 'touches-node',
      steps: [
        {
          say: 'FileContent ip_forward and bridge-nf-call-iptables: load the module and set the sysctls, now and at boot',
          run: "modprobe br_netfilter; printf 'overlay\\nbr_netfilter\\n' > /etc/modules-load.d/k8s.conf; printf 'net.ipv4.ip_forward=1\\nnet.bridge.bridge-nf-call-iptables=1\\nnet.bridge.bridge-nf-call-ip6tables=1\\n' > /etc/sysctl.d/k8s.conf; sysctl --system",
          on: 'node',
        },
        {
          say: 'FileExisting: install the missing program',
          run: 'apt-get install -y conntrack socat ebtables ethtool iproute2 iptables util-linux',
          on: 'node',
          family: 'debian',
        },
        {
          say: 'FileExisting: install the missing program',
          run: 'dnf install -y conntrack-tools socat ebtables ethtool iproute-tc iptables',
          on: 'node',
          family: 'rhel',
        },
        {
          say: 'CRI: see what the runtime answers',
          run: 'systemctl status containerd --no-pager; crictl --runtime-endpoint unix:///run/containerd/containerd.sock info',
          on: 'node',
        },
        {
          say: 'ImagePull: try the images by themselves; where registry.k8s.io cannot be reached, name a mirror (imageRepository)',
          run: 'kubeadm config images pull --image-repository registry.aliyuncs.com/google_containers',
          on: 'node',
        },
        { say: 'NumCPU and Mem: give the machine at least 2 CPUs and 1700 MB of memory' },
        { say: 'then run the same kubeadm command again', on: 'node' },
      ],
      changes: [
        { do: 'module', name: 'br_netfilter' },
        { do: 'sysctl', key: '{{sysctl}}', value: '{{wanted}}' },
      ],
      verified: 'kubeadm prints no line with ERROR, and the node becomes Ready',
    },
    {
      say: 'Only when you know that it does no harm: skip the check',
      risk: 'touches-node',
      steps: [
        {
          say: 'add --ignore-preflight-errors={check} to the command',
          run: 'kubeadm init --ignore-preflight-errors={{check}}',
          on: 'node',
        },
      ],
    },
    {
      say: 'FileAvailable, DirAvailable and Port: this machine was initialised or joined before; take that back with kubeadm reset',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'who listens, and what is left',
          run: 'ss -ltnp | grep -E ":(6443|2379|2380|10250|10257|10259)\\b"; ls -la /etc/kubernetes /etc/kubernetes/manifests /var/lib/etcd',
          on: 'node',
        },
        {
          say: 'only if this node is not part of a cluster you need: on a control plane this deletes etcd data',
          run: 'kubeadm reset -f && rm -rf /etc/cni/net.d "$HOME/.kube/config"',
          on: 'node',
        },
      ],
      verified: 'kubeadm init or join goes past its preflight checks',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes cmd/kubeadm/app/preflight/checks.go',
    'kubernetes website: setup/production-environment/tools/kubeadm/troubleshooting-kubeadm',
  ],
});

function remedyOf(check: string, path: string | undefined, state: string): string {
  if (check.includes('ip_forward')) return 'Set net.ipv4.ip_forward=1 with sysctl, in /etc/sysctl.d too.';
  if (check.includes('bridge-nf-call')) return 'Load the module br_netfilter and set net.bridge.bridge-nf-call-iptables=1.';
  if (check.startsWith('FileContent')) return `Set ${path ?? 'the kernel setting'} as it asks for.`;
  if (check === 'NumCPU') return 'Give the machine at least 2 CPUs (or ignore the check on a test machine).';
  if (check === 'Mem') return 'Give the machine at least 1700 MB of memory.';
  if (/^(?:File|Dir)Available/.test(check))
    return 'An earlier kubeadm init or join left it behind: clean up with kubeadm reset, or the node already is a member.';
  if (check.startsWith('Port-'))
    return 'Another process, mostly a control plane that already runs here, holds the port: kubeadm reset, or stop that process.';
  if (check.startsWith('FileExisting')) return 'Install the missing program on the host.';
  if (check === 'IsPrivilegedUser') return 'Run kubeadm as root (sudo).';
  if (check === 'ImagePull')
    return 'The images of the control plane cannot be pulled: fix registry access, set imageRepository to a mirror, or load them beforehand.';
  if (check === 'SystemVerification' && /cgroups?: [^\n]{0,60}\bmemory\b/.test(state))
    return 'The memory cgroup is off: add cgroup_enable=memory cgroup_memory=1 to the kernel command line (cmdline.txt on a Raspberry Pi, GRUB_CMDLINE_LINUX elsewhere) and reboot.';
  if (check === 'SystemVerification')
    return 'The kernel or its configuration lacks what is needed (cgroups, modules), or the kernel is too old.';
  if (check === 'ExternalEtcdVersion') return 'The external etcd cannot be reached or is too old.';
  if (check.startsWith('CRI')) return 'Start the container runtime and enable its CRI plugin.';
  return 'Do what the message says, then run the same command again.';
}

function clean(text: string): string {
  const line = (text.split(/\n|\\n/)[0] ?? '').trim();
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}
