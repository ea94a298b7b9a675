import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SANDBOX = ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log'] as const;

const noSocket = line(
  ['Address family not supported by protocol', 'EAFNOSUPPORT', 'address family not supported', 'kind: AddrNotAvailable'],
  ['container-log', 'pod-status'],
  /(?<error>Bind\(\[::1?\]:\d{1,5}, Os \{ code: 99|(?:socket\(\) \[::\]:(?<nginx>\d{1,5}) failed \(97: )?Address family not supported by protocol|listen EAFNOSUPPORT[^\n]{0,80}|(?:listen|socket)[^\n]{0,60}address family not supported by protocol)/i,
);
const noBind = line(
  ['cannot assign requested address', 'EADDRNOTAVAIL'],
  ['container-log', 'control-plane-log', 'objects'],
  /(?<error>dial tcp \[::1\]:\d{1,5}: connect: cannot assign requested address|(?:listen|bind)[^\n]{0,40}(?:\[::1?\]|:::)[^\n]{0,40}(?:cannot assign requested address|EADDRNOTAVAIL)|EADDRNOTAVAIL[^\n]{0,30}(?:::1?:?\d{0,5}|\[::))/i,
);
const plugin = line(
  ['disable_ipv6', 'could not add IP address to', 'failed to add IPv6 addr', 'failed to enable IPv6'],
  SANDBOX,
  /(?<error>(?:open|write) \/proc\/sys\/net\/ipv6\/[\w./-]{3,80}: (?:no such file or directory|permission denied|read-only file system)|could not add IP address to [\\"“”]{1,8}[\w.-]{1,30}[\\"“”]{1,8}: permission denied|failed to (?:add|enable) IPv6[^\n]{0,100})/,
);
const families = line(
  [
    'HostIPsIPFamilyMismatch',
    'not configured on this cluster',
    'at least one IP from each family',
    'must match public address family',
    'dual-stack networking',
    'PodIPsIPFamilyMismatch',
    'no IPv6 CIDR configured',
  ],
  ['object-events', 'pod-events', 'control-plane-log', 'kubeadm-output', 'kubelet-log', 'containerd-log', 'container-log', 'objects'],
  /(?<error>(?:Host|Pod)IPsIPFamilyMismatch|usePodCidrIPv6 found but there is no IPv6 CIDR configured|[\\"“”]{1,8}IPv[46][\\"“”]{1,8}: not configured on this cluster|(?:expected )?at least one IP from each family[^\n]{0,80}|service IP family [^\n]{3,80} must match public address family[^\n]{0,60}|(?:must|should|need)[^\n]{0,60} for dual-stack networking)/,
);
const taken = line(['address already in use', 'EADDRINUSE'], ['container-log', 'pod-status']);

export const cause = defineCause({
  id: 'ipv6-disabled-or-dualstack-mismatch',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: [
    'crash-loop',
    'restarts',
    'not-ready',
    'failed',
    'creating',
    'init-crash',
    'create-error',
    'control-plane-down',
    'other-trouble',
  ],

  text: {
    name: 'IPv6 is off or does not match',
    title: 'IPv6 and IPv4 do not fit together on {node}: {error}',
    why: '{what} ({error}). Either switch IPv6 on where the program or plugin wants it, or configure program, Service and cluster for the address family that the host really has.',
  },

  clues: {
    noSocket: proves(noSocket),
    noBind: supports(noBind),
    plugin: proves(plugin),
    families: proves(families),
    taken: excludes(taken),
  },
  says: {
    noSocket: 'the program cannot open an IPv6 socket: {error}',
    noBind: 'the program cannot bind to an IPv6 address: {error}',
    plugin: 'the CNI plugin cannot set up IPv6: {error}',
    families: 'address families do not match: {error}',
    taken: 'the port itself is taken by another program',
  },
  slots: (place, { noSocket: socket, noBind: bind, plugin: cni, families: mismatch }) => ({
    node: place.name,
    error:
      socket?.fields['error'] ??
      bind?.fields['error'] ??
      cni?.fields['error'] ??
      mismatch?.fields['error'] ??
      'an address family is missing',
    sysctl:
      !socket && !mismatch && (bind || (cni && !/no such file/.test(cni.fields['error'] ?? ''))) ? 'net.ipv6.conf.all.disable_ipv6' : '',
    what: mismatch
      ? 'The address families of nodes, pods and Services are not the same: one part is configured for IPv6 or dual-stack and another is not'
      : cni
        ? 'The network add-on gives pods an IPv6 address, but the kernel of the host has IPv6 switched off'
        : 'The program wants to listen on [::] (IPv6), but the kernel of the host has IPv6 switched off',
  }),

  fixes: [
    {
      say: 'See which address families the host and the cluster have',
      risk: 'reads-only',
      steps: [
        {
          say: 'switched off by sysctl, or by the kernel command line (ipv6.disable=1)',
          run: 'sysctl net.ipv6.conf.all.disable_ipv6; cat /proc/cmdline',
          on: 'node',
        },
        {
          say: 'families of nodes and pods',
          run: 'kubectl get nodes -o jsonpath=\'{range .items[*]}{.metadata.name} {.spec.podCIDRs} {.status.addresses}{"\\n"}{end}\'',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Let the program listen on IPv4 only',
      risk: 'restarts-pods',
      for: ['noSocket', 'noBind'],
      steps: [
        {
          say: 'nginx: remove "listen [::]:80;"; others: bind to 0.0.0.0 instead of ::',
          run: 'kubectl -n NAMESPACE edit configmap NAME',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Or switch IPv6 on for {node}',
      risk: 'touches-node',
      for: ['plugin'],
      steps: [
        {
          say: 'now and for every boot',
          run: "printf 'net.ipv6.conf.all.disable_ipv6 = 0\\nnet.ipv6.conf.default.disable_ipv6 = 0\\n' > /etc/sysctl.d/99-ipv6.conf && sysctl --system",
          on: 'node',
        },
        {
          say: 'with ipv6.disable=1 on the kernel command line: remove it and reboot',
          run: 'grep -rn ipv6.disable /etc/default/grub',
          on: 'node',
        },
      ],
      changes: [
        { do: 'sysctl', key: '{{sysctl}}', value: '0' },
        { do: 'sysctl', key: 'net.ipv6.conf.default.disable_ipv6', value: '0' },
        { do: 'restart-pods' },
      ],
      verified: 'the pod starts and listens',
    },
    {
      say: 'Or bring nodes, pods and Services to the same families',
      risk: 'touches-node',
      for: ['families'],
      steps: [
        {
          say: 'kubelet --node-ip, podSubnet and serviceSubnet must name the same families; a Service only those of the cluster (ipFamilyPolicy: SingleStack)',
          run: "grep -rn -E 'node-ip|service-cluster-ip-range|cluster-cidr' /etc/kubernetes/manifests /var/lib/kubelet/kubeadm-flags.env",
          on: 'node',
        },
        {
          say: 'a node keeps the pod CIDRs it was registered with: where dual-stack was switched on later, drain it, delete its Node object and let it join again',
          run: "kubectl get nodes -o custom-columns='NODE:.metadata.name,CIDRS:.spec.podCIDRs'",
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'socket(2) EAFNOSUPPORT',
    'containernetworking/plugins plugins/main/bridge',
    'kubernetes pkg/registry/core/service/storage (ipFamilies)',
    'kubernetes pkg/kubelet/kubelet_pods.go (HostIPsIPFamilyMismatch)',
  ],
});
