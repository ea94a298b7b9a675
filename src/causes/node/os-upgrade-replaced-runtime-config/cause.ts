import { defineCause, excludes, line, minutes, needs, supports } from '../../define-cause.ts';

const PACKAGES =
  'containerd(?:\\.io)?|runc|crun|docker-ce|docker\\.io|moby-engine|cri-o|cri-dockerd|kubelet|iptables|systemd|dbus|linux-image[\\w.+-]{0,40}|kernel(?:-core)?|nvidia-container-toolkit|podman';

const upgraded = line(
  [
    'upgrade containerd',
    'upgrade runc',
    'upgrade docker',
    'upgrade kubelet',
    'upgrade systemd',
    'upgrade cri',
    'Upgrade: ',
    'Upgraded: ',
    'Updated: ',
    'Unpacking ',
    'Packages that will be upgraded',
    'upgrade iptables',
    'upgrade linux-image',
  ],
  ['system-log', 'host-tools'],
  new RegExp(
    `(?:\\bupgrade (?<dpkg>${PACKAGES}):\\w{3,8} (?<old>\\S{1,80}) (?<new>\\S{1,80})|Upgrade: [^\\n]{0,2000}?\\b(?<apt>${PACKAGES}):\\w{3,8} \\(|(?:Upgraded|Updated): (?:\\d{1,3}:)?(?<rpm>${PACKAGES})-\\d|Unpacking (?<unpacked>${PACKAGES}) \\([^)\\n]{1,80}\\) over|Packages that will be upgraded: [^\\n]{0,1000}?\\b(?<unattended>${PACKAGES})\\b)`,
  ),
);
const replaced = line(
  ['Installing new version of config file', '.rpmsave', '.dpkg-old', '.pacsave'],
  ['system-log', 'host-tools'],
  /Installing new version of config file (?<dpkg>\/etc\/(?:containerd|docker|crio|cni|kubernetes|default|systemd|iscsi)[\w./-]{1,160})|saved as (?<rpm>\/etc\/[\w./-]{1,160})\.rpmsave|(?<left>\b(?:config\.toml|daemon\.json|crio\.conf|kubelet))\.(?:rpmsave|dpkg-old|pacsave)/,
);
const kept = line(
  [
    'config.toml.rpmnew',
    'daemon.json.rpmnew',
    'crio.conf.rpmnew',
    'kubelet.rpmnew',
    'config.toml.dpkg-',
    'daemon.json.dpkg-',
    'crio.conf.dpkg-',
  ],
  ['system-log', 'host-tools'],
  /(?<file>(?:config\.toml|daemon\.json|crio\.conf|kubelet))\.(?:rpmnew|dpkg-dist|dpkg-new)/,
);
const heldBack = line(['have been kept back', 'was already set on hold', 'set on hold'], [], /have been kept back|set on hold/);

export const cause = defineCause({
  id: 'os-upgrade-replaced-runtime-config',
  area: 'node',
  at: 'Node',
  maturity: 'sandbox',
  explains: [
    'node-not-ready',
    'kubelet-down',
    'runtime-down',
    'creating',
    'create-error',
    'restarts',
    'crash-loop',
    'stuck-terminating',
    'control-plane-down',
  ],

  text: {
    name: 'Package upgrade changed the runtime',
    title: 'A package upgrade on {where} replaced or restarted {package}{file}',
    why: 'Packages of the container runtime or the system were upgraded on {where} ({package}{versions}). Such an upgrade restarts the daemon and may put a default configuration in place of the one in use{file}: then SystemdCgroup, the CRI plugin, registry mirrors or a runtime handler are gone, and the whole node breaks at that minute.',
  },

  clues: {
    upgraded: needs(upgraded),
    replaced: supports(replaced),
    kept: supports(kept),
    notReady: supports(
      'node.symptom',
      ({ symptom }) => symptom === 'node-not-ready' || symptom === 'runtime-down' || symptom === 'kubelet-down',
    ),
    defaults: supports('runtime.cgroup-driver', ({ driver, explicit }) => driver === 'cgroupfs' && !explicit),
    heldBack: excludes(heldBack),
  },
  says: {
    upgraded: 'the package {package} was upgraded{versions}',
    replaced: 'its configuration was replaced{file}',
    kept: 'a new default configuration lies beside the old one: {beside}',
    notReady: 'the node, its kubelet or its runtime is down: {state}',
    defaults: 'the runtime runs on default settings',
    heldBack: 'the packages were held back and not upgraded',
  },
  slots: (place, { upgraded: change, replaced: config, kept: beside, notReady }) => {
    const fields = change?.fields ?? {};
    const file = config?.fields['dpkg'] ?? config?.fields['rpm'] ?? config?.fields['left'];
    return {
      where: place.kind !== 'Node' || place.name.includes(' ') ? 'this node' : `node ${place.name}`,
      package: fields['dpkg'] ?? fields['apt'] ?? fields['rpm'] ?? fields['unpacked'] ?? fields['unattended'] ?? 'the runtime',
      versions: fields['old'] && fields['new'] ? ` from ${fields['old']} to ${fields['new']}` : '',
      file: file ? ` (${file})` : '',
      beside: beside?.fields['file'] ?? 'config.toml',
      state: notReady?.detail ?? 'down',
    };
  },

  fixes: [
    {
      say: 'See what was upgraded when, and compare the configuration with that of a node that works',
      risk: 'reads-only',
      steps: [
        {
          say: 'history',
          run: "grep ' upgrade ' /var/log/dpkg.log | tail -30; zgrep -h '^Upgrade' /var/log/apt/history.log* | tail -5",
          on: 'node',
          family: 'debian',
        },
        { say: 'history', run: 'dnf history list | head; rpm -qa --last | head -20', on: 'node', family: 'rhel' },
        {
          say: 'configuration files that were saved or put beside',
          run: "find /etc -name '*.rpmnew' -o -name '*.rpmsave' -o -name '*.dpkg-*'; containerd config dump | grep -nE 'SystemdCgroup|disabled_plugins|sandbox_image'",
          on: 'node',
        },
      ],
    },
    {
      say: 'Put the configuration back and restart the runtime and the kubelet',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'from the saved file, or from a node that works',
          run: 'ls /etc/containerd; cp -a /etc/containerd/config.toml.rpmsave /etc/containerd/config.toml 2>/dev/null || cp -a /etc/containerd/config.toml.dpkg-old /etc/containerd/config.toml',
          on: 'node',
        },
        { say: 'restart', run: 'systemctl restart containerd kubelet', on: 'node' },
      ],
      verified: 'crictl info shows the settings, and {where} is Ready',
    },
    {
      say: 'Hold the packages of the runtime, and upgrade them by hand on drained nodes',
      risk: 'touches-node',
      steps: [
        { say: 'hold', run: 'apt-mark hold containerd.io containerd runc docker-ce kubelet kubeadm kubectl', on: 'node', family: 'debian' },
        {
          say: 'exclude',
          run: "echo 'exclude=containerd.io runc docker-ce kubelet kubeadm kubectl' >> /etc/dnf/dnf.conf",
          on: 'node',
          family: 'rhel',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['dpkg conffiles, rpm %config(noreplace)', 'containerd.io package: /etc/containerd/config.toml'],
});
