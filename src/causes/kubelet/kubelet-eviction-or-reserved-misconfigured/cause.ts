import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const enforce = line(
  ['Reserved Cgroup Limits on', 'Reserved Compressible Cgroup Limits on'],
  ['kubelet-log', 'node-events'],
  /Failed to enforce (?<which>System|Kube) Reserved (?:Compressible )?Cgroup Limits on [\\"]{0,4}(?<cgroup>[^\s"\\]{1,120})[\\"]{0,4}: (?<reason>[\s\S]{1,300})/i,
);
const allocatable = line(
  'invalid Node Allocatable configuration',
  'kubelet-log',
  /invalid Node Allocatable configuration\. (?<reason>Resource [\\"]{0,4}(?<resource>[\w./-]{1,60})[\\"]{0,4} has a reservation of (?:\{\{)?(?<reserved>[^\s}]{1,40})[\s\S]{0,80}? but capacity of (?:\{\{)?(?<capacity>[^\s}]{1,40}))?/i,
);
const threshold = line(
  [
    'unsupported eviction signal',
    'invalid eviction threshold',
    'eviction percentage threshold',
    'eviction threshold ',
    'for the soft eviction threshold',
    'invalid eviction grace period',
  ],
  'kubelet-log',
  /(?<error>unsupported eviction signal [\w.]{1,60}|invalid eviction threshold[^\n"\\]{0,100}|eviction percentage threshold [\w.]{1,60} must be [<>]= ?\d{1,3}%[^\n"\\]{0,60}|eviction threshold [\w.]{1,60} must be positive[^\n"\\]{0,60}|grace period must be specified for the soft eviction threshold [\w.]{1,60}|invalid eviction grace period specified[^\n"\\]{0,100})/i,
);
const cpus = line(
  ['is not a subset of online-cpus', '-reserved value failed to parse', 'unable to parse reserved-cpus list'],
  'kubelet-log',
  /(?<error>reserved-cpus: [\d,-]{1,100} is not a subset of online-cpus: [\d,-]{1,100}|--(?:kube|system|qos)-reserved value failed to parse[^\n"\\]{0,120}|unable to parse reserved-cpus list[^\n"\\]{0,120})/i,
);
const limits = line(
  'Failed to update Node Allocatable Limits',
  ['node-events', 'kubelet-log'],
  /Failed to update Node Allocatable Limits [^\n:]{1,120}: (?<reason>[\s\S]{1,300})/i,
);
const bus = line(
  'Node Allocatable Limits',
  [],
  /Allocatable Limits[^\n]{0,300}(?:dbus|Connection timed out|Message recipient disconnected)/,
);
const cameUp = line('Updated Node Allocatable limit across pods', []);

export const cause = defineCause({
  id: 'kubelet-eviction-or-reserved-misconfigured',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'pending', 'evicted', 'creating', 'other-trouble'],

  text: {
    name: 'Reserved resources set wrong',
    title: 'The kubelet of {node} cannot keep its reserved resources: {what}',
    why: 'kubeReserved, systemReserved, their cgroups and the eviction thresholds of the kubelet must fit the machine. On {node} they do not ({what}): the kubelet exits at its start, or cannot set the limits of the pods and says FailedNodeAllocatableEnforcement.',
  },

  clues: {
    enforce: proves(enforce),
    allocatable: proves(allocatable),
    threshold: proves(threshold, ({ channel }) => channel !== 'container-log'),
    cpus: proves(cpus, ({ channel }) => channel !== 'container-log'),
    limits: proves(limits, ({ fields }) => !/dbus|timed out|disconnected/.test(fields['reason'] ?? '')),
    event: supports('node.event', ({ reason }) => reason === 'FailedNodeAllocatableEnforcement'),
    setting: supports('kubelet.setting', ({ key }) =>
      /^(?:kubeReservedCgroup|systemReservedCgroup|kube-reserved-cgroup|system-reserved-cgroup)$/.test(key),
    ),
    bus: excludes(bus),
    cameUp: excludes(cameUp),
  },
  says: {
    enforce: 'limits of the {which}-reserved cgroup {cgroup} cannot be set: {reason}',
    allocatable: 'the kubelet reserves more than the machine has: {what}',
    threshold: 'an eviction threshold is wrong: {error}',
    cpus: 'a reserved value is wrong: {error}',
    limits: 'the limit of all pods cannot be set: {reason}',
    event: 'the node reports FailedNodeAllocatableEnforcement',
    setting: 'the kubelet is given a cgroup for reserved resources: {cgroup}',
    bus: 'systemd or its bus does not answer',
    cameUp: 'the limits were set in the end',
  },
  slots: (place, seen) => {
    const reason = short(seen.enforce?.fields['reason'] ?? seen.limits?.fields['reason'] ?? 'it cannot be set');
    const error = short(seen.threshold?.fields['error'] ?? seen.cpus?.fields['error'] ?? 'a wrong value');
    const cgroup = seen.enforce?.fields['cgroup'] ?? seen.setting?.value ?? 'of reserved resources';
    const which = (seen.enforce?.fields['which'] ?? 'kube').toLowerCase();
    const { resource, reserved, capacity } = seen.allocatable?.fields ?? {};
    return {
      node: place.name,
      reason,
      error,
      cgroup,
      which,
      what: seen.enforce
        ? `the ${which}-reserved cgroup ${cgroup} does not exist or takes no limit (${reason})`
        : seen.allocatable
          ? resource
            ? `it reserves ${reserved ?? 'more'} of ${resource}, the machine has ${capacity ?? 'less'}`
            : 'it reserves more than the machine has'
          : seen.threshold || seen.cpus
            ? error
            : seen.limits
              ? `the limit of all pods cannot be set (${reason})`
              : 'see its events',
    };
  },

  fixes: [
    {
      say: 'See what is reserved, and which cgroups there are',
      risk: 'reads-only',
      steps: [
        {
          say: 'settings of the kubelet',
          run: "grep -nE -A4 'eserved|enforceNodeAllocatable|eviction' /var/lib/kubelet/config.yaml; cat /var/lib/kubelet/kubeadm-flags.env 2>/dev/null",
          on: 'node',
        },
        {
          say: 'cgroups and size of the machine',
          run: 'ls -d /sys/fs/cgroup/*.slice /sys/fs/cgroup/*/*.slice 2>/dev/null; nproc; free -m',
          on: 'node',
        },
      ],
    },
    {
      say: 'Make the settings fit: create the cgroup {cgroup}, or do not enforce it',
      risk: 'touches-node',
      steps: [
        {
          say: 'simplest: enforceNodeAllocatable only [pods], and take kubeReservedCgroup and systemReservedCgroup out',
          run: "sed -i.before -E '/^(kube|system)ReservedCgroup:/d' /var/lib/kubelet/config.yaml; grep -n -A4 enforceNodeAllocatable /var/lib/kubelet/config.yaml",
          on: 'node',
        },
        {
          say: 'or make the slice before the kubelet starts (with the systemd driver names without .slice: /podruntime is podruntime.slice)',
          run: 'systemctl start podruntime.slice',
          on: 'node',
        },
        {
          say: 'reserve less than the machine has, write thresholds as quantities or percentages, then start it again',
          run: 'systemctl restart kubelet',
          on: 'node',
        },
      ],
      verified: 'the node has an event NodeAllocatableEnforced, and {node} is Ready',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/cm/node_container_manager_linux.go',
    'kubernetes pkg/kubelet/eviction/helpers.go',
    'kubernetes website: tasks/administer-cluster/reserve-compute-resources',
  ],
});

function short(text: string): string {
  return (
    text
      .replace(/[\\"]+/g, '')
      .split('\n')[0]
      ?.trim()
      .slice(0, 140) ?? ''
  );
}
