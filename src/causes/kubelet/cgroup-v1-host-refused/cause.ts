import { defineCause, excludes, line, minutes, proves, supports, versionAtLeast } from '../../define-cause.ts';

const refuses = line('configured to not run on a host using cgroup v1', ['kubelet-log', 'system-log', 'kubeadm-output']);

export const cause = defineCause({
  id: 'cgroup-v1-host-refused',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],
  effectOf: ['os-upgrade-replaced-runtime-config'],

  text: {
    name: 'Kubelet refuses cgroup v1',
    title: 'The kubelet on {node} will not start, because the host is on cgroup v1',
    why: 'From 1.35 on the kubelet refuses to run on a host with cgroup v1 (failCgroupV1 is true by default; from 1.31 on it can be set). It ends at each start, and the node turns NotReady although its containers still run.',
  },

  clues: {
    refuses: proves(refuses),
    v1: supports('host.cgroup-version', ({ version }) => version === 1),
    warned: supports('node.event', ({ reason }) => reason === 'CgroupV1'),
    version: supports('host.version', ({ component, version }) => component === 'kubelet' && versionAtLeast(version, '1.35')),
    setting: supports('kubelet.setting', ({ key, value }) => key === 'failCgroupV1' && value === 'true'),
    v2: excludes('host.cgroup-version', ({ version }) => version === 2),
  },
  says: {
    refuses: 'the kubelet says that it does not run on cgroup v1',
    v1: 'the host is on cgroup v1',
    warned: 'an older kubelet had warned of cgroup v1 on this node',
    version: 'kubelet {version}: it refuses cgroup v1 unless told otherwise',
    setting: 'failCgroupV1: true is set',
    v2: 'the host is on cgroup v2 by now: the message is history',
  },
  slots: (place, { version }) => ({ node: place.name, version: version?.version ?? '1.35' }),

  fixes: [
    {
      say: 'See which hierarchy the host uses',
      risk: 'reads-only',
      steps: [{ say: 'cgroup2fs is v2, tmpfs is v1', run: 'stat -fc %T /sys/fs/cgroup; cat /proc/cmdline', on: 'node' }],
    },
    {
      say: 'Boot {node} with cgroup v2',
      risk: 'touches-node',
      steps: [
        { say: 'move the pods away', run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data', on: 'cluster' },
        {
          say: 'systemd.unified_cgroup_hierarchy=1 on the kernel command line, and no =0 left there',
          run: 'grubby --update-kernel=ALL --args=systemd.unified_cgroup_hierarchy=1',
          on: 'node',
          family: 'rhel',
        },
        { say: 'the same in GRUB_CMDLINE_LINUX of /etc/default/grub', run: 'update-grub', on: 'node', family: 'debian' },
        { say: 'reboot, and open the node', run: 'reboot', on: 'node' },
        { say: 'let pods come back', run: 'kubectl uncordon {{node}}', on: 'cluster' },
      ],
      verified: 'stat -fc %T /sys/fs/cgroup prints cgroup2fs, and the node is Ready',
    },
    {
      say: 'Stop-gap: let the kubelet run on cgroup v1 with failCgroupV1: false',
      risk: 'touches-node',
      steps: [
        {
          say: 'write it into the kubelet configuration and restart; a later release drops cgroup v1 for good',
          run: "sed -i '/^failCgroupV1:/d' /var/lib/kubelet/config.yaml && echo 'failCgroupV1: false' >> /var/lib/kubelet/config.yaml && systemctl restart kubelet",
          on: 'node',
        },
      ],
      changes: [
        { do: 'kubelet-set', key: 'failCgroupV1', value: false },
        { do: 'units', action: 'restart', units: ['kubelet'] },
      ],
      verified: 'the kubelet stays active and {node} is Ready',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/kubelet/apis/config/validation/validation_linux.go', 'Kubernetes enhancement 5573 (remove cgroup v1)'],
});
