import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const terminated = line(
  ['imminent node shutdown', 'Node is shutting, evicting pods', 'Node is shutting down, evicting pods'],
  ['pod-status', 'pod-events'],
  /Pod was terminated in response to imminent node shutdown|Node is shutting(?: down)?, evicting pods/,
);
const rejected = line(
  ['rejected as the node is shutting down', 'in progress of shutting down', 'Node is in progress of shutting'],
  ['pod-status', 'pod-events', 'kubelet-log'],
  /Pod was rejected as the node is shutting down|Node is in progress of shutting down, not admitting/,
);
const shuttingDown = line(
  ['node is shutting down', 'Shutdown manager detected', 'Shutdown manager processing shutdown event', 'detected preshutdown event'],
  ['node-status', 'node-events', 'kubelet-log'],
  /(?:message:|Message:|KubeletNotReady\s+|\[|err=")\\?"?node is shutting down|Shutdown manager (?:detected new shutdown event|detected shutdown event|detected preshutdown event|processing shutdown event)/i,
);
const preempted = line(
  [
    'instance was preempted',
    'Instance preempted',
    'Spot interruption',
    'spot instance interruption',
    'PreemptScheduled',
    'TerminateScheduled',
    'rebalance recommendation',
  ],
  ['node-events', 'container-log', 'system-log'],
  /instance (?:was )?preempted|spot (?:instance )?interruption|(?:Preempt|Terminate)Scheduled|rebalance recommendation/i,
);
const cancelled = line('Shutdown manager detected shutdown cancellation', []);

export const cause = defineCause({
  id: 'node-shutdown-graceful',
  area: 'node',
  at: 'Node',
  maturity: 'stable',
  explains: ['failed', 'not-ready', 'node-not-ready', 'crash-loop', 'restarts', 'stuck-terminating', 'other-trouble'],
  wakesOn: [
    on('pod.status', { status: 'NodeShutdown' }),
    on('pod.status', { status: 'Terminated' }),
    on('pod.status', { status: 'Shutdown' }),
    on('node.event', { reason: 'Shutdown' }),
    on('node.condition', { type: 'Ready', status: 'False' }),
  ],

  text: {
    name: 'Node was shut down',
    title: '{whatHead}: graceful node shutdown ended its pods',
    why: 'The machine was told to shut down or reboot (by a person, an upgrade, or the cloud taking back a spot or preemptible instance). The kubelet held the shutdown up, ended all pods of {where} in an orderly way and took no new ones. Controllers start them on other nodes; the ended ones stay behind as Failed records (Terminated, NodeShutdown) and do no harm.',
  },

  clues: {
    terminated: proves(terminated),
    rejected: proves(rejected),
    shuttingDown: proves(shuttingDown),
    condition: proves('node.condition', ({ type, message }) => type === 'Ready' && /node is shutting down/i.test(message ?? '')),
    status: supports('pod.status', ({ status }) => /^(?:NodeShutdown|Terminated|Shutdown)$/.test(status)),
    event: supports('node.event', ({ reason }) => reason === 'Shutdown' || reason === 'NodeShutdown'),
    preempted: supports(preempted),
    cancelled: excludes(cancelled),
  },
  says: {
    terminated: 'the pod was ended because its node was shutting down',
    rejected: 'the pod was refused because the node was shutting down',
    shuttingDown: 'the kubelet reports that the node is shutting down',
    condition: 'the node is not ready: node is shutting down',
    status: 'the pod has ended as {state}',
    event: 'the node has an event of its shutdown',
    preempted: 'the cloud takes the machine back (spot or preemptible)',
    cancelled: 'the shutdown was called off',
  },
  slots: (place, { status, preempted: spot }) => {
    const where = place.kind !== 'Node' || place.name.includes(' ') ? 'this node' : `node ${place.name}`;
    return {
      where,
      node: place.name,
      state: status?.status ?? 'Terminated',
      whatHead: spot ? `${capital(where)} was taken back by the cloud (spot or preemptible)` : `${capital(where)} was shut down`,
    };
  },

  fixes: [
    {
      say: 'Delete the records of ended pods; their controllers have made new ones',
      risk: 'restarts-pods',
      steps: [
        { say: 'see that each workload has its replicas again', run: 'kubectl get deploy,sts,ds -A', on: 'cluster' },
        { say: 'remove the ended ones', run: 'kubectl delete pods -A --field-selector status.phase=Failed', on: 'cluster' },
        { say: 'bare pods without a controller do not come back: apply them again' },
      ],
      changes: [{ do: 'restart-pods' }],
      verified: 'no pod is left in Terminated or NodeShutdown, and all replicas are ready',
    },
    {
      say: 'Find out who shut {where} down',
      risk: 'reads-only',
      steps: [
        {
          say: 'on the machine, once it is up again',
          run: "last -x shutdown reboot | head; journalctl -b -1 -u systemd-logind --no-pager | tail; journalctl --since '1 day ago' | grep -iE 'unattended-upgrade|kured|power key' | tail",
          on: 'node',
        },
        {
          say: 'at the cloud: maintenance, node upgrade, spot or preemptible reclaim',
          run: 'kubectl get events -A --field-selector involvedObject.kind=Node --sort-by=.lastTimestamp | tail -20',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Make the next one harmless: drain before planned work, several replicas with a disruption budget, long enough shutdownGracePeriod',
      risk: 'touches-node',
      steps: [
        { say: 'how long the kubelet gives the pods', run: "grep -nE 'shutdownGracePeriod' /var/lib/kubelet/config.yaml", on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'kubernetes pkg/kubelet/nodeshutdown/nodeshutdown_manager.go',
    'kubernetes website: concepts/cluster-administration/node-shutdown',
  ],
});

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
