import { defineCause, excludes, line, minutes, proves, supports, versionBelow } from '../../define-cause.ts';

const noRootfs = line(
  [
    'failed to get rootfs info',
    'Fail to get rootfs information',
    'in cached partitions map',
    'failed to get imageFs info: unable to find data',
  ],
  'kubelet-log',
  /(?:[Ff]ail(?:ed)? to get rootfs info(?:rmation)?:? (?<error>[^\n"]{3,240})|(?:get device for dir|filesystem Device for dir) [\\"]{0,4}(?<dir>\/[^\s\\":]{0,200})[^\n]{0,60}?could not find device with major: (?<major>\d{1,6}), minor: (?<minor>\d{1,8}) in cached partitions map)/,
);
const device = line(
  'in cached partitions map',
  'kubelet-log',
  /dir [\\"]{0,4}(?<dir>\/[^\s\\":]{0,200})[\\"]{0,4}:[^\n]{0,30}?could not find device with major: (?<major>\d{1,6}), minor: (?<minor>\d{1,8}) in cached partitions map/,
);
const capacity = line(
  'missing node capacity for resources: ephemeral-storage',
  ['node-status', 'node-events', 'kubelet-log'],
  /missing node capacity for resources: ephemeral-storage/,
);
/** Kernels of some vendors write more into it than cAdvisor expects. */
const foreign = line('is expected to have 4 fields', 'kubelet-log', /(?<file>cpuacct\.\w{3,20}) is expected to have 4 fields/);
const started = line('Successfully registered node', [], /Successfully registered node/);

export const cause = defineCause({
  id: 'kubelet-rootfs-stats-unavailable',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'Kubelet cannot measure its disk',
    title: 'The kubelet of {node} cannot find out how large the filesystem of {dir} is, and does not start its container manager',
    why: 'At its start the kubelet asks cAdvisor for the size of the filesystem that holds {dir} (ephemeral-storage). {mechanism} Without that number the container manager does not start and the node stays NotReady or the kubelet restarts in a loop.',
  },

  clues: {
    noRootfs: proves(noRootfs),
    device: supports(device),
    capacity: supports(capacity),
    foreign: supports(foreign),
    unified: supports('host.cgroup-version', ({ version }) => version === 2),
    old: supports('host.version', ({ component, version }) => component === 'kubelet' && versionBelow(version, '1.19')),
    started: excludes(started, ({ channel }) => channel === 'kubelet-log'),
  },
  says: {
    noRootfs: 'the kubelet cannot get the size of its root filesystem',
    device: 'the device of {dir} is not among the partitions cAdvisor knows',
    capacity: 'the node has no ephemeral-storage capacity yet',
    foreign: 'cAdvisor cannot read {file} of this kernel',
    unified: 'the host uses cgroup v2',
    old: 'the kubelet is older than 1.19 and knows cgroup v1 only',
    started: 'the node has registered since',
  },
  slots: (place, { noRootfs: said, device: found, foreign: kernel, unified, old }) => {
    const dir = found?.fields['dir'] ?? said?.fields['dir'] ?? '/var/lib/kubelet';
    const major = found?.fields['major'] ?? said?.fields['major'];
    return {
      node: place.name,
      dir,
      file: kernel?.fields['file'] ?? 'cpuacct.stat',
      mechanism: kernel
        ? 'The kernel of this host (of a vendor) writes cpuacct.stat in a format that the cAdvisor of this kubelet does not know, so it has no numbers at all: boot the kernel of the distribution or a newer one, or upgrade the kubelet.'
        : unified && old
          ? `The host uses cgroup v2, and this kubelet (${old.version}) knows cgroup v1 only, so cAdvisor finds nothing: kubelets know v2 since 1.19. Upgrade it, or boot the host with systemd.unified_cgroup_hierarchy=0.`
          : major !== undefined
            ? `The device of ${dir} (major ${major}) is none that cAdvisor lists: btrfs, zfs, overlay, tmpfs, NFS or a container's own root, mounted after the kubelet started or not seen from where it runs.`
            : 'cAdvisor has no numbers for it: it could not read the cgroups or mounts of the host (cgroup controllers not mounted, an unknown kernel format, a filesystem it does not know, another kubelet --root-dir), or it had not gathered them in time.',
    };
  },

  fixes: [
    {
      say: 'See on which filesystem the kubelet lives and what cAdvisor complains about',
      risk: 'reads-only',
      steps: [
        { say: 'the filesystem', run: 'df -hT {{dir}} /; findmnt -T {{dir}}; grep -E " {{dir}} | / " /proc/self/mountinfo', on: 'node' },
        { say: 'cgroups', run: 'stat -fc %T /sys/fs/cgroup; cat /proc/cgroups; mount | grep cgroup', on: 'node' },
        {
          say: 'warnings before the fatal line',
          run: 'journalctl -u kubelet -b --no-pager | grep -iE "cadvisor|fs.go|stat failed|Failed to update stats" | tail -20',
          on: 'node',
        },
      ],
    },
    {
      say: 'Put the directory of the kubelet on a disk of its own type (ext4, xfs), and restart the kubelet after the mount',
      risk: 'touches-node',
      steps: [
        { say: 'mounted after the start: a restart is enough', run: 'systemctl restart kubelet', on: 'node' },
        { say: 'btrfs, zfs, NFS, tmpfs, overlay: mount an ext4 or xfs volume at {dir}', run: 'findmnt -T {{dir}}', on: 'node' },
        {
          say: 'a kubelet inside a container or on an unusual filesystem: switch the accounting off',
          run: 'grep -n featureGates -A3 /var/lib/kubelet/config.yaml   # LocalStorageCapacityIsolation: false (localStorageCapacityIsolation: false since 1.25)',
          on: 'node',
        },
      ],
      verified: 'the kubelet stays active, and kubectl describe node {node} shows ephemeral-storage',
    },
    {
      say: 'Reboot where cgroup mounts are broken',
      risk: 'moves-pods',
      steps: [{ say: 'drain and restart the host', run: 'kubectl drain {{node}} --ignore-daemonsets', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/kubelet/cm/container_manager_linux.go', 'cadvisor fs/fs.go', 'kubernetes issues 38337, 44059, 98009'],
});
