import { defineCause, excludes, minutes, proves, supports } from '../../define-cause.ts';
import { content, corefile, done, fatal, images, job, leftover, nodesNotReady, other, port, runtime, size, tool } from './lines.ts';
import { clean, foundBy, remedyOf } from './words.ts';

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
