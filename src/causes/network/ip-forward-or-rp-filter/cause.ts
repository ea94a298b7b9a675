import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const FORWARD = 'net.ipv4.ip_forward';
const BRIDGE = 'net.bridge.bridge-nf-call-iptables';

const preflight = line(
  ['contents are not set to 1'],
  'kubeadm-output',
  /(?<path>\/proc\/sys\/net\/(?:ipv[46]|bridge)\/[\w./-]{3,80}) contents are not set to 1/,
);
const docker = line(
  ['IPv4 forwarding is disabled', 'bridge-nf-call-iptables is disabled'],
  ['docker-config', 'docker-log', 'host-tools'],
  /(?:IPv4 forwarding is disabled|(?<bridge>bridge-nf-call-iptables) is disabled)/,
);
const rpf = line(
  ["Kernel's RPF check is set to", 'rp_filter to be set to'],
  'container-log',
  /Kernel's RPF check is set to '?(?<mode>\w{1,20})|(?<path>net\.ipv4\.conf\.all\.rp_filter) to be set to/,
);
const plugin = line(
  ['ip_forward', 'enable forwarding'],
  ['pod-events', 'kubelet-log', 'containerd-log'],
  /(?:failed to enable forwarding|could not (?:enable|set) ip_forward)[^\n]{0,120}/i,
);

/** A pod behind a Service answers the caller on its own bridge directly: the answer does not pass the rules that would turn it back. */
const strange = line(
  ['reply from unexpected source'],
  ['host-tools', 'container-log'],
  /reply from unexpected source: (?<pod>[\d.:a-f]{3,45}?)#53, expected (?<service>[\d.:a-f]{3,45}?)#53/,
);

export const cause = defineCause({
  id: 'ip-forward-or-rp-filter',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['not-ready', 'crash-loop', 'restarts', 'failed', 'creating', 'init-stuck', 'init-crash', 'node-not-ready', 'other-trouble'],
  wakesOn: [on('host.sysctl', { key: FORWARD, value: '0' })],

  text: {
    name: 'Kernel does not forward packets',
    title: 'The kernel of {node} does not forward pod traffic: {setting}',
    why: 'Packets of pods come in on one interface of {node} and go out on another: the kernel passes them on only with net.ipv4.ip_forward = 1, and iptables sees bridged ones only with net.bridge.bridge-nf-call-iptables = 1. Here {setting}. Something set it back: a sysctl file, a hardening script, a restart of the network service, or it was never set on this host.',
  },

  clues: {
    off: proves('host.sysctl', ({ key, value }) => key === FORWARD && value === '0'),
    preflight: proves(preflight),
    docker: proves(docker),
    rpf: proves(rpf),
    plugin: supports(plugin),
    strange: supports(strange),
    bridge: supports('host.sysctl', ({ key, value }) => key === BRIDGE && value === '0'),
    on: excludes('host.sysctl', ({ key, value }) => key === FORWARD && value === '1'),
  },
  says: {
    off: 'sysctl shows net.ipv4.ip_forward = 0',
    preflight: 'kubeadm refuses: {setting}',
    docker: 'Docker warns: {setting}',
    rpf: 'calico refuses the reverse path filter of this kernel',
    plugin: 'a plugin could not switch forwarding on',
    strange: 'the answer to a query comes from the pod, not from the Service that was asked',
    bridge: 'sysctl shows net.bridge.bridge-nf-call-iptables = 0',
    on: 'forwarding is switched on by now',
  },
  slots: (place, { preflight: checked, docker: warned, rpf: path, strange: direct, off, bridge }) => {
    const key = checked?.fields['path']?.replace('/proc/sys/', '').replaceAll('/', '.');
    const setting = key
      ? `${key} is not 1`
      : path
        ? `net.ipv4.conf.all.rp_filter is ${path.fields['mode'] ?? 'set'} and calico wants 0 or 1`
        : direct && !off && !warned && !bridge
          ? 'net.bridge.bridge-nf-call-iptables is 0 or br_netfilter is not loaded, so answers from a pod on the same node bypass the rules of the Service'
          : (warned?.fields['bridge'] ?? (bridge && !off && !warned))
            ? 'net.bridge.bridge-nf-call-iptables is 0'
            : 'net.ipv4.ip_forward is 0 (IPv4 forwarding is disabled)';
    return {
      node: place.name,
      setting,
      sysctl: path ? 'net.ipv4.conf.all.rp_filter' : (key ?? (setting.startsWith('net.bridge') ? BRIDGE : FORWARD)),
      assignment: path
        ? 'net.ipv4.conf.all.rp_filter=1'
        : key
          ? `${key}=1`
          : setting.startsWith('net.bridge')
            ? `${BRIDGE}=1`
            : `${FORWARD}=1`,
    };
  },

  fixes: [
    {
      say: 'Set it now and for every boot on {node}',
      risk: 'touches-node',
      steps: [
        { say: 'now', run: 'sysctl -w {{assignment}}', on: 'node' },
        {
          say: 'for every boot, in a file that is read last',
          run: "modprobe br_netfilter; printf 'net.ipv4.ip_forward = 1\\nnet.bridge.bridge-nf-call-iptables = 1\\nnet.bridge.bridge-nf-call-ip6tables = 1\\n' > /etc/sysctl.d/99-kubernetes.conf && sysctl --system",
          on: 'node',
        },
        {
          say: 'who sets it back',
          run: "grep -rnE 'ip_forward|rp_filter' /etc/sysctl.conf /etc/sysctl.d /usr/lib/sysctl.d /run/sysctl.d",
          on: 'node',
        },
      ],
      changes: [{ do: 'sysctl', key: '{{sysctl}}', value: '1' }],
      verified: 'sysctl net.ipv4.ip_forward prints 1, also after a reboot, and pods reach each other',
    },
    {
      say: 'If felix of calico stops at the filter and it must stay loose, tell it so',
      risk: 'restarts-pods',
      for: ['rpf'],
      steps: [
        {
          say: 'accept loose reverse path filtering',
          run: 'kubectl -n kube-system set env daemonset/calico-node FELIX_IGNORELOOSERPF=true',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes cmd/kubeadm/app/preflight/checks.go (FileContentCheck)',
    'projectcalico/calico felix/dataplane/linux/int_dataplane.go',
    'moby daemon/info_unix.go',
  ],
});
