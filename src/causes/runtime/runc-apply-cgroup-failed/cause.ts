import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const cannotApply = line(
  [
    'unable to apply cgroup configuration',
    'applying cgroup configuration for process caused',
    'error adding pid ',
    'error setting cgroup config for procHooks process',
    'setting cgroup config for procHooks process caused',
    'cannot enter cgroupv2',
    'cpu.cfs_quota_us: invalid argument',
    'cpu.max: invalid argument',
    'cpuset.cpus: invalid argument',
    'cpuset.cpus: permission denied',
  ],
  ['pod-events', 'pod-spec', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log'],
  /(?:unable to apply cgroup configuration:|applying cgroup configuration for process caused:?|error adding pid \d{1,10} to cgroups:?|setting cgroup config for procHooks process(?: caused)?:|(?=cannot enter cgroupv2)|(?=failed to write [^\n]{0,300}?(?:cpu\.cfs_quota_us|cpu\.max|cpuset\.cpus): (?:invalid argument|permission denied))) ?[\\"]{0,6}(?<error>[^\n]{3,400})/,
);
const unitFails = line(
  [
    'unable to start unit',
    'error creating systemd unit',
    'sd-bus call:',
    'Failed to activate service',
    '.scope already exists',
    '.scope was already loaded',
    'systemd not running on this host',
  ],
  ['pod-events', 'pod-spec', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log'],
  /unable to start unit \\*"(?<unit>[^"\\]{1,200})\\*"[^\n]{0,1200}?\)?: (?<error>[^\n"\\()[\]{}]{5,160})|error creating systemd unit `(?<scope>[^`]{1,200})`: got `(?<got>[^`]{1,40})`|(?<left>Unit [\w.:@-]{3,200}\.scope (?:already exists|was already loaded)[^\n"\\]{0,60})|(?<none>systemd not running on this host, cannot use systemd cgroups manager)|sd-bus call: (?<bus>[^\n"\\]{3,160})|(?<activate>Failed to activate service 'org\.freedesktop\.systemd1': timed out)/,
);
const driverMismatch = line('expected cgroupsPath to be of format', []);
const memoryTooLow = line(
  ['memory.limit_in_bytes', 'memory.max', 'container init was OOM-killed', 'unable to set memory limit'],
  [],
  /memory\.(?:limit_in_bytes|max): device or resource busy|container init was OOM-killed|memory limit too low|unable to set memory limit/,
);
const oldRuntime = line(['cgroup mountpoint does not exist', "doesn't work on cgroups v2", "Devices cgroup isn't mounted"], []);

export const cause = defineCause({
  id: 'runc-apply-cgroup-failed',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['create-error', 'creating', 'crash-loop', 'init-crash', 'init-stuck', 'failed', 'other-trouble'],
  effectOf: ['systemd-or-dbus-broken', 'kernel-bug-or-hung-task', 'oom-node-global'],

  text: {
    name: 'Container cgroup cannot be set up',
    title: 'runc on {node} cannot put containers into their cgroup: {error}',
    why: 'Before a container runs, runc creates its cgroup (through systemd over D-Bus, or below /sys/fs/cgroup) and moves the process in. That fails on {node}: {error}. {hint} Containers of any pod can fail there until it is repaired.',
  },

  clues: {
    cannotApply: proves(cannotApply, notByContainers),
    unitFails: proves(unitFails, notByContainers),
    dbusDown: supports('unit.state', ({ unit, active }) => /^dbus/.test(unit) && active !== 'active'),
    driverMismatch: excludes(driverMismatch),
    memoryTooLow: excludes(memoryTooLow),
    oldRuntime: excludes(oldRuntime),
  },
  says: {
    cannotApply: 'runc says it cannot apply the cgroup configuration: {error}',
    unitFails: 'systemd does not create the scope of the container: {error}',
    dbusDown: 'dbus is not running',
    driverMismatch: 'kubelet and runtime use different cgroup drivers (slice:prefix:name)',
    memoryTooLow: 'the memory limit is too small for a container to start',
    oldRuntime: 'the runtime is too old for cgroup v2',
  },
  slots: (place, { cannotApply: apply, unitFails: unit }) => {
    const fields = unit?.fields ?? {};
    const systemd =
      fields['error'] ??
      (fields['got'] ? `systemd answers "${fields['got']}"` : undefined) ??
      fields['bus'] ??
      fields['left'] ??
      fields['none'] ??
      fields['activate'];
    const error = plain(systemd ?? apply?.fields['error'] ?? 'the cgroup cannot be written');
    return { node: place.name, error, hint: hintOf(error) };
  },

  fixes: [
    {
      say: 'See whether systemd and D-Bus answer, and how many cgroups there are',
      risk: 'reads-only',
      steps: [
        {
          say: 'systemd and D-Bus',
          run: 'systemctl is-system-running; systemctl status dbus --no-pager; busctl list --no-pager | wc -l',
          on: 'node',
        },
        { say: 'what systemd says about the scope', run: "journalctl _PID=1 --since '30 min ago' --no-pager | tail -50", on: 'node' },
        {
          say: 'leaked cgroups, kernel and runc version',
          run: 'cat /proc/cgroups 2>/dev/null; find /sys/fs/cgroup -type d | wc -l; uname -r; runc --version',
          on: 'node',
        },
      ],
    },
    {
      say: 'Bring systemd and D-Bus back to work, then restart the runtime',
      risk: 'touches-node',
      steps: [
        { say: 'systemd starts over without stopping services', run: 'systemctl daemon-reexec', on: 'node' },
        {
          say: 'a scope of that name that is left over',
          run: "systemctl reset-failed; systemctl list-units --type=scope --all --no-pager | grep -E 'failed|abandoned'",
          on: 'node',
        },
        { say: 'restart runtime and kubelet', run: 'systemctl restart containerd && systemctl restart kubelet', on: 'node' },
      ],
      verified: 'containers start on {node} again',
    },
    {
      say: 'CPU limit refused: use a limit that is a multiple of 10m (and at least 10m), the same for requests of Guaranteed pods; then upgrade runc and containerd',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'limits that are no multiple of 10m',
          run: `kubectl get pods -A -o jsonpath='{range .items[*]}{.metadata.namespace}/{.metadata.name}{" "}{.spec.containers[*].resources.limits.cpu}{"\\n"}{end}' | grep -E '[1-9]m'`,
          on: 'cluster',
        },
        { say: 'change it in the workload', run: 'kubectl -n NAMESPACE set resources deployment/NAME --limits=cpu=100m', on: 'cluster' },
        {
          say: 'what the parents allow',
          run: 'find /sys/fs/cgroup -maxdepth 4 \\( -name cpu.max -o -name cpu.cfs_quota_us \\) -path "*kubepods*" -exec grep -H . {} +',
          on: 'node',
        },
      ],
      verified: 'the container starts',
    },
    {
      say: 'Leaked cgroups or an old kernel or runc: drain {node}, upgrade kernel and runc, reboot',
      risk: 'moves-pods',
      steps: [
        { say: 'move the pods away', run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data', on: 'cluster' },
        {
          say: 'Debian, Ubuntu',
          run: 'apt-get update && apt-get install --only-upgrade -y containerd.io runc systemd',
          on: 'node',
          family: 'debian',
        },
        {
          say: 'RHEL, CentOS: a kernel after 3.10, or the boot parameter cgroup.memory=nokmem',
          run: 'yum update -y kernel systemd containerd.io && grubby --update-kernel=ALL --args=cgroup.memory=nokmem',
          on: 'node',
          family: 'rhel',
        },
        { say: 'reboot, then open it again', run: 'systemctl reboot', on: 'node' },
        { say: 'open the node', run: 'kubectl uncordon {{node}}', on: 'cluster' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'opencontainers/cgroups systemd/common.go, systemd/v1.go, systemd/v2.go',
    'opencontainers/runc libcontainer/process_linux.go',
    'containers/crun src/libcrun/cgroup-systemd.c',
    'runc issues 2313, 3312; moby issue 29638',
  ],
});

const CPU_QUOTA = /(?<file>cpu\.cfs_quota_us|cpu\.max): invalid argument/;

/** Without the quotes and the tail that each wrapping adds. */
function plain(error: string): string {
  const quota = CPU_QUOTA.exec(error)?.groups?.['file'];
  if (quota) return `the kernel refuses the CPU limit of the container (${quota}: invalid argument)`;
  const text = error
    .replace(/[\\"]/g, '')
    .replace(/(?:: unknown)?[\s\])]*$/, '')
    .trim();
  return text.length > 160 ? `…${text.slice(-160)}` : text;
}

/** What such an error usually comes from. */
function hintOf(error: string): string {
  if (/cannot allocate memory|no space left on device/i.test(error))
    return 'The kernel has run out of cgroups: old kernels (3.10) leak them through kernel memory accounting.';
  if (/systemd not running/i.test(error))
    return 'The runtime is set to the systemd cgroup driver on a host without systemd as PID 1 (a container, WSL, Alpine): set SystemdCgroup = false and cgroupDriver cgroupfs, or boot with systemd.';
  if (/already exists/i.test(error)) return 'A scope of the same name is left over from an earlier try.';
  if (/timed out|Message recipient disconnected|connection closed|not connected|active connections|systemd1|systemd answers/i.test(error))
    return 'systemd (PID 1) or D-Bus hangs, is overloaded or was restarted.';
  if (/no such file or directory/i.test(error)) return 'The cgroup of the pod is gone, or a controller is not mounted.';
  if (CPU_QUOTA.test(error))
    return 'The quota of a container may not be larger than that of the cgroups above it. With the systemd driver the quota of the pod is rounded to whole percents (51m becomes 5 %), and some versions of kubelet, containerd and runc round the one of the container differently; or a parent has a quota of its own (kubelet in a container, --cgroup-root), or the limit is below 1 ms (10m).';
  if (/invalid argument/i.test(error))
    return 'A limit does not fit into that of the pod or parent cgroup, or the kernel lacks the controller.';
  return 'The state of systemd and of the cgroup tree tells more.';
}
