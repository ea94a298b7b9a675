import { defineCause, excludes, isWell, line, minutes, namesOf, on, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['pod-status', 'pod-events', 'kubelet-log'] as const;

const noRoom = line(
  ["Node didn't have enough resource", 'Insufficient pods, but'],
  SAID_BY,
  /Node didn't have enough (?:resource|capacity): (?<resource>[\w./-]{1,100}), requested: (?<requested>\d{1,20}), used: (?<used>\d{1,20}), capacity: (?<capacity>\d{1,20})/,
);
/** The kubelet tried to make room for a critical pod, and found nothing it may end. */
const nothingToPreempt = line(
  ['found to reclaim resources'],
  SAID_BY,
  /no set of running pods found to reclaim resources: \[\(res: (?<resource>[\w./-]{1,100}), q: (?<missing>\d{1,20})\)/,
);
const unexpected = line(
  ['Allocate failed due to', 'Update plugin resources failed', 'which is unexpected', 'not enough cpus available'],
  SAID_BY,
  /(?:Allocate|Update plugin resources) failed due to (?<why>[^\n]{1,300}?),? which is unexpected|(?<cpus>not enough cpus available to satisfy request(?:: requested=\d{1,6}, available=\d{1,6})?)/i,
);
const topology = line(
  ['cannot be allocated with Topology locality', 'SMT Alignment Error', 'SMTAlignmentError', 'TopologyAffinityError'],
  SAID_BY,
  /(?<why>Resources cannot be allocated with Topology locality|SMT Alignment Error[^\n]{0,120})|SMTAlignmentError|TopologyAffinityError/,
);
const predicate = line(
  [
    'Predicate NodeAffinity failed',
    'Predicate TaintToleration failed',
    'Predicate NodePorts failed',
    'Predicate NodeName failed',
    'Predicate GeneralPredicates',
    'MatchNodeSelector failed',
    'Failed to admit pod as the',
  ],
  SAID_BY,
  /Predicate (?<predicate>NodeAffinity|TaintToleration|NodePorts|NodeName|GeneralPredicates|MatchNodeSelector) failed(?:: (?<why>[^\n"]{1,200}))?|Failed to admit pod as the (?<os>[^\n]{1,120})/,
);
const cpuState = line(
  ['could not restore state from checkpoint', 'configured policy', 'cpu_manager_state'],
  'kubelet-log',
  /could not restore state from checkpoint|configured policy \S{1,40} differs from state checkpoint policy/,
);

const REASONS =
  /^(?:OutOf\w|UnexpectedAdmissionError$|TopologyAffinityError$|SMTAlignmentError$|NodeAffinity$|NodeName$|NodePorts$|TaintToleration$|PodOS|MatchNodeSelector$|Host(?:Network|Name)$)/;

export const cause = defineCause({
  id: 'sched-kubelet-rejects-after-bind',
  area: 'scheduling',
  at: 'Workload',
  maturity: 'stable',
  explains: ['failed', 'not-ready', 'pending', 'no-pods', 'crash-loop'],
  effectOf: ['device-plugin-unregistered', 'kubelet-cpu-or-memory-manager-state', 'kubelet-mirror-or-admission-failures', 'node-rebooted'],
  wakesOn: [
    on('pod.status', { status: 'OutOfcpu' }),
    on('pod.status', { status: 'OutOfmemory' }),
    on('pod.status', { status: 'OutOfpods' }),
    on('pod.status', { status: 'OutOfephemeral-storage' }),
    on('pod.status', { status: 'OutOfnvidia.com/gpu' }),
    on('pod.status', { status: 'UnexpectedAdmissionError' }),
    on('pod.status', { status: 'TopologyAffinityError' }),
    on('pod.status', { status: 'SMTAlignmentError' }),
    on('pod.status', { status: 'NodeAffinity' }),
    on('pod.status', { status: 'NodePorts' }),
    on('pod.status', { status: 'TaintToleration' }),
  ],

  text: {
    name: 'Kubelet rejects the pod',
    title: 'The kubelet rejects {name} after it was bound: {problem}',
    why: 'The pod was already bound to a node when its kubelet checked it once more and refused to admit it: {problem}. {mechanism} Such a pod stays Failed and is never started; its controller makes new ones, often by the hundred.',
  },

  clues: {
    noRoom: proves(noRoom),
    nothingToPreempt: proves(nothingToPreempt),
    unexpected: proves(unexpected),
    topology: proves(topology),
    predicate: proves(predicate),
    status: proves('pod.status', ({ status }) => REASONS.test(status)),
    cpuState: supports(cpuState),
    well: excludes('pod.status', isWell),
  },
  says: {
    noRoom: 'the node has not enough {resource}: {figures}',
    nothingToPreempt: 'the node lacks {resource}, and no running pod may be ended in its favour',
    unexpected: 'the kubelet cannot allocate what the pod asks for: {detail}',
    topology: 'its cpus, memory or devices do not fit one NUMA node or core',
    predicate: 'the node does not pass the check for the pod: {detail}',
    status: 'the pod ended with the reason {reason}',
    cpuState: 'the kubelet cannot restore its cpu or memory assignments',
    well: 'the pod runs and is ready',
  },
  slots: (place, { noRoom: room, nothingToPreempt: stuck, unexpected: devices, topology: numa, predicate: check, status }) => {
    const resource = room?.fields['resource'] ?? stuck?.fields['resource'];
    const figures = stuck
      ? stuck.fields['resource'] === 'pods'
        ? 'it runs as many pods as the kubelet allows (maxPods)'
        : `${stuck.fields['missing']} too little`
      : room
        ? `requested ${room.fields['requested']}, used ${room.fields['used']} of ${room.fields['capacity']}`
        : 'see its message';
    const detail =
      devices?.fields['why'] ??
      devices?.fields['cpus'] ??
      check?.fields['why'] ??
      check?.fields['predicate'] ??
      check?.fields['os'] ??
      'see its message';
    const reason = status?.status ?? (devices ? 'UnexpectedAdmissionError' : 'a rejection of the node');
    const problem =
      room || stuck
        ? `not enough ${resource} (${figures})`
        : devices
          ? `${reason}, ${detail}`
          : numa
            ? (numa.fields['why'] ?? 'TopologyAffinityError')
            : check
              ? `predicate ${check.fields['predicate'] ?? 'of its operating system'} failed`
              : reason;
    return {
      ...namesOf(place),
      name: place.name,
      resource: resource ?? 'resources',
      figures,
      detail,
      reason,
      problem,
      mechanism: devices
        ? 'The device plugin (or the cpu or memory manager) of the node could not hand out what the scheduler counted as free: it was not registered yet, its devices are unhealthy, or the kubelet had just restarted.'
        : numa
          ? 'The topology manager of the node has a strict policy, and what is free is spread over several NUMA nodes or half cores.'
          : check || /^(?:NodeAffinity|TaintToleration|NodePorts)$/.test(reason)
            ? 'Labels, taints or ports of the node changed since it was bound, or the pod was bound past the scheduler.'
            : 'Scheduler and kubelet count differently: static pods, a second scheduler, spec.nodeName, pods that still end, or a node whose allocatable has shrunk.',
    };
  },

  fixes: [
    {
      say: 'See what was refused, where, and what the node has to give',
      risk: 'reads-only',
      steps: [
        {
          say: 'reason, message and node of each rejected pod',
          run: 'kubectl -n {{namespace}} get pods --field-selector=status.phase=Failed -o custom-columns=POD:.metadata.name,NODE:.spec.nodeName,REASON:.status.reason,MESSAGE:.status.message',
          on: 'cluster',
        },
        {
          say: 'allocatable and what is taken',
          run: "kubectl describe node NODE | grep -A12 -E '^Allocatable|^Allocated resources'",
          on: 'cluster',
        },
        {
          say: 'who else binds pods there: nodeName, static pods, a second scheduler',
          run: 'kubectl get pods -A -o wide --field-selector spec.nodeName=NODE',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Delete the rejected pods; new ones are placed again',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'they hold no resources and never start',
          run: 'kubectl -n {{namespace}} delete pods --field-selector=status.phase=Failed',
          on: 'cluster',
        },
      ],
      changes: [{ do: 'restart-pods' }],
      verified: 'no new pod ends with {reason}',
    },
    {
      say: 'Remove the double booking: no spec.nodeName, requests for static pods, one scheduler; for devices restart the device plugin',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'a device plugin must be registered before its pods are admitted',
          run: 'kubectl -n kube-system get pods -o wide | grep -iE "device-plugin|gpu"',
          on: 'cluster',
        },
        {
          say: 'a topology policy that is too strict (single-numa-node, full-pcpus-only): relax it or ask for whole cores',
          run: "grep -E 'topologyManagerPolicy|cpuManagerPolicy' /var/lib/kubelet/config.yaml",
          on: 'node',
        },
      ],
      verified: 'the pod runs',
    },
    {
      say: 'After a change of cpu or memory manager: drain the node, remove the stale state and restart the kubelet',
      risk: 'touches-node',
      steps: [
        {
          say: 'only on a drained node',
          run: 'systemctl stop kubelet && rm -f /var/lib/kubelet/cpu_manager_state /var/lib/kubelet/memory_manager_state && systemctl start kubelet',
          on: 'node',
        },
      ],
      verified: 'the pod runs',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/kubelet/lifecycle/predicate.go', 'kubernetes pkg/kubelet/cm/devicemanager/manager.go, cm/topologymanager'],
});
