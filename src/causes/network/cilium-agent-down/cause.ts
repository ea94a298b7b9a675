import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log'] as const;

const noAgent = line(
  [
    'unable to connect to Cilium',
    'create cilium agent client',
    'Cilium API client timeout exceeded',
    '/var/run/cilium/cilium.sock',
    'unable to create endpoint',
  ],
  CHANNELS,
  /(?:unable to connect to Cilium (?:agent|daemon)|[Ff]ailed to create cilium agent client|Cilium API client timeout exceeded|unable to create endpoint: [^\n]{0,200}?(?:EOF|context deadline exceeded|connection refused|TooManyRequests)|dial unix \/var\/run\/cilium\/cilium\.sock: connect: (?<socket>no such file or directory|connection refused))/,
);
const noApi = line(
  ['Unable to contact k8s api-server', 'Unable to initialize Kubernetes subsystem'],
  'container-log',
  /(?:Unable to contact k8s api-server|Unable to initialize Kubernetes subsystem)[\s\S]{0,300}/,
);
const kernel = line(
  [
    'BPF system config check: NOT OK',
    'kernel version: NOT OK',
    'Unable to mount BPF filesystem',
    'unable to mount BPF filesystem',
    'Error while creating map',
    'Verifier error',
    'failed to compile BPF',
    'error while compiling datapath',
    'failed to probe helper',
    'failed to probe program',
    'failed to probe map',
    'failed to probe for ',
    'Cannot initialise BPF perf ring buffer',
    'detect support for ',
    'Unable to load eBPF programs',
    'requires kernel ',
    'requires a kernel',
  ],
  'container-log',
  /(?<error>failed to probe (?:helper|program|map)[^\n]{0,300}?detect support for \w{3,60}[^\n"\\:]{0,60}|failed to probe (?:helper|program|map|for [A-Z]\w{2,30}: [^\n"\\]{3,60})|detect support for \w{3,60} for program type \w{3,40}|Cannot initialise BPF perf ring buffer sockets|requires (?:a )?kernel [^\n"\\]{2,60}|BPF system config check: NOT OK|kernel version: NOT OK|[Uu]nable to mount BPF filesystem|Error while creating map|Verifier error|failed to compile BPF|error while compiling datapath)/,
);
const fatal = line(
  [
    'Error while creating daemon',
    'invalid daemon configuration',
    'daemon creation failed',
    'Unable to initialize daemon',
    'CiliumNode resource',
    'Unable to initialize IPAM',
    'Start failed subsys=hive',
    'Start hook failed',
    'Failed to start module=agent',
    'direct routing device',
  ],
  'container-log',
  /(?:Error while creating daemon(?: subsys=\w{1,40})?(?:: |[\\"]{0,4} error=[\\"]{0,4})(?<first>[^\n]{3,400})|(?<second>invalid daemon configuration: [^\n"\\]{3,400}|[Uu]nable to determine direct routing device[^\n"\\]{0,200})|daemon creation failed: (?<third>[^\n]{3,400})|Unable to initialize daemon[^\n]{0,20}?: (?<fourth>[^\n"\\]{3,400})|(?<fatal>Unable to (?:update|create|get) CiliumNode resource|Unable to initialize IPAM|(?:Start failed|Start hook failed|Failed to start)(?= [^\n]{0,120}(?:subsys=hive|module=agent)))[^\n:]{0,200}: (?<said>[^\n]{3,300}))/,
);
const noOperator = line(
  ['Unable to find all Cilium CRDs necessary', 'waiting for Cilium Operator to register the following CRDs'],
  'container-log',
  /Unable to find all Cilium CRDs necessary|waiting for Cilium Operator to register the following CRDs/,
);
const full = line(
  ['range is full', 'No more IPs available'],
  ['pod-events', 'kubelet-log', 'container-log'],
  /(?:range is full|No more IPs available)/,
);

export const cause = defineCause({
  id: 'cilium-agent-down',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'stuck-terminating', 'crash-loop', 'restarts', 'not-ready', 'other-trouble'],
  effectOf: [
    'kube-proxy-down-or-mode-unsupported',
    'kernel-too-old-or-module-missing',
    'oom-container-limit',
    'image-not-found',
    'flannel-pod-cidr-not-assigned',
  ],

  text: {
    name: 'Cilium agent is not running',
    title: 'The cilium agent on {node} does not run{why}',
    why: 'For every pod the cilium-cni plugin asks the cilium agent of the same node through the socket /var/run/cilium/cilium.sock. On {node} nobody answers there{why}, so pods are neither connected nor removed. Where cilium was uninstalled, its configuration in /etc/cni/net.d was left behind.',
  },

  clues: {
    noAgent: proves(noAgent),
    noApi: proves(noApi),
    kernel: proves(kernel),
    fatal: proves(fatal),
    noOperator: proves(noOperator, ({ count }) => count >= 2),
    agentTrouble: supports('pod.symptom', ({ about }) => /\/cilium-(?!operator)[^/]*$/.test(about)),
    full: excludes(full),
  },
  says: {
    noAgent: 'the plugin cannot connect to the cilium agent',
    noApi: 'the agent does not reach the API server and gives up',
    kernel: 'the agent cannot load its programs into the kernel: {error}',
    fatal: 'the agent exits at its start: {reason}',
    noOperator: 'the agent waits in vain for cilium-operator, which registers its CRDs',
    agentTrouble: 'the cilium pod of this node is in trouble itself: {trouble}',
    full: 'the agent answers: it has no address left',
  },
  slots: (place, { noApi: api, kernel: bpf, fatal: last, noOperator: waits, agentTrouble }) => {
    const told =
      last &&
      (last.fields['first'] ??
        last.fields['second'] ??
        last.fields['third'] ??
        last.fields['fourth'] ??
        [last.fields['fatal'], last.fields['said']].filter(Boolean).join(': '));
    const reason = told
      ?.replace(/^(?:(?:error while initializing daemon|failed while reinitializing datapath): )+/, '')
      .replace(/(?:\\n)?["\\\s]+(?:subsys=\S{1,40})?$/, '')
      .replace(/\\{1,3}"/g, '"')
      .slice(0, 260);
    const error = bpf?.fields['error'] ?? 'BPF';
    return {
      node: place.name,
      error,
      reason: reason ?? 'an error',
      trouble: agentTrouble?.detail ?? agentTrouble?.symptom ?? 'not running',
      why: reason
        ? `: it exits at its start (${reason})`
        : api
          ? ': it cannot reach the API server (k8s api-server)'
          : bpf
            ? `: ${error.replace(/^failed to probe[\s\S]*?(?=detect support for )/, '')} (the kernel of the node does not take its BPF programs, or the BPF file system is missing)`
            : waits
              ? ': cilium-operator, which registers its CRDs, does not run or cannot reach the API server'
              : agentTrouble
                ? ': its pod is in trouble'
                : '',
    };
  },

  fixes: [
    {
      say: 'Find out why the cilium agent does not run on {node}',
      risk: 'reads-only',
      steps: [
        {
          say: 'its pod on this node',
          run: 'kubectl -n kube-system get pods -o wide -l k8s-app=cilium --field-selector spec.nodeName={{node}}',
          on: 'cluster',
        },
        {
          say: 'its last words',
          run: 'kubectl -n kube-system logs -l k8s-app=cilium --all-containers --tail=40 --prefix | grep -iE "fatal|error|level=fatal"',
          on: 'cluster',
        },
        {
          say: 'cilium-operator, which registers the CRDs and hands out addresses',
          run: 'kubectl -n kube-system get pods -o wide -l name=cilium-operator; kubectl -n kube-system logs -l name=cilium-operator --tail=40',
          on: 'cluster',
        },
        {
          say: 'no pod: cilium was removed, or its tolerations miss a taint',
          run: 'kubectl -n kube-system get daemonset cilium; ls /etc/cni/net.d',
          on: 'cluster',
        },
        { say: 'kernel and BPF file system', run: 'uname -r; mount | grep bpf; ls -l /var/run/cilium', on: 'node' },
      ],
    },
    {
      say: 'Where the agent refuses its configuration, correct the option it names in ConfigMap cilium-config or in the Helm values',
      risk: 'restarts-pods',
      for: ['fatal'],
      steps: [
        { say: 'what it said: {reason}', run: 'kubectl -n kube-system get configmap cilium-config -o yaml', on: 'cluster' },
        {
          say: 'for example tunnel: disabled (routing-mode: native) also needs ipv4-native-routing-cidr; a host with several cards needs devices and direct-routing-device',
          run: 'helm upgrade cilium cilium/cilium -n kube-system --reuse-values --set OPTION=VALUE',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Where it cannot read the iptables rules of the host (no library for a match): remove or rewrite the rules of another program that use that match',
      risk: 'touches-node',
      steps: [
        {
          say: 'rules with a match that the iptables of the agent does not bring',
          run: "iptables-save | grep -nE -- '-m [a-z0-9]+' | grep -v cilium -i",
          on: 'node',
        },
      ],
    },
    {
      say: 'Where the kernel does not take its programs: bring kernel and cilium to versions that go together',
      risk: 'touches-node',
      steps: [
        {
          say: 'kernel of each node; a new one shows the fault only on nodes that were rebooted',
          run: 'kubectl get nodes -o wide',
          on: 'cluster',
        },
        {
          say: 'a release of cilium that knows this kernel',
          run: 'helm upgrade cilium cilium/cilium -n kube-system --reuse-values --version NEWER',
          on: 'cluster',
        },
        {
          say: 'or boot the kernel from before: pick it in the boot menu, or roll the update back',
          run: 'grubby --info=ALL 2>/dev/null || ls /boot/vmlinuz*',
          on: 'node',
        },
      ],
      verified: 'the agent of the node is ready',
    },
    {
      say: 'Without kube-proxy, tell cilium the real address of the API server',
      risk: 'restarts-pods',
      for: ['noApi'],
      steps: [
        {
          say: 'kubeProxyReplacement needs k8sServiceHost and k8sServicePort',
          run: 'helm upgrade cilium cilium/cilium -n kube-system --reuse-values --set k8sServiceHost=ADDRESS --set k8sServicePort=6443',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Restart the agent on {node}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'running pods keep their network',
          run: 'kubectl -n kube-system delete pod -l k8s-app=cilium --field-selector spec.nodeName={{node}}',
          on: 'cluster',
        },
        { say: 'BPF file system missing', run: 'mount bpffs /sys/fs/bpf -t bpf', on: 'node' },
        {
          say: 'cilium was uninstalled: take its configuration away, another network then takes over',
          run: 'mv /etc/cni/net.d/05-cilium.conflist /var/backups/',
          on: 'node',
        },
      ],
      verified: 'cilium status in the agent pod says OK and waiting pods start',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['cilium plugins/cilium-cni/cmd, pkg/client', 'cilium daemon/cmd', 'cilium #27715, #40312'],
});
