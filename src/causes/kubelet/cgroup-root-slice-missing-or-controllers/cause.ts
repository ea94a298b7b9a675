import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

// Until 1.7 the kubelet wrote it with an s.
const topLevel = ['failed to initialize top level QOS containers', 'failed to initialise top level QOS containers'];
const topLevelReason = /failed to initiali[sz]e top level QOS containers: (?<reason>[^\n]{1,1500})/;
const noPodCgroup = line(
  ['unable to ensure pod container exists', 'failed to ensure that the pod:'],
  ['pod-events', 'kubelet-log'],
  /(?:unable to ensure pod container exists|failed to ensure that the pod: \S{1,80} cgroups exist and are correctly applied): failed to create container for \[?(?<cgroup>[^\]:\n]{1,120})\]? ?: (?<reason>[^\n]{1,1500})/,
);
const notMounted = line(
  [
    'Following Cgroup subsystem not mounted',
    'failed to find subsystem mount for required subsystem',
    'failed to find memory cgroup',
    'failed to find cpu cgroup',
    'failed to find pids cgroup',
    'failed to find cpuset cgroup',
    'memory cgroup is not enabled',
  ],
  ['kubelet-log', 'system-log', 'host-tools'],
  /(?:Following Cgroup subsystem not mounted: \[?|failed to find subsystem mount for required subsystem: |failed to find (?=(?:memory|cpu|cpuset|pids) cgroup)|The (?=memory cgroup is not enabled))(?<controllers>[\w ,]{2,80}?)(?: cgroup|\]|$|[^\w ,])/i,
);
/** The kubelet asks systemd for a property that came later than the systemd of the host. */
const property = line(
  ['or unknown property'],
  ['kubelet-log', 'system-log'],
  /(?<reason>Cannot set property (?<property>\w{3,60}), or unknown property)/,
);
const noRoot = line(
  ['invalid configuration: cgroup'],
  ['kubelet-log', 'system-log', 'prose'],
  /invalid configuration: (?<reason>cgroup(?:-root)? \[[^\]\n]{0,120}\] (?:has some missing (?:paths|controllers): [^\n"]{2,300}|doesn't exist[^\n"]{0,60}))/,
);
const busFails = line(
  [...topLevel, 'unable to ensure pod container exists'],
  [],
  /(?:dbus: connection closed|Timeout waiting for systemd|Connection timed out|Message recipient disconnected|Failed to activate service|org\.freedesktop\.systemd1)/,
);

export const cause = defineCause({
  id: 'cgroup-root-slice-missing-or-controllers',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'creating', 'init-stuck', 'control-plane-down', 'other-trouble'],
  effectOf: ['kernel-too-old-or-module-missing', 'kernel-bug-or-hung-task'],

  text: {
    name: 'Pod cgroups cannot be made',
    title: 'The kubelet on {node} cannot set up the kubepods cgroup: {reason}',
    why: 'The kubelet keeps all pods below one cgroup (kubepods) and needs the controllers cpu, cpuset, memory, pids and hugetlb there. On {node} that fails ({reason}), so it ends at its start or can make no cgroup for new pods.{leak}',
  },

  clues: {
    // One such failure right after a start is a known race with systemd; only a repetition counts.
    startFails: proves(
      line(topLevel, ['kubelet-log', 'system-log'], topLevelReason),
      ({ count, fields }) => count >= 2 || !/missing controllers|doesn't exist/.test(fields['reason'] ?? ''),
    ),
    startFailedOnce: supports(line(topLevel, ['kubelet-log', 'system-log'], topLevelReason)),
    // Likewise a folder that systemd was about to make.
    podFails: proves(noPodCgroup, ({ count, fields }) => count >= 2 || !/no such file or directory/.test(fields['reason'] ?? '')),
    // A host on cgroup v2 seems to lack them all to an old kubelet, which is another fault.
    notMounted: proves(
      notMounted,
      ({ fields }) => !(/\bcpu\b/.test(fields['controllers'] ?? '') && /\bmemory\b/.test(fields['controllers'] ?? '')),
    ),
    oldSystemd: proves(property),
    noRoot: proves(noRoot),
    loops: supports(
      'unit.state',
      ({ unit, sub, restarts }) => /^kubelet(?:\.service)?$/.test(unit) && (sub === 'auto-restart' || (restarts ?? 0) >= 2),
    ),
    switchedOff: supports(
      'host.tool',
      ({ name, present }) => /^cgroup controller (?:cpu|cpuset|memory|pids|hugetlb)$/.test(name) && !present,
    ),
    busFails: excludes(busFails),
  },
  says: {
    startFails: 'the kubelet ends at its start: {reason}',
    startFailedOnce: 'the kubelet could not set up its top cgroups',
    podFails: 'no cgroup can be made for a pod ({cgroup})',
    notMounted: 'the host lacks cgroup controllers: {controllers}',
    oldSystemd: 'systemd does not know the property {property}: it is older than this kubelet wants',
    noRoot: 'the kubelet ends at its start: {reason}',
    loops: 'the kubelet is restarted again and again',
    switchedOff: 'the {controller} is switched off in the kernel',
    busFails: 'systemd or its bus does not answer; the cgroups are not at fault',
  },
  slots: (place, { startFails, startFailedOnce, podFails, notMounted: mounts, oldSystemd: old, switchedOff, noRoot: root }) => ({
    node: place.name,
    reason: plainReason(
      startFails?.fields['reason'] ??
        startFailedOnce?.fields['reason'] ??
        podFails?.fields['reason'] ??
        root?.fields['reason'] ??
        (old ? `systemd is too old and does not know the property ${old.fields['property'] ?? ''}` : undefined) ??
        (mounts ? `controllers not mounted: ${mounts.fields['controllers'] ?? ''}` : 'it cannot be created'),
    ),
    leak: hintOf(
      startFails?.fields['reason'] ?? startFailedOnce?.fields['reason'] ?? podFails?.fields['reason'] ?? root?.fields['reason'] ?? '',
    ),
    property: old?.fields['property'] ?? 'TasksAccounting',
    cgroup: podFails?.fields['cgroup'] ?? 'kubepods',
    controllers: mounts?.fields['controllers']?.trim() ?? 'memory',
    controller: switchedOff?.name ?? 'cgroup controller memory',
  }),

  fixes: [
    {
      say: 'See which controllers the host has',
      risk: 'reads-only',
      steps: [
        {
          say: 'v2, v1, and the kernel command line',
          run: 'cat /sys/fs/cgroup/cgroup.controllers /proc/cgroups /proc/cmdline 2>/dev/null',
          on: 'node',
        },
        {
          say: 'no space left on device: /run is full, or there are too many cgroups',
          run: "df -h /run; awk '{print $1, $3}' /proc/cgroups",
          on: 'node',
        },
      ],
    },
    {
      say: 'Clear what is stuck: re-execute systemd and restart the kubelet; a reboot clears it too',
      risk: 'touches-node',
      steps: [
        {
          say: 'for slices that already exist, are gone or are busy',
          run: 'systemctl daemon-reexec && systemctl restart kubelet',
          on: 'node',
        },
        {
          say: 'a slice that stays: stop it (this ends all pods of the node), then start the kubelet',
          run: "systemctl stop kubelet; systemctl list-units --all --type=slice --no-legend --no-pager | grep -o 'kubepods[^ ]*' | xargs -r systemctl stop; systemctl start kubelet",
          on: 'node',
        },
      ],
    },
    {
      say: 'Switch the missing controllers on and reboot {node}',
      risk: 'touches-node',
      for: ['notMounted', 'switchedOff'],
      steps: [
        {
          say: 'Raspberry Pi: put cgroup_enable=cpuset cgroup_enable=memory cgroup_memory=1 at the end of the one line in cmdline.txt',
          run: 'sed -i "s/$/ cgroup_enable=cpuset cgroup_enable=memory cgroup_memory=1/" /boot/firmware/cmdline.txt',
          on: 'node',
        },
        {
          say: 'elsewhere: take cgroup_disable=… out of the kernel command line; in LXC or a nested container give it the controllers (Delegate, nesting)',
          on: 'node',
        },
        {
          say: 'reboot; on old kernels that leak memory cgroups, upgrade the kernel or boot it with cgroup.memory=nokmem',
          run: 'reboot',
          on: 'node',
        },
      ],
      verified: 'the kubelet stays up, and a new pod starts',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/cm/qos_container_manager_linux.go, cgroup_v2_manager_linux.go, pod_container_manager_linux.go',
    'kubernetes pull request 125923',
  ],
});

/** What such a reason usually comes from. */
function hintOf(reason: string): string {
  if (/no space left on device/.test(reason))
    return ' No disk is full: the kernel has run out of memory cgroups (65535), which old kernels (3.10) leak when kernel memory accounting (kmem) is on; a reboot frees them, a newer kernel or cgroup.memory=nokmem cures it.';
  if (/already exists/.test(reason))
    return ' systemd still holds that slice from before: a kubelet with another cgroup driver or another installation on the same machine, or one that was killed in the middle. Stop the slice or reboot.';
  if (/missing paths|cgroup-root/.test(reason))
    return ' The folder of the pods is missing below that controller: another program (a second WSL distribution with Docker Desktop, a container around the kubelet) has mounted or made the cgroups differently; make that distribution the default, or reboot, and prefer cgroup v2.';
  if (/find subsystem mount/i.test(reason))
    return ' That controller is not mounted where the kubelet runs: switched off in the kernel, not handed on to a container or nested host, or taken off the mounts by another tool.';
  return '';
}

/** systemd's refusals carry all properties of the unit before the reason itself. */
function plainReason(reason: string): string {
  const subsystem = /[Ff]ailed to find subsystem mount for (?:required )?subsystem: (?<name>[\w,]{2,30})/.exec(reason)?.groups?.['name'];
  if (subsystem) return `the cgroup controller ${subsystem} is not mounted`;
  const unit = /Unit (?<name>[\w.-]{1,120}\.slice) already exists/.exec(reason)?.groups?.['name'];
  if (unit) return `systemd already has a slice ${unit} (left over)`;
  const short = reason.replace(/\(properties \[[^\n]*\]\): /, '');
  return short
    .replace(/[\\"]+/g, '')
    .trim()
    .slice(0, 160);
}
