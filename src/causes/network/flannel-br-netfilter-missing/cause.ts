import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const flannelSays = line(
  'Failed to check br_netfilter',
  'container-log',
  /Failed to check br_netfilter: stat (?<path>\/\S{1,200}?): no such file/,
);
const preflight = line(
  'bridge-nf-call-iptables does not exist',
  'kubeadm-output',
  /FileContent--proc-sys-net-bridge-bridge-nf-call-ip6?tables\]: (?<path>\/\S{1,200}) does not exist/,
);
const BRIDGE = 'net.bridge.bridge-nf-call-iptables';
const passed = line(
  ['Running backend.', 'pod cidr not assigned', 'Wrote subnet file to'],
  'container-log',
  /(?:Running backend\.|pod cidr not assigned|Wrote subnet file to)/,
);

export const cause = defineCause({
  id: 'flannel-br-netfilter-missing',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'failed', 'other-trouble'],
  effectOf: ['kernel-too-old-or-module-missing'],
  wakesOn: [on('host.sysctl', { key: BRIDGE })],

  text: {
    name: 'Module br_netfilter not loaded',
    title: 'The kernel module br_netfilter is not loaded on {node}',
    why: 'Without br_netfilter the kernel of {node} has no {path}, and packets that cross a bridge go past iptables. flannel checks for that file when it starts and exits at once, so kube-flannel crashes again and again and the node gets no pod network.',
  },

  clues: {
    flannelSays: proves(flannelSays),
    preflight: proves(preflight),
    sysctl: supports('host.sysctl', ({ key, value }) => key === BRIDGE && value === undefined),
    passed: excludes(passed),
    otherPod: excludes('pod.symptom', ({ about }) => !/(?:flannel[^/]*|\/\?)$/.test(about)),
  },
  says: {
    flannelSays: 'flannel exits because {path} does not exist',
    preflight: 'kubeadm found no {path}',
    sysctl: 'sysctl knows no bridge-nf-call settings on this host',
    passed: 'flannel got past this check; what stops it comes later',
    otherPod: 'only kube-flannel exits for this reason; this pod has a trouble of its own',
  },
  slots: (place, { flannelSays: said, preflight: checked }) => ({
    node: place.name,
    path: said?.fields['path'] ?? checked?.fields['path'] ?? '/proc/sys/net/bridge/bridge-nf-call-iptables',
  }),

  fixes: [
    {
      say: 'Load br_netfilter on {node} now and at every boot',
      risk: 'touches-node',
      steps: [
        { say: 'load the module', run: 'modprobe br_netfilter && lsmod | grep br_netfilter', on: 'node' },
        { say: 'at every boot', run: "printf 'overlay\\nbr_netfilter\\n' > /etc/modules-load.d/k8s.conf", on: 'node' },
        {
          say: 'let bridged packets pass iptables, and forward',
          run: "printf 'net.bridge.bridge-nf-call-iptables = 1\\nnet.bridge.bridge-nf-call-ip6tables = 1\\nnet.ipv4.ip_forward = 1\\n' > /etc/sysctl.d/k8s.conf && sysctl --system",
          on: 'node',
        },
        {
          say: 'kube-flannel comes up with its next restart; do not wait for the back-off',
          run: 'kubectl -n kube-flannel delete pod -l app=flannel --field-selector spec.nodeName={{node}}',
          on: 'cluster',
        },
      ],
      changes: [
        { do: 'module', name: 'br_netfilter' },
        { do: 'sysctl', key: 'net.bridge.bridge-nf-call-iptables', value: '1' },
        { do: 'sysctl', key: 'net.bridge.bridge-nf-call-ip6tables', value: '1' },
        { do: 'sysctl', key: 'net.ipv4.ip_forward', value: '1' },
      ],
      verified: 'kube-flannel is Running and /run/flannel/subnet.env exists',
    },
    {
      say: 'If modprobe does not find it, install the module package of the running kernel',
      risk: 'touches-node',
      steps: [
        { say: 'slim cloud kernels leave it out', run: 'apt-get install -y linux-modules-extra-$(uname -r)', on: 'node', family: 'debian' },
        { say: 'slim cloud kernels leave it out', run: 'dnf install -y kernel-modules-extra-$(uname -r)', on: 'node', family: 'rhel' },
        { say: 'the kernel was upgraded and its modules replaced: reboot {node}', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['flannel-io/flannel main.go', 'kubernetes cmd/kubeadm/app/preflight/checks_linux.go (until 1.29)'],
});
