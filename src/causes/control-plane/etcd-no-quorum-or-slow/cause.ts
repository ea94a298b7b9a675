import { defineCause, excludes, excludesEverywhere, line, minutes, proves, supports } from '../../define-cause.ts';

const LOGS = ['control-plane-log', 'container-log'] as const;
const timedOut = line(
  ['etcdserver: request timed out', 'etcdserver: request is timed out'],
  ['control-plane-log', 'objects', 'kubelet-log', 'container-log', 'object-events'],
  /etcdserver: request (?:is )?timed out(?<detail>, (?:possibly due to [\w ]{3,60}|waiting for the applied index took too long))?/,
);
const noLeader = line(
  [
    'etcdserver: no leader',
    'failed to commit proposal',
    'published local member to cluster through raft error',
    'failed to publish local member',
    'etcdserver: not healthy for reconfigure',
    'etcdserver: unhealthy cluster',
    'etcdserver: re-configuration failed due to not enough started members',
  ],
  ['control-plane-log', 'objects', 'container-log'],
  /etcdserver: no leader|(?<![\w.:/[\]-])(?<endpoint>[\w.:/[\]-]{3,120}) is unhealthy: failed to (?:commit proposal|connect)|failed to commit proposal: context deadline exceeded|failed to publish local member to cluster through raft|not healthy for reconfigure|(?<unhealthy>etcdserver: (?:unhealthy cluster|re-configuration failed due to not enough started members))/,
);
/** A client that gets through to no endpoint at all: quorum is one reason of several. */
const unreached = line('etcd cluster is unavailable or misconfigured', ['control-plane-log', 'container-log', 'objects']);
const election = line(
  ['is starting a new election at term', 'lost leader', 'elected leader'],
  LOGS,
  /is starting a new election at term|lost leader [0-9a-f]{1,16} at term|lost the leader/,
);
const slowDisk = line(
  ['slow fdatasync', 'sync duration of'],
  LOGS,
  /slow fdatasync[\s\S]{0,40}?took[\s":=]{1,6}(?<took>[\d.]{1,12}(?:ms|s|m\d?\S{0,6}))|sync duration of (?<duration>[\d.]{1,12}m?s), expected less than/,
);
const heartbeat = line(
  ['failed to send out heartbeat on time', 'leader failed to send out heartbeat on time'],
  LOGS,
  /failed to send out heartbeat on time/,
);
const slow = line(
  ['took too long', 'apply request took too long', 'ReadIndex response took too long'],
  LOGS,
  /(?:apply (?:request|entries) took too long|read-only range request [\s\S]{0,400}?took too long|request [\s\S]{0,400}?took too long \([\d.]+m?s\) to execute|waiting for ReadIndex response took too long)/,
);
const leaderChanged = line('etcdserver: leader changed', ['control-plane-log', 'objects', 'kubelet-log', 'container-log']);
const slowApi = line(
  ['the server was unable to return a response in the time allotted', 'etcdserver: too many requests'],
  ['objects', 'control-plane-log', 'kubelet-log', 'container-log'],
);
const lateForKubelet = line('Timeout: request did not complete within', ['kubelet-log', 'pod-events']);
const peers = line(
  [
    'prober detected unhealthy status',
    'lost the TCP streaming connection with peer',
    'lost TCP streaming connection with remote peer',
    'the clock difference against peer',
    'health check for peer',
  ],
  LOGS,
  /prober detected unhealthy status[\s\S]{0,300}?(?<error>connection refused|i\/o timeout|no route to host|context deadline exceeded)|lost (?:the )?TCP streaming connection with (?:remote )?peer|health check for peer \w{8,20} could not connect: [\s\S]{0,120}?(?<unreached>connection refused|i\/o timeout|no route to host|deadline exceeded)/,
);
const damaged = line(
  ['crc mismatch', 'failed to open database', 'database space exceeded', 'has already been bootstrapped', 'Was the raft log corrupted'],
  [],
);

export const cause = defineCause({
  id: 'etcd-no-quorum-or-slow',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'stable',
  explains: ['control-plane-down', 'node-not-ready', 'kubelet-down', 'other-trouble'],
  effectOf: [
    'etcd-corrupt-or-data-lost',
    'control-plane-cert-expired',
    'control-plane-on-mismatched-runtime',
    'clock-skew',
    'disk-io-error',
    'disk-full-root',
  ],

  text: {
    name: 'etcd slow or without quorum',
    title: 'etcd {what}',
    why: 'Every write of the cluster waits until a majority of etcd members has written it to disk. {mechanism} Requests to the API server then time out, leases are not renewed in time, and controllers and schedulers lose their leadership and restart together.',
  },

  clues: {
    timedOut: proves(timedOut),
    noLeader: proves(noLeader),
    election: proves(election, ({ count }) => count >= 3),
    oneElection: supports(election, ({ count }) => count < 3),
    slowDisk: proves(slowDisk),
    heartbeat: proves(heartbeat, ({ count }) => count >= 3),
    lateOnce: supports(heartbeat, ({ count }) => count < 3),
    slow: supports(slow),
    leaderChanged: supports(leaderChanged),
    slowApi: supports(slowApi),
    // Elsewhere a webhook that does not answer is the usual reason.
    lateForKubelet: supports(lateForKubelet, ({ channel }) => channel === 'kubelet-log' || channel === 'pod-events'),
    peers: supports(peers),
    unreached: supports(unreached),
    damaged: excludesEverywhere(excludes(damaged)),
  },
  says: {
    timedOut: 'etcd says: request timed out{detail}',
    noLeader: 'etcd has no leader or cannot commit{endpoint}',
    election: 'its members start elections again and again',
    oneElection: 'a member has lost its leader and started an election',
    slowDisk: 'writing to disk takes far too long: fdatasync {took}',
    heartbeat: 'heartbeats go out late again and again: disk or CPU overloaded',
    lateOnce: 'a heartbeat went out late: disk or CPU overloaded',
    slow: 'requests took too long to apply or read',
    leaderChanged: 'requests fail because the leader changed',
    slowApi: 'the API server does not finish requests in time',
    lateForKubelet: 'the API server does not finish requests of the kubelet in time',
    peers: 'peers do not reach each other{error}',
    unreached: 'a client gets through to no endpoint of etcd',
    damaged: 'its data or membership is damaged, or its quota used up',
  },
  slots: (
    _place,
    { timedOut: late, noLeader: none, election: voted, slowDisk: disk, heartbeat: beats, lateOnce: beat, peers: apart, unreached: alone },
  ) => {
    const took = disk?.fields['took'] ?? disk?.fields['duration'];
    const unhealthy = none?.fields['unhealthy'] !== undefined;
    const gone = apart?.fields['error'] ?? apart?.fields['unreached'];
    const quorum = none !== undefined || voted !== undefined || (late !== undefined && gone !== undefined && !disk);
    return {
      what: unhealthy
        ? 'is not healthy: a member does not answer (often one that is gone but still listed), so it takes no further member'
        : quorum
          ? 'has no leader: too few members reach each other (quorum lost)'
          : disk
            ? `is too slow: its disk takes ${took ?? 'seconds'} for one fsync (10 ms would be good)`
            : (beats ?? beat)
              ? 'is too slow: its heartbeats are late, disk or CPU overloaded'
              : alone && !late
                ? 'does not serve its clients: no endpoint answers (down, without leader, at another address, or with other certificates)'
                : 'does not answer in time: requests time out, its disk is too slow or members are missing',
      mechanism: unhealthy
        ? 'Before a member is added, etcd wants all members started and connected for the last seconds. One that was removed without `etcdctl member remove` or that is down keeps the others from growing; with too few left there is no quorum.'
        : quorum
          ? 'With less than half of the members left, or without a connection between them on port 2380, there is no leader and nothing can be written.'
          : alone && !late && !disk
            ? 'A client, such as the API server, tried all endpoints it was given (--etcd-servers) and none served it.'
            : 'A disk that other programs keep busy, network storage or a starved virtual machine makes that slow.',
      detail: late?.fields['detail'] ?? '',
      endpoint: none?.fields['endpoint'] === undefined ? '' : ` (${none.fields['endpoint']})`,
      took: took ?? 'more than a second',
      error: gone === undefined ? '' : `: ${gone}`,
    };
  },

  fixes: [
    {
      say: 'Ask every member, and measure the disk',
      risk: 'reads-only',
      steps: [
        {
          say: 'members, leader, health (kubeadm: with the certificates of /etc/kubernetes/pki/etcd)',
          run: 'ETCDCTL_API=3 etcdctl --cacert /etc/kubernetes/pki/etcd/ca.crt --cert /etc/kubernetes/pki/etcd/server.crt --key /etc/kubernetes/pki/etcd/server.key --endpoints https://127.0.0.1:2379 endpoint status --cluster -w table',
          on: 'node',
        },
        {
          say: 'fsync: the 99th percentile should stay under 10 ms',
          run: 'curl -s --cacert /etc/kubernetes/pki/etcd/ca.crt --cert /etc/kubernetes/pki/etcd/server.crt --key /etc/kubernetes/pki/etcd/server.key https://127.0.0.1:2379/metrics | grep wal_fsync_duration; iostat -x 1 5',
          on: 'node',
        },
        { say: 'do members reach each other, and do their clocks agree', run: 'nc -vz PEER 2380; chronyc tracking', on: 'node' },
      ],
    },
    {
      say: 'Bring back the missing members, or the connection between them (TCP 2379 and 2380)',
      risk: 'touches-node',
      for: ['noLeader', 'peers', 'unreached'],
      steps: [
        {
          say: 'why the other members are down',
          run: 'crictl ps -a --name etcd; crictl logs --tail=50 $(crictl ps -a --name etcd -q | head -1)',
          on: 'node',
        },
      ],
      verified: 'etcdctl endpoint health --cluster is healthy everywhere',
    },
    {
      say: 'Give etcd a fast disk of its own: local SSD, nothing else on it, no network storage',
      risk: 'touches-node',
      for: ['slowDisk', 'heartbeat', 'lateOnce', 'slow'],
      steps: [
        { say: 'who writes', run: 'iotop -obn 3 | head -30', on: 'node' },
        {
          say: 'until then, give it time: --heartbeat-interval=500 --election-timeout=5000 in /etc/kubernetes/manifests/etcd.yaml, the same on all members',
          on: 'node',
        },
        { say: 'a large, fragmented database is slow too: defragment one member after the other', run: 'etcdctl defrag', on: 'node' },
      ],
      verified: 'no more "took too long" and no new elections for an hour',
    },
  ],

  verify: { quietForMinutes: minutes(60) },
  sources: [
    'etcd server/etcdserver/errors/errors.go, server/etcdserver/raft.go, server/storage/wal/wal.go',
    'etcd docs: faq, "What does the etcd warning mean"',
  ],
});
