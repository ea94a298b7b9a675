import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const PROGRAM = String.raw`\/\S{0,120}?(?:runc|crun|conmon|containerd-shim[\w-]{0,20}|docker[\w-]{0,30}|containerd|nsenter|iptables[\w-]{0,20}|ip6tables[\w-]{0,20}|nice|du|mount|umount|systemd-run|cni\/bin\/[\w-]{1,40})`;
const daemonForks = line(
  ['resource temporarily unavailable'],
  ['pod-events', 'pod-status', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log', 'system-log'],
  new RegExp(String.raw`fork\/exec (?<program>${PROGRAM}|\/proc\/self\/exe): resource temporarily unavailable`),
);
const daemonThreads = line(
  ['failed to create new OS thread', 'pthread_create failed', 'fork: retry:', 'Failed to fork:'],
  ['kubelet-log', 'containerd-log', 'docker-log', 'crio-log', 'system-log'],
  /(?<thread>failed to create new OS thread \(have \d{1,8} already; errno=11\)|pthread_create failed: Resource temporarily unavailable)|(?<shell>fork: retry: Resource temporarily unavailable|Failed to fork: Resource temporarily unavailable)/i,
);
const rejected = line(
  'fork rejected by pids controller',
  'kernel-log',
  /cgroup: fork rejected by pids controller in \/system\.slice\/(?<unit>(?:docker|containerd|crio|kubelet|k3s|rke2)[\w.-]{0,40})/,
);
const inPod = line('fork rejected by pids controller', [], /cgroup: fork rejected by pids controller in \S{0,100}kubepods/);

export const cause = defineCause({
  id: 'node-cannot-fork',
  area: 'resource',
  at: 'Node',
  maturity: 'sandbox',
  explains: [
    'creating',
    'create-error',
    'crash-loop',
    'restarts',
    'not-ready',
    'init-stuck',
    'failed',
    'stuck-terminating',
    'node-not-ready',
    'kubelet-down',
    'runtime-down',
    'other-trouble',
  ],
  wakesOn: [on('node.condition', { type: 'PIDPressure', status: 'True' })],

  text: {
    name: 'Node has no processes left',
    title: '{where} cannot start another process: the limit of processes and threads is reached ({what})',
    why: 'The daemons of the node themselves ({what}) get "resource temporarily unavailable" when they start a program. So it is not the limit of one pod: the process numbers of the machine (kernel.pid_max, threads-max) or of the unit of the runtime (TasksMax) are used up, mostly by a pod that leaks threads or zombies. Probes by command fail, containers cannot be started or stopped, and the node turns NotReady.',
  },

  clues: {
    daemonForks: proves(daemonForks),
    daemonThreads: proves(daemonThreads, ({ channel }) => /^(?:kubelet|containerd|docker|crio)-log$/.test(channel)),
    rejected: proves(rejected),
    shell: supports(daemonThreads),
    pressure: supports('node.condition', ({ type, status }) => type === 'PIDPressure' && status === 'True'),
    inPod: excludes(inPod),
  },
  says: {
    daemonForks: '{program} cannot be started: resource temporarily unavailable',
    daemonThreads: 'a daemon of the node cannot start another thread',
    rejected: 'the kernel refuses a fork in the unit {unit}',
    shell: 'no process or thread can be started any more',
    pressure: 'the node reports PIDPressure',
    inPod: 'the kernel refuses forks in the cgroup of a pod: its own limit',
  },
  slots: (place, { daemonForks: fork, rejected: unit }) => {
    const program = (fork?.fields['program'] ?? '').replace('/proc/self/exe', 'runc').split('/').at(-1) || 'runc';
    return {
      where: place.kind !== 'Node' || place.name.includes(' ') ? 'this node' : `node ${place.name}`,
      program: fork?.fields['program'] ?? 'a program',
      unit: unit?.fields['unit'] ?? 'containerd.service',
      what: fork ? `starting ${program}` : unit ? `unit ${unit.fields['unit'] ?? ''}` : 'kubelet or runtime',
    };
  },

  fixes: [
    {
      say: 'Count processes and threads, and see which limit is reached',
      risk: 'reads-only',
      steps: [
        {
          say: 'in all, and the limits of the machine',
          run: 'ps -eLf | wc -l; sysctl kernel.pid_max kernel.threads-max; cat /proc/sys/kernel/ns_last_pid',
          on: 'node',
        },
        {
          say: 'who has the most, and zombies',
          run: 'ps -eLo ppid,pid,stat,comm --no-headers | sort | uniq -c | sort -rn | head -20; ps -eo stat | grep -c ^Z',
          on: 'node',
        },
        { say: 'the limit of the units', run: 'systemctl show containerd docker kubelet -p TasksMax -p TasksCurrent', on: 'node' },
      ],
    },
    {
      say: 'Stop the pod that leaks, and give each pod a limit (podPidsLimit)',
      risk: 'restarts-pods',
      steps: [
        { say: 'delete it; its threads go with it', run: 'kubectl -n NAMESPACE delete pod POD', on: 'cluster' },
        { say: 'podPidsLimit in /var/lib/kubelet/config.yaml, for example 4096, then', run: 'systemctl restart kubelet', on: 'node' },
      ],
      verified: 'the number of threads stays well below the limit',
    },
    {
      say: 'Raise kernel.pid_max and threads-max, and TasksMax of the runtime to infinity',
      risk: 'touches-node',
      steps: [
        {
          say: 'now and for good',
          run: "printf 'kernel.pid_max = 4194304\\nkernel.threads-max = 4194304\\n' > /etc/sysctl.d/90-pids.conf && sysctl --system",
          on: 'node',
        },
        { say: 'the unit', run: 'systemctl set-property containerd TasksMax=infinity', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['fork(2), pthread_create(3): EAGAIN', 'Linux kernel/fork.c, kernel/cgroup/pids.c', 'kubernetes issues 51903, 79466'],
});
