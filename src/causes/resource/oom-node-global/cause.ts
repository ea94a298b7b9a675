import { defineCause, excludes, line, minutes, needs, on, proves, supports } from '../../define-cause.ts';

const killed = line(
  'Out of memory: Kill',
  'kernel-log',
  /\bOut of memory: Kill(?:ed)? process \d{1,10},?(?: UID \d{1,10},?)? \((?<process>[^)\n]{1,60})\)/,
);
const systemOom = line(
  'System OOM encountered',
  ['node-events', 'kubelet-log'],
  /System OOM encountered(?:, victim process: (?<process>[^,\n]{1,60}))?/,
);
/** Daemons of a node have no memory limit of their own by default: the machine was out of memory. */
const unitKilled = line(
  ['has been killed by the OOM killer', "Failed with result 'oom-kill'"],
  'system-log',
  /(?<unit>kubelet|containerd|docker|crio|k3s|k3s-agent|rke2-server|rke2-agent)\.service: (?:A process of this unit has been killed by the OOM killer|Failed with result 'oom-kill')/,
);

const TROUBLE = /^(?:oom|crash-loop|restarts|failed|not-ready|init-crash|evicted|create-error|creating)$/;

export const cause = defineCause({
  id: 'oom-node-global',
  area: 'resource',
  at: 'Node',
  maturity: 'stable',
  explains: ['oom', 'crash-loop', 'restarts', 'failed', 'not-ready', 'node-not-ready', 'kubelet-down', 'runtime-down'],
  wakesOn: [on('kernel.oom', { scope: 'node' }), on('node.event', { reason: 'SystemOOM' })],

  text: {
    name: 'Node out of memory',
    title: 'Memory of {where} as a whole is used up, and the kernel kills processes ({process})',
    why: 'The containers and daemons of {where} together need more memory than it has. The kernel then kills what frees most (exit code 137), whatever its own limit: pods without limits or far above their requests, sometimes kubelet or runtime.',
  },

  clues: {
    trouble: needs('pod.symptom', ({ symptom }) => TROUBLE.test(symptom)),
    kernel: proves('kernel.oom', ({ scope }) => scope === 'node'),
    killed: proves(killed),
    systemOom: proves(systemOom),
    unitKilled: supports(unitKilled),
    pressure: supports('node.condition', ({ type, status }) => type === 'MemoryPressure' && status === 'True'),
    exit137: supports('container.terminated', ({ exitCode }) => exitCode === 137),
    ownLimit: excludes('kernel.oom', ({ scope, cgroup }) => scope === 'cgroup' && cgroup !== undefined),
    endedItself: excludes(
      'container.terminated',
      ({ exitCode, reason }) => reason === 'Error' && exitCode !== undefined && exitCode > 0 && exitCode < 126,
    ),
  },
  says: {
    unitKilled: 'systemd tells that the kernel killed {process} for memory',
    trouble: 'pods of the node suffer: {state}',
    kernel: 'the kernel killed {process} because the whole node lacked memory',
    killed: 'the kernel says: Out of memory, killed {process}',
    systemOom: 'the kubelet reports a System OOM',
    pressure: 'the node reports MemoryPressure',
    exit137: 'a container was ended by SIGKILL, exit code 137',
    ownLimit: 'the kernel killed it for the limit of its own cgroup',
    endedItself: 'the program ended by itself with an error of its own',
  },
  slots: (place, { trouble, kernel, killed: kill, systemOom: event, unitKilled: unit }) => ({
    node: place.name,
    where: place.name.includes(' ') ? place.name : `node ${place.name}`,
    process: kernel?.process ?? kill?.fields['process'] ?? event?.fields['process'] ?? unit?.fields['unit'] ?? 'a process',
    state: trouble?.detail ?? 'killed',
  }),

  fixes: [
    {
      say: 'Find who takes the memory of {where}, and give it a limit or another node',
      risk: 'restarts-pods',
      steps: [
        { say: 'what is left, and who has most', run: 'free -m; ps -eo rss,pid,comm --sort=-rss | head -15', on: 'node' },
        {
          say: 'pods of the node without a memory limit',
          run: "kubectl get pods -A --field-selector spec.nodeName={{node}} -o custom-columns='NS:.metadata.namespace,POD:.metadata.name,REQUEST:.spec.containers[*].resources.requests.memory,LIMIT:.spec.containers[*].resources.limits.memory'",
          on: 'cluster',
        },
        { say: 'set requests near the real need and a limit for each of them', on: 'cluster' },
      ],
      verified: 'no event SystemOOM and no kernel kill on {where}',
    },
    {
      say: 'Reserve memory for the system, so that the kubelet evicts in time: systemReserved, kubeReserved, evictionHard',
      risk: 'touches-node',
      steps: [
        {
          say: 'in the kubelet configuration, for instance 5 to 10 percent of the memory',
          run: "grep -nE -A4 'systemReserved|kubeReserved|evictionHard' /var/lib/kubelet/config.yaml",
          on: 'node',
        },
        { say: 'restart the kubelet; or give the node more memory', run: 'systemctl restart kubelet', on: 'node' },
      ],
      verified: 'allocatable memory is below capacity by the reserve',
    },
  ],

  verify: { quietForMinutes: minutes(30) },
  sources: ['linux mm/oom_kill.c', 'kubernetes pkg/kubelet/oom/oom_watcher_linux.go'],
});
