import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const notFound = line(
  'failed to find plugin',
  ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log'],
  /failed to find plugin [\\"“”]{1,8}(?<plugin>[\w.-]{1,80})[\\"“”]{1,8} in path \[(?<path>[^\]]{0,300})\]/,
);
const elsewhere = line(['/usr/lib/cni', '/usr/libexec/cni'], 'host-tools', /(?:^|\s)(?<path>\/usr\/lib(?:exec)?\/cni)(?:\/|\s|:|$)/);
const pluginFails = line(
  ['failed (add): ', 'failed (ADD): '],
  ['pod-events', 'kubelet-log'],
  /plugin type=[\\"“”]{1,8}[\w.-]{1,80}[\\"“”]{1,8}(?: name=\S{1,100})? failed \(add\): (?!failed to find plugin|[\s\S]{0,300}?failed to find plugin)/i,
);
/** Those of containernetworking; others are brought by the pod of their network. */
const STANDARD =
  /^(?:bandwidth|bridge|dhcp|dummy|firewall|host-device|host-local|ipvlan|loopback|macvlan|portmap|ptp|sbr|static|tap|tuning|vlan|vrf)$/;

export const cause = defineCause({
  id: 'cni-binary-missing',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'stuck-terminating'],
  effectOf: ['disk-full-root', 'os-upgrade-replaced-runtime-config'],

  text: {
    name: 'CNI plugin not installed',
    title: 'The CNI plugin "{plugin}" is missing on {node} (looked for in {path})',
    why: 'To give a pod its network the runtime of {node} runs the executable "{plugin}", which the CNI configuration names, from {path}. The file is not there (not installed, or its add-on was removed and the configuration in /etc/cni/net.d was left behind), so no pod sandbox can be created and pods stay in ContainerCreating.',
  },

  clues: {
    notFound: proves(notFound),
    elsewhere: supports(elsewhere),
    pluginFails: excludes(pluginFails),
  },
  says: {
    notFound: 'the runtime cannot find the plugin "{plugin}" in {path}',
    elsewhere: 'plugins stand in {other}, where the runtime does not look',
    pluginFails: 'the plugin was found and fails with an error of its own',
  },
  slots: (place, { notFound: said, elsewhere: found }) => ({
    node: place.name,
    plugin: said?.fields['plugin'] ?? 'of the CNI configuration',
    path: said?.fields['path']?.trim() || '/opt/cni/bin',
    package: !STANDARD.test(said?.fields['plugin'] ?? '')
      ? ''
      : said?.fields['path']?.includes('/opt/cni/bin')
        ? 'kubernetes-cni'
        : 'containernetworking-plugins',
    other: found?.fields['path'] ?? '/usr/lib/cni',
  }),

  fixes: [
    {
      say: 'See which plugins are there and where the runtime looks',
      risk: 'reads-only',
      steps: [
        { say: 'plugins on the node', run: 'ls -l /opt/cni/bin /usr/lib/cni /usr/libexec/cni 2>/dev/null', on: 'node' },
        { say: 'which plugins the configuration names', run: 'grep -n \'"type"\' /etc/cni/net.d/*', on: 'node' },
        { say: 'directories in use', run: "containerd config dump | grep -nE 'bin_dirs?|conf_dir'", on: 'node' },
      ],
    },
    {
      say: 'Install the CNI plugins (containernetworking plugins: bridge, loopback, portmap, host-local …) on {node}',
      risk: 'touches-node',
      steps: [
        {
          say: 'from the Kubernetes repository: kubernetes-cni fills /opt/cni/bin',
          run: 'apt-get install --reinstall -y kubernetes-cni',
          on: 'node',
          family: 'debian',
        },
        {
          say: 'from the Kubernetes repository: kubernetes-cni fills /opt/cni/bin',
          run: 'dnf reinstall -y kubernetes-cni || dnf install -y kubernetes-cni',
          on: 'node',
          family: 'rhel',
        },
        { say: 'the package of SUSE', run: 'zypper install -y cni-plugins', on: 'node', family: 'suse' },
        { say: 'the package of Alpine', run: 'apk add cni-plugins', on: 'node', family: 'alpine' },
        {
          say: 'a plugin of the network add-on itself (calico, flannel, cilium-cni) is copied by its pod: restart that pod on {node}',
          run: 'kubectl get pods -A -o wide --field-selector spec.nodeName={{node}}',
          on: 'cluster',
        },
        {
          say: 'it must copy it into {path}: cniBinDir of istio (k3s, k3d and RKE2 have folders of their own), cni.binPath of cilium, the hostPath of multus and calico',
          run: 'kubectl get daemonsets -A -o yaml | grep -nE "cni/bin|cniBinDir|/var/lib/rancher"',
          on: 'cluster',
        },
      ],
      changes: [{ do: 'package', names: { debian: '{{package}}', rhel: '{{package}}' } }],
      verified: 'ls /opt/cni/bin lists the plugin, and FailedCreatePodSandBox stops',
    },
    {
      say: 'Or let the runtime look where the distribution installs them (bin_dir)',
      risk: 'touches-node',
      steps: [
        {
          say: 'set bin_dir (containerd 2.1 and later: bin_dirs) to the directory that holds the plugins, then restart containerd',
          run: 'systemctl restart containerd',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['containernetworking/cni pkg/invoke/find.go', 'containerd docs/cri/config.md'],
});
