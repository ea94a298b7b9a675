import { defineCause, excludes, line, minutes, supports } from '../../define-cause.ts';

const deadline = line(
  ['desc = context deadline exceeded', 'operation timeout: context deadline exceeded', 'create shim task: context deadline exceeded'],
  ['pod-events', 'kubelet-log'],
  /(?:(?<call>RunPodSandbox|CreateContainer|StartContainer|StopContainer|StopPodSandbox|RemovePodSandbox|RemoveContainer|ListPodSandbox|ListContainers|PodSandboxStatus|ContainerStatus|Status|Version)\b[^\n]{0,160}from runtime service failed|Failed (?:to )?create (?:pod sandbox|sandbox for pod)|CreatePodSandbox for pod|failed to [\\"]{0,4}(?<step>KillContainer|KillPodSandbox|CreatePodSandbox)|Unable to retrieve pods|runtime sanity check failed|validate CRI v1 \w{5,7} API for endpoint)[^\n]{0,300}?code = (?:DeadlineExceeded|Unknown) desc = (?:[^\n]{0,300}(?:operation timeout|failed to create shim task): )?context deadline exceeded/,
);
const createLate = line('Error: context deadline exceeded', 'pod-events', /^Error: context deadline exceeded\s*$/);
const pleg = line(
  'PLEG is not healthy',
  ['node-status', 'kubelet-log'],
  /PLEG is not healthy: pleg was last seen active (?<ago>[\dhmsµn.]{2,30}) ago/i,
);
const reserved = line(
  ['is reserved for', 'error reserving ctr name', 'error reserving pod name'],
  ['pod-events', 'kubelet-log', 'containerd-log'],
  /failed to reserve (?:sandbox|container) name[^\n]{0,600}reserved for|error reserving (?:ctr|pod) name/,
);
/** CRI-O names the step that does not end. */
const stage = line(
  ['not yet finished. Currently at stage'],
  ['crio-log', 'kubelet-log', 'pod-events'],
  /Creation of (?<what>container|sandbox) \S{1,300} not yet finished\. Currently at stage (?<stage>[\w ]{3,60})\./,
);
const hungTask = line(
  'blocked for more than',
  'kernel-log',
  /task (?<task>containerd(?:-shim)?[\w-]{0,20}|runc\S{0,20}|dockerd|crio|conmon|kubelet):\d{1,10} blocked for more than (?<seconds>\d{1,6}) seconds/,
);
const refused = line(
  ['containerd.sock: connect:', 'crio.sock: connect:'],
  [],
  /\.sock: connect: (?:connection refused|no such file or directory)/,
);
const pluginFails = line(
  ['failed to setup network for sandbox', 'failed to set up pod', 'networkPlugin cni failed', 'error adding pod'],
  [],
  /(?:failed \(add\)|cni failed to set up pod|error adding pod)(?![^\n]{0,2000}(?:deadline exceeded|signal: killed|[Tt]imeout))/,
);

/** The calls behind what the kubelet calls its own steps. */
const STEPS: Readonly<Record<string, string>> = { KillContainer: 'StopContainer', KillPodSandbox: 'StopPodSandbox' };

export const cause = defineCause({
  id: 'runtime-slow-deadline-exceeded',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['node-not-ready', 'creating', 'init-stuck', 'stuck-terminating', 'create-error', 'runtime-down', 'other-trouble'],
  effectOf: [
    'disk-io-error',
    'kernel-bug-or-hung-task',
    'entropy-or-cpu-steal-virtualisation',
    'nfs-server-unreachable',
    'dockerd-lost-containerd',
    'oom-node-global',
    'cilium-agent-down',
  ],

  text: {
    name: 'Container runtime too slow',
    title: 'The container runtime on {node} answers too slowly: {call} ran into its deadline',
    why: 'The kubelet waits two to four minutes for an answer of the runtime and then gives up; a retry meets the name its first try still holds. Mostly the disk under the runtime is overloaded or hangs, or a network plugin or one stuck container blocks it.',
  },

  clues: {
    deadline: supports(deadline),
    createLate: supports(createLate, ({ channel }) => channel === 'pod-events'),
    pleg: supports(pleg, ({ fields }) => !(fields['ago'] ?? '').startsWith('2562047h')),
    reserved: supports(reserved),
    stage: supports(stage),
    hungTask: supports(hungTask),
    silent: supports('runtime.setting', ({ key, value }) => key === 'answers' && value === 'no'),
    refused: excludes(refused),
    pluginFails: excludes(pluginFails),
  },
  says: {
    deadline: '{call} was not answered in time (context deadline exceeded)',
    createLate: 'a container could not be created in time',
    pleg: 'the kubelet could not list the containers for {ago}',
    reserved: 'a retry finds the name still held by the try before it',
    silent: 'asked directly on the host, the runtime gives no answer',
    stage: 'CRI-O is still making the {made}, at the stage {stage}',
    hungTask: 'the kernel reports {task} stuck for more than {seconds} seconds',
    refused: 'the runtime does not listen at all: connection refused',
    pluginFails: 'the network plugin fails and says why',
  },
  slots: (place, { deadline: late, createLate: create, stage: step, pleg: list, hungTask: hung }) => ({
    node: place.name,
    call: late
      ? (late.fields['call'] ?? STEPS[late.fields['step'] ?? ''] ?? 'RunPodSandbox')
      : create
        ? 'CreateContainer'
        : step
          ? `a create (still at ${step.fields['stage'] ?? 'work'})`
          : 'a call of the kubelet',
    made: step?.fields['what'] ?? 'container',
    stage: step?.fields['stage'] ?? 'creation',
    ago: list?.fields['ago'] ?? 'minutes',
    task: hung?.fields['task'] ?? 'the runtime',
    seconds: hung?.fields['seconds'] ?? '120',
  }),

  fixes: [
    {
      say: 'Find what holds the runtime up',
      risk: 'reads-only',
      steps: [
        { say: 'how long it takes to answer', run: 'time crictl ps > /dev/null; time crictl pods > /dev/null', on: 'node' },
        {
          say: 'disk and memory pressure',
          run: 'cat /proc/pressure/io /proc/pressure/memory; iostat -x 1 3; df -h /var/lib/containerd /var/lib/kubelet',
          on: 'node',
        },
        {
          say: 'processes stuck in the kernel, and network plugins that hang',
          run: "ps -eo pid,stat,etime,wchan:30,args | grep -E ' D|/opt/cni/bin/' | grep -v grep",
          on: 'node',
        },
        {
          say: 'what containerd is doing (the stacks go to its log; harmless)',
          run: 'kill -USR1 $(pidof containerd) && journalctl -u containerd -n 200 --no-pager',
          on: 'node',
        },
      ],
    },
    {
      say: 'Take load off {node}',
      risk: 'moves-pods',
      steps: [
        {
          say: 'no new pods; move the heavy ones away',
          run: 'kubectl cordon {{node}} && kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Restart the runtime; containers stay up through their shims',
      risk: 'touches-node',
      steps: [
        {
          say: 'restart containerd and let the node in again',
          run: 'systemctl restart containerd && systemctl restart kubelet',
          on: 'node',
        },
        { say: 'for good: images and containers on a disk of their own, fewer pods per node, less logging', on: 'node' },
      ],
      changes: [{ do: 'units', action: 'restart', units: ['containerd', 'kubelet'] }],
      verified: 'crictl ps answers within a second, and no DeadlineExceeded for 10 minutes',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/pleg/generic.go, pkg/kubelet/kuberuntime',
    'containerd internal/cri/server/sandbox_run.go',
    'kubernetes issues 45419, 94829, 107749',
  ],
});
