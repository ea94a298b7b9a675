import { defineCause, excludes, line, minutes, notByContainers, on, proves, supports } from '../../define-cause.ts';

const hung = line(
  'blocked for more than',
  'kernel-log',
  /INFO: task (?<task>[^\n:]{1,40}):\d{1,10} blocked for more than (?<seconds>\d{1,6}) seconds/,
);
const lockup = line(
  ['soft lockup - CPU#', 'soft lockup: CPU#', 'hard LOCKUP', 'self-detected stall', 'detected stalls on CPUs', 'watchdog: BUG:'],
  ['kernel-log', 'system-log'],
  /(?<what>soft lockup - CPU#\d{1,4} stuck for \d{1,6}s!(?: \[[^\]\n]{1,60}\])?|hard LOCKUP on cpu \d{1,4}|rcu_?\w{0,20} (?:kthread starved|self-detected stall)|rcu: INFO: \w{1,20} (?:self-)?detected stalls?|INFO: rcu_\w{1,20} (?:self-)?detected stalls?)/i,
);
const panic = line(
  ['Kernel panic - not syncing', 'kernel BUG at', 'BUG: unable to handle', 'general protection fault', 'Oops: 00'],
  ['kernel-log', 'system-log'],
  /(?<what>Kernel panic - not syncing: [^\n]{1,120}|kernel BUG at [^\s!]{1,120}!?|BUG: unable to handle [^\n]{1,100}|general protection fault[^\n]{0,60}|Oops: 0{3}\d[^\n]{0,40})/,
);
const netdevice = line(
  'unregister_netdevice: waiting for',
  ['kernel-log', 'system-log'],
  /unregister_netdevice: waiting for (?<device>[\w.-]{1,40}) to become free\. Usage count = (?<count>-?\d{1,6})/,
);
const leak = line(
  ['SLUB: Unable to allocate memory on node', 'possible memory allocation deadlock', 'Unable to create nf_conn slab cache'],
  ['kernel-log', 'system-log'],
  /(?<what>SLUB: Unable to allocate memory on node -?\d{1,4}|XFS: [^\n]{1,60} possible memory allocation deadlock|Unable to create nf_conn slab cache)/,
);
/** The kernel counts slabs for each memory cgroup (v1) and, before 4.x, never lets them go: after 65,535 there are no more. */
const cgroups = line(
  ['cannot allocate memory', 'no space left on device'],
  ['pod-events', 'kubelet-log', 'docker-log', 'containerd-log'],
  /mkdir \/sys\/fs\/cgroup\/memory\/[^\s:"\\]{3,300}: (?<what>cannot allocate memory|no space left on device)/,
);
const reported = line(
  ['KernelDeadlock', 'TaskHung', 'KernelOops', 'UnregisterNetDevice'],
  ['node-events', 'node-status'],
  /\b(?<reason>TaskHung|KernelOops|UnregisterNetDevice|DockerHung|KernelHasDeadlock)\b/,
);
const memory = line(
  ['Out of memory: Kill', 'System is deadlocked on memory'],
  [],
  /Out of memory: Kill(?:ed)? process|System is deadlocked on memory/,
);
const diskErrors = line(['I/O error, dev', 'Buffer I/O error'], [], /I\/O error, dev|Buffer I\/O error/);

export const cause = defineCause({
  id: 'kernel-bug-or-hung-task',
  area: 'node',
  at: 'Node',
  maturity: 'stable',
  explains: [
    'node-not-ready',
    'kubelet-down',
    'runtime-down',
    'control-plane-down',
    'stuck-terminating',
    'creating',
    'restarts',
    'not-ready',
    'create-error',
    'other-trouble',
  ],
  effectOf: ['disk-io-error', 'oom-node-global', 'entropy-or-cpu-steal-virtualisation'],
  wakesOn: [on('node.condition', { type: 'KernelDeadlock', status: 'True' })],

  text: {
    name: 'Kernel stalls or fails',
    title: 'The kernel of {where} {what}',
    why: 'Below Kubernetes, the Linux kernel of {where} {what}. Processes that wait for it cannot be killed or started: containers hang in Terminating or ContainerCreating, the runtime stops answering, or the machine reboots. Only a reboot clears it; a newer kernel, better disk or more CPU keeps it away.',
  },

  clues: {
    lockup: proves(lockup, notByContainers),
    panic: proves(panic, notByContainers),
    netdevice: proves(netdevice, ({ count }) => count >= 1),
    hung: proves(hung, notByContainers),
    leak: proves(leak, notByContainers),
    cgroups: proves(cgroups, notByContainers),
    reported: supports(reported),
    condition: supports(
      'node.condition',
      ({ type, status }) => /^(?:KernelDeadlock|FrequentUnregisterNetDevice)$/.test(type) && status === 'True',
    ),
    memory: excludes(memory),
    diskErrors: excludes(diskErrors),
  },
  says: {
    lockup: 'the kernel says: {lock}',
    panic: 'the kernel says: {crash}',
    netdevice: 'the kernel cannot give back the network device {device}',
    hung: 'the kernel reports {task} stuck for more than {seconds} seconds',
    leak: 'the kernel is out of its own memory: {slab}',
    cgroups: 'the kernel gives out no further memory cgroup: {cgroup}',
    reported: 'the node problem detector reports {reason}',
    condition: 'the node has the condition {condition}',
    memory: 'the machine is out of memory; the stall follows from that',
    diskErrors: 'the disk fails; the stall follows from that',
  },
  slots: (place, { lockup: lock, panic: crash, netdevice: net, hung: task, leak: slab, cgroups: full, reported: event, condition }) => ({
    where: place.kind !== 'Node' || place.name.includes(' ') ? 'this node' : `node ${place.name}`,
    lock: lock?.fields['what'] ?? 'a CPU is stuck',
    crash: crash?.fields['what'] ?? 'a bug',
    device: net?.fields['device'] ?? 'lo',
    task: task?.fields['task'] ?? 'a process',
    seconds: task?.fields['seconds'] ?? '120',
    slab: slab?.fields['what'] ?? 'SLUB',
    cgroup: full?.fields['what'] ?? 'cannot allocate memory',
    reason: event?.fields['reason'] ?? 'a deadlock',
    condition: condition?.type ?? 'KernelDeadlock',
    what: crash
      ? `hit a bug: ${crash.fields['what'] ?? 'kernel BUG'}`
      : lock
        ? `has a CPU that is stuck: ${lock.fields['what'] ?? 'soft lockup'}`
        : net
          ? `cannot release a network namespace (unregister_netdevice: ${net.fields['device'] ?? 'lo'} in use)`
          : slab
            ? `leaks or lacks memory of its own (${slab.fields['what'] ?? 'SLUB'})`
            : full
              ? `gives out no further memory cgroup (${full.fields['what'] ?? 'cannot allocate memory'}): it leaks those of ended containers (kmem accounting, the bug of kernel 3.10)`
              : `has tasks that hang (${task?.fields['task'] ?? 'a process'} blocked for more than ${task?.fields['seconds'] ?? '120'} seconds)`,
  }),

  fixes: [
    {
      say: 'See what the kernel reports and which processes are stuck',
      risk: 'reads-only',
      steps: [
        {
          say: 'with the stack below each report',
          run: "dmesg -T | grep -iE -A12 'blocked for more|lockup|stall|BUG|Oops|panic|unregister_netdevice' | tail -80",
          on: 'node',
        },
        {
          say: 'processes that cannot be interrupted, and what they wait for',
          run: "ps -eo pid,stat,etime,wchan:32,args | awk '$2 ~ /^D/'; cat /proc/pressure/io /proc/pressure/cpu",
          on: 'node',
        },
        {
          say: 'after a crash: the last words of the boot before',
          run: 'journalctl -k -b -1 -n 60 --no-pager; ls /var/crash /sys/fs/pstore 2>/dev/null',
          on: 'node',
        },
      ],
    },
    {
      say: 'Drain {where} and reboot it; nothing else frees what hangs in the kernel',
      risk: 'touches-node',
      steps: [
        {
          say: 'pods that hang there do not obey: do not wait for them',
          run: 'kubectl drain NODE --ignore-daemonsets --delete-emptydir-data --force --timeout=120s',
          on: 'cluster',
        },
        { say: 'a reboot may hang as well', run: 'systemctl reboot || echo b > /proc/sysrq-trigger', on: 'node' },
      ],
      verified: 'dmesg of the new boot has no such report for an hour',
    },
    {
      say: 'For good: install the newest kernel of the distribution, and take load off disk and CPU',
      risk: 'touches-node',
      steps: [
        {
          say: 'kernels before 4.19 and of CentOS 7 (3.10) leak network devices and memory cgroups',
          run: 'uname -r; cat /etc/os-release',
          on: 'node',
        },
        {
          say: 'where CentOS 7 must stay and memory cgroups run out: switch the accounting of kernel memory off, then reboot',
          run: 'grubby --update-kernel=ALL --args=cgroup.memory=nokmem',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(60) },
  sources: [
    'Linux kernel/hung_task.c, kernel/watchdog.c, net/core/dev.c',
    'kubernetes node-problem-detector config/kernel-monitor.json',
    'moby issue 5618',
  ],
});
