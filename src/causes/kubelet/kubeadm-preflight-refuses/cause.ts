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
const images = line('[ERROR ImagePull]', 'kubeadm-output', /\[ERROR (?<check>ImagePull)\]: (?<state>[\s\S]{3,400})/);
/** kubeadm upgrade takes the Corefile along, and knows the releases of CoreDNS and their plugins only. */
const corefile = line(
  '[ERROR CoreDNS',
  'kubeadm-output',
  /\[ERROR (?<check>CoreDNS\w{1,40})\]: (?<state>(?:start version ['"]?(?<version>[\w.+-]{1,80})|[\s\S]{0,80}?(?:Plugin "(?<plugin>[\w-]{1,40})"|(?<plugins>unsupported plugins|following plugins)))?[\s\S]{3,400})/,
);
/** Before an upgrade kubeadm runs a pod of its own, to see that the cluster can still run one. */
const job = line(
  ['[ERROR CreateJob]'],
  'kubeadm-output',
  /\[ERROR (?<check>CreateJob)\]: (?<state>(?:Job "?(?<job>[\w.-]{1,120})"?|couldn't create Job|could not delete Job)?[\s\S]{3,400})/,
);
const nodesNotReady = line(
  '[ERROR ControlPlaneNodesReady]',
  'kubeadm-output',
  /\[ERROR (?<check>ControlPlaneNodesReady)\]: (?<state>(?:there are NotReady control-planes in the cluster: \[?(?<nodes>[^\]\n]{1,400}))?[\s\S]{0,400})/,
);
const other = line(
  [
    '[ERROR IsPrivilegedUser]',
    '[ERROR SystemVerification]',
    '[ERROR ExternalEtcdVersion]',
    '[ERROR Hostname]',
    '[ERROR Service-',
    '[ERROR StaticPodManifest]',
    '[ERROR KubeletVersion]',
    '[ERROR Firewalld]',
  ],
  'kubeadm-output',
  /\[ERROR (?<check>IsPrivilegedUser|SystemVerification|ExternalEtcdVersion|Hostname|Service-[\w-]{1,40}|StaticPodManifest|KubeletVersion|Firewalld)\]: (?<state>[\s\S]{3,400})/,
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
    title: 'kubeadm refuses to go on at {node}: {found} (preflight check {check})',
    why: 'Before kubeadm init, join or upgrade changes anything it checks the machine and the cluster. On {node} the check {check} found: {state}. {remedy}',
  },

  clues: {
    leftover: proves(leftover),
    port: proves(port, ({ channel, fields }) => fields['old'] === undefined || channel === 'kubeadm-output'),
    content: proves(content),
    size: proves(size),
    tool: proves(tool),
    images: proves(images),
    corefile: proves(corefile),
    job: proves(job),
    nodesNotReady: proves(nodesNotReady),
    other: proves(other),
    runtime: supports(runtime),
    fatal: supports(fatal),
    cordoned: supports('node.status', ({ status }) => status.includes('SchedulingDisabled')),
    sysctl: supports('host.sysctl', ({ key, value }) => key === 'net.ipv4.ip_forward' && value === '0'),
    done: excludes(done),
  },
  says: {
    leftover: 'files of an earlier kubeadm run are there: {path}',
    port: 'port {port} of the control plane is in use already',
    content: 'a kernel setting is not as needed: {path}',
    size: 'the machine is too small: {state}',
    tool: 'a program is missing on the host: {tool}',
    images: 'the images of the control plane cannot be pulled: {state}',
    corefile: 'kubeadm cannot take the Corefile of CoreDNS along: {state}',
    job: 'the pod by which kubeadm tries the cluster did not end in time: {state}',
    nodesNotReady: 'control plane nodes are not Ready: {state}',
    other: 'the check {check} failed: {state}',
    runtime: 'kubeadm cannot talk to the container runtime (CRI)',
    cordoned: 'a node is cordoned (SchedulingDisabled), so the pod of kubeadm may have no place',
    fatal: 'kubeadm ended in its preflight phase',
    sysctl: 'net.ipv4.ip_forward is 0 on the host',
    done: 'kubeadm has come to its end well',
  },
  slots: (place, seen) => {
    const first =
      seen.content ??
      seen.size ??
      seen.tool ??
      seen.nodesNotReady ??
      seen.corefile ??
      seen.job ??
      seen.images ??
      seen.other ??
      seen.leftover ??
      seen.port ??
      seen.runtime;
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
      found: foundBy(first?.fields ?? {}, seen.cordoned !== undefined) ?? clean(state),
      path: path ?? seen.tool?.fields['tool'] ?? 'of kubeadm',
      sysctl: seen.content?.fields['path']?.replace('/proc/sys/', '').replaceAll('/', '.') ?? '',
      wanted: seen.content?.fields['wanted'] ?? '1',
      port: seen.port?.fields['port'] ?? seen.port?.fields['held'] ?? '6443',
      tool: seen.tool?.fields['tool'] ?? 'a tool',
      command: /^(?:CoreDNS|CreateJob|ControlPlaneNodesReady|StaticPodManifest)/.test(check)
        ? 'kubeadm upgrade apply VERSION'
        : 'kubeadm init',
      remedy: remedyOf(check, path, state),
    };
  },

  fixes: [
    {
      say: 'Set the kernel as the check {check} asks for: {remedy}',
      risk: 'touches-node',
      for: ['content', 'sysctl'],
      steps: [
        {
          say: 'ip_forward and bridge-nf-call-iptables: load the module and set the sysctls, now and at boot',
          run: "modprobe br_netfilter; printf 'overlay\\nbr_netfilter\\n' > /etc/modules-load.d/k8s.conf; printf 'net.ipv4.ip_forward=1\\nnet.bridge.bridge-nf-call-iptables=1\\nnet.bridge.bridge-nf-call-ip6tables=1\\n' > /etc/sysctl.d/k8s.conf; sysctl --system",
          on: 'node',
        },
        { say: 'then run the same kubeadm command again', on: 'node' },
      ],
      changes: [
        { do: 'module', name: 'br_netfilter' },
        { do: 'sysctl', key: '{{sysctl}}', value: '{{wanted}}' },
      ],
      verified: 'kubeadm prints no line with ERROR, and the node becomes Ready',
    },
    {
      say: 'Install the missing program {tool} on the host',
      risk: 'touches-node',
      for: ['tool'],
      steps: [
        {
          say: 'what kubeadm and the kubelet call',
          run: 'apt-get install -y conntrack socat ebtables ethtool iproute2 iptables util-linux',
          on: 'node',
          family: 'debian',
        },
        {
          say: 'what kubeadm and the kubelet call',
          run: 'dnf install -y conntrack-tools socat ebtables ethtool iproute-tc iptables',
          on: 'node',
          family: 'rhel',
        },
      ],
      verified: 'kubeadm goes past its preflight checks',
    },
    {
      say: 'Make the images of the control plane available, then run the same command again',
      risk: 'touches-node',
      for: ['images'],
      steps: [
        {
          say: 'try the images by themselves; where registry.k8s.io cannot be reached, name a mirror (imageRepository)',
          run: 'kubeadm config images pull --image-repository registry.aliyuncs.com/google_containers',
          on: 'node',
        },
      ],
      verified: 'kubeadm goes past its preflight checks',
    },
    {
      say: 'See what the container runtime answers, and start it',
      risk: 'touches-node',
      for: ['runtime'],
      steps: [
        {
          say: 'is it up, and is its CRI plugin enabled',
          run: 'systemctl status containerd --no-pager; crictl --runtime-endpoint unix:///run/containerd/containerd.sock info',
          on: 'node',
        },
      ],
    },
    {
      say: 'Give the trial pod of kubeadm a node: uncordon one, or bring one to Ready, then run kubeadm upgrade again',
      risk: 'moves-pods',
      for: ['job'],
      steps: [
        {
          say: 'is any node Ready, not cordoned and free of taints other than that of the control plane',
          run: 'kubectl get nodes -o custom-columns=NAME:.metadata.name,CORDONED:.spec.unschedulable,TAINTS:.spec.taints[*].key',
          on: 'cluster',
        },
        {
          say: 'why earlier ones did not run (image registry.k8s.io/pause, webhooks, quota)',
          run: 'kubectl -n kube-system get pods -o wide | grep upgrade-health-check; kubectl -n kube-system get events --sort-by=.lastTimestamp | grep upgrade-health-check | tail',
          on: 'cluster',
        },
        { say: 'on a cluster of one node: drain it only after this check', run: 'kubectl uncordon NODE', on: 'cluster' },
        {
          say: 'or, when you know why it cannot run, leave the check out',
          run: 'kubeadm upgrade apply VERSION --ignore-preflight-errors=CreateJob',
          on: 'node',
        },
      ],
      verified: 'kubeadm upgrade goes past [upgrade/health]',
    },
    {
      say: 'Keep the Corefile as it is and see to it by hand: leave the check out',
      risk: 'touches-node',
      for: ['corefile'],
      steps: [
        {
          say: 'the release that runs, and a copy of its Corefile',
          run: 'kubectl -n kube-system get deployment coredns -o jsonpath=\'{.spec.template.spec.containers[0].image}{"\\n"}\'; kubectl -n kube-system get configmap coredns -o yaml > coredns-backup.yaml',
          on: 'cluster',
        },
        {
          say: 'an image with a tag of its own: give it the tag of the CoreDNS release it is made of, then the check passes',
          run: 'kubectl -n kube-system set image deployment/coredns coredns=registry.k8s.io/coredns/coredns:VERSION',
          on: 'cluster',
        },
        {
          say: 'or skip the migration; the present Corefile is kept',
          run: 'kubeadm upgrade apply VERSION --ignore-preflight-errors=CoreDNSUnsupportedPlugins,CoreDNSMigration',
          on: 'node',
        },
      ],
      verified: 'kubeadm upgrade goes through, and the CoreDNS pods are Running',
    },
    {
      say: 'Bring the control plane nodes to Ready first, or take those that are gone out of the cluster',
      risk: 'touches-node',
      for: ['nodesNotReady'],
      steps: [
        { say: 'which, and why', run: 'kubectl get nodes; kubectl describe nodes | grep -A8 Conditions:', on: 'cluster' },
        { say: 'the kubelet there', run: 'systemctl status kubelet --no-pager; journalctl -u kubelet --no-pager | tail -30', on: 'node' },
      ],
      verified: 'kubectl get nodes shows all control planes Ready',
    },
    {
      say: 'See who holds the port, and what an earlier run left behind',
      risk: 'reads-only',
      for: ['leftover', 'port'],
      steps: [
        {
          say: 'is it a control plane that already runs here, or a foreign process to stop',
          run: 'ss -ltnp | grep -E ":(6443|2379|2380|10250|10257|10259)\\b"; ls -la /etc/kubernetes /etc/kubernetes/manifests /var/lib/etcd',
          on: 'node',
        },
      ],
    },
    {
      say: 'Only when you know that it does no harm: skip the check. Else: {remedy}',
      risk: 'touches-node',
      steps: [
        {
          say: 'add --ignore-preflight-errors={check} to the command',
          run: '{{command}} --ignore-preflight-errors={{check}}',
          on: 'node',
        },
      ],
    },
    {
      say: 'This machine was initialised or joined before; take that back with kubeadm reset',
      risk: 'may-lose-data',
      for: ['leftover', 'port'],
      steps: [
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
  if (check.startsWith('CoreDNS'))
    return 'kubeadm upgrade rewrites the Corefile for the new CoreDNS, and can do so only from a CoreDNS release and with plugins that it knows; a tag of your own or a foreign plugin is neither.';
  if (check === 'CreateJob')
    return 'Before an upgrade kubeadm runs a pod in kube-system (Job upgrade-health-check) and gives it 15 seconds: it needs a node that is Ready and not cordoned, the pause image, and no webhook or quota in its way.';
  if (check === 'ControlPlaneNodesReady') return 'An upgrade begins only while every control plane node is Ready.';
  if (check === 'StaticPodManifest')
    return 'A manifest of the control plane is missing in /etc/kubernetes/manifests: bring it back before the upgrade.';
  if (check === 'KubeletVersion') return 'Install a kubelet of a version that fits the control plane.';
  if (check.startsWith('CRI')) return 'Start the container runtime and enable its CRI plugin.';
  return 'Do what the message says, then run the same command again.';
}

/** What a check means where its own words do not tell. */
function foundBy(fields: Readonly<Record<string, string | undefined>>, cordoned: boolean): string | undefined {
  const { check, version, plugin, plugins } = fields as Record<'check' | 'version' | 'plugin' | 'plugins', string | undefined>;
  if (version !== undefined)
    return `the running CoreDNS image has the tag ${version}, which is no CoreDNS release that kubeadm can migrate from`;
  if (plugin !== undefined || (plugins !== undefined && check?.startsWith('CoreDNS')))
    return `the Corefile of CoreDNS uses ${plugin === undefined ? 'plugins' : `the plugin ${plugin}`} that kubeadm cannot migrate`;
  if (check === 'CreateJob')
    return cordoned
      ? 'its health check Job cannot be scheduled, as a node is cordoned (drained, SchedulingDisabled)'
      : 'its health check Job did not run to its end: no node takes its pod, or the pod cannot start';
  return undefined;
}

function clean(text: string): string {
  const line = (text.split(/\n|\\n/)[0] ?? '').trim();
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}
