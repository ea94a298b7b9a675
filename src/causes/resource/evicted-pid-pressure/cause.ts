import { byDaemons, defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const evicted = line(
  ['low on resource: pids', 'The node had condition: [PIDPressure]'],
  ['pod-events', 'pod-status', 'kubelet-log'],
  /low on resource: pids\.?(?: Threshold quantity: (?<threshold>[\w.]{1,30}), available: (?<available>[\w.]{1,30}))?|node had condition: \[[^\]\n]{0,80}PIDPressure/i,
);
const daemonCannotFork = line(
  'resource temporarily unavailable',
  ['kubelet-log', 'containerd-log', 'system-log'],
  /(?:fork|clone|vfork|exec)\b[^\n]{0,200}?resource temporarily unavailable/i,
);
const reclaims = line('attempting to reclaim', ['node-events', 'kubelet-log'], /attempting to reclaim[^\n]{0,40}?pids/i);

export const cause = defineCause({
  id: 'evicted-pid-pressure',
  area: 'resource',
  at: 'Node',
  maturity: 'stable',
  explains: ['evicted', 'failed', 'node-not-ready', 'pending', 'creating', 'create-error'],
  wakesOn: [on('node.condition', { type: 'PIDPressure', status: 'True' })],

  text: {
    name: 'Node out of process ids',
    title: 'Node {node} runs out of process ids (PIDPressure){numbers}',
    why: 'All processes and threads of {node} together come near to what its kernel allows (kernel.pid_max, threads-max, or the cgroup limit). The kubelet sets the condition PIDPressure, takes no new pods that do not tolerate it, and evicts those with the most processes until enough ids are free.',
  },

  clues: {
    condition: proves('node.condition', ({ type, status }) => type === 'PIDPressure' && status === 'True'),
    evicted: proves(evicted),
    reclaims: supports(reclaims),
    daemonCannotFork: supports(daemonCannotFork, byDaemons),
    over: excludes('node.condition', ({ type, status }) => type === 'PIDPressure' && status === 'False'),
  },
  says: {
    condition: 'the node has the condition PIDPressure',
    evicted: 'the kubelet evicted a pod: the node was low on resource pids{numbers}',
    reclaims: 'the kubelet tries to reclaim pids',
    daemonCannotFork: 'daemons of the node cannot start processes',
    over: 'the node has no PIDPressure (any more)',
  },
  slots: (place, { evicted: said }) => {
    const available = said?.fields['available'];
    return {
      node: place.name,
      numbers: available === undefined ? '' : `: ${available} left, threshold ${said?.fields['threshold'] ?? 'not shown'}`,
    };
  },

  fixes: [
    {
      say: 'Find who has so many processes and threads',
      risk: 'reads-only',
      steps: [
        {
          say: 'threads per cgroup and per program, and what the kernel allows',
          run: 'ps -eLo comm --no-headers | sort | uniq -c | sort -rn | head -15; sysctl kernel.pid_max kernel.threads-max; ps -eo stat --no-headers | grep -c Z',
          on: 'node',
        },
        {
          say: 'per pod',
          run: 'find /sys/fs/cgroup -path \'*kubepods*\' -name pids.current | while read f; do echo "$(cat $f) $f"; done | sort -rn | head',
          on: 'node',
        },
      ],
    },
    {
      say: 'Stop or bound the one that leaks: give each pod a limit (podPidsLimit)',
      risk: 'touches-node',
      steps: [
        {
          say: 'podPidsLimit in the kubelet configuration keeps one pod from taking all ids of {node}',
          run: 'grep -n podPidsLimit /var/lib/kubelet/config.yaml',
          on: 'node',
        },
        { say: 'restart the kubelet, then the pods that leak', run: 'systemctl restart kubelet', on: 'node' },
      ],
      verified: 'the condition PIDPressure of the node is False',
    },
    {
      say: 'If the load is meant: raise kernel.pid_max',
      risk: 'touches-node',
      steps: [
        {
          say: 'now and at boot; also check pid.available under evictionHard',
          run: "sysctl -w kernel.pid_max=4194304 && echo 'kernel.pid_max = 4194304' > /etc/sysctl.d/90-pid-max.conf",
          on: 'node',
        },
      ],
      changes: [{ do: 'sysctl', key: 'kernel.pid_max', value: '4194304', atLeast: true }],
      verified: 'the condition PIDPressure of the node is False',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['kubernetes pkg/kubelet/eviction/helpers.go', 'kubernetes pkg/kubelet/stats/pidlimit/pidlimit_linux.go'],
});
