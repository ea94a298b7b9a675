import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

/** Said only after all members were down, by one that does not know whether its data is the newest. */
const bootstrap = line(
  ['not safe to bootstrap', 'It may not be safe to bootstrap the cluster from this node', 'failed to reach primary view'],
  'container-log',
  /(?<error>It is not safe to bootstrap[^\n(]{0,40}|It may not be safe to bootstrap the cluster from this node|failed to reach primary view)/,
);
const tables = line(
  [
    'timeout_waiting_for_tables',
    'timeout_waiting_for_khepri',
    'still waiting for table(s)',
    'Election timeout reached, restarting election',
    'failed to make requestVote RPC',
  ],
  'container-log',
  /(?<error>timeout_waiting_for_(?:tables|khepri_leader|khepri)|mnesia: still waiting for table\(s\)|Election timeout reached, restarting election|failed to make requestVote RPC)/,
);
/** Also said for a moment by every member that starts. */
const master = line(
  [
    'master not discovered',
    'not enough master nodes discovered during pinging',
    'MasterNotDiscoveredException',
    'master_not_discovered_exception',
    'Cannot open channel to',
    'Error connecting to all peers. Member join failed',
    'waiting for leader to bootstrap',
    'No cluster leader',
    'active cluster node not found',
    'unable to contact the other nodes in the cluster',
    'NotYetInitialized',
    'no replset config has been received',
    'Waiting for Mnesia tables for',
    'CLUSTERDOWN The cluster is down',
    'CLUSTERDOWN Hash slot not served',
    'Not all 16384 slots are covered',
    'Unable to contact any seeds',
    'Unable to gossip with any',
    'The seed provider lists no seeds',
    'resolve instance hostname',
    'resolve master instance hostname',
  ],
  'container-log',
  /(?<error>master not discovered(?: or elected)? yet|not enough master nodes discovered during pinging|MasterNotDiscoveredException|master_not_discovered_exception|Cannot open channel to \d{1,4} at election address \S{1,120}|Error connecting to all peers\. Member join failed|waiting for leader to bootstrap|No cluster leader|active cluster node not found|unable to contact the other nodes in the cluster|NotYetInitialized|no replset config has been received|CLUSTERDOWN (?:The cluster is down|Hash slot not served)|Not all 16384 slots are covered by nodes|Waiting for Mnesia tables for \d{1,8} ms, \d{1,4} retries left|Unable to contact any seeds|Unable to gossip with any (?:seeds|peers)|The seed provider lists no seeds|Can't resolve (?:master )?instance hostname)/,
);
const elected = line(
  [
    'elected-as-master',
    'master node changed {previous',
    'Synchronized with group, ready for connections',
    'Server startup complete',
    'election won: tally=',
    'entering leader state',
    'entering follower state',
  ],
  [],
  /elected-as-master|master node changed \{previous \[\]|Synchronized with group, ready for connections|Server startup complete; \d{1,4} plugins|election won: tally=|entering leader state|entering follower state: [^\n]{0,200}leader-address=\S/,
);

export const cause = defineCause({
  id: 'app-cluster-cannot-form',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],
  effectOf: ['cluster-dns-unanswered', 'networkpolicy-blocks', 'overlay-traffic-blocked'],

  text: {
    name: 'Members wait for each other',
    title: '{container} waits for the other members of its cluster, and no member may begin alone: {error}',
    why: 'A clustered database or broker serves only when enough members see each other, and after a full stop it lets only the member with the newest data begin. Here it says "{error}". All members were down at once (a power cut, all pods deleted), and a StatefulSet with podManagementPolicy OrderedReady starts the second pod only when the first is ready, which in turn waits for the second; or the members do not find each other: the headless Service does not publish pods that are not ready, names do not resolve, or the ports between the pods are blocked.',
  },

  clues: {
    bootstrap: proves(bootstrap, byContainers),
    tables: proves(tables, byContainers),
    master: supports(master, byContainers),
    elected: excludes(elected),
    well: excludes('pod.status', isWell),
  },
  says: {
    bootstrap: 'every member was down, and this one was not the last: {error}',
    tables: 'it waits for members that do not answer: {error}',
    master: 'it finds too few of the others: {error}',
    elected: 'the members have agreed since',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { bootstrap: last, tables: waits, master: few }) => ({
    ...namesOf(place),
    error: (last?.fields['error'] ?? waits?.fields['error'] ?? few?.fields['error'] ?? 'the others are missing').slice(0, 160),
  }),

  fixes: [
    {
      say: 'See how many members run, and whether each finds the names of the others',
      risk: 'reads-only',
      steps: [
        { say: 'members, their claims and nodes', run: 'kubectl -n {{namespace}} get pods,pvc -o wide', on: 'cluster' },
        {
          say: 'how they are started, and whether names of pods that are not ready are published',
          run: "kubectl -n {{namespace}} get statefulsets,services -o custom-columns='KIND:.kind,NAME:.metadata.name,POLICY:.spec.podManagementPolicy,NOT_READY:.spec.publishNotReadyAddresses'",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Let all members start at once: podManagementPolicy Parallel, and a readiness probe that does not ask for the whole cluster',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'the policy cannot be changed in place: the StatefulSet is made anew while pods and claims stay',
          run: 'kubectl -n {{namespace}} get statefulsets -o wide',
          on: 'cluster',
        },
      ],
      verified: 'all members are ready',
    },
    {
      say: 'After a full stop: find the member with the newest data (Galera: the highest seqno in grastate.dat) and let that one begin (safe_to_bootstrap: 1; RabbitMQ: rabbitmqctl force_boot); a wrong choice loses the writes of the others',
      risk: 'may-lose-data',
      steps: [{ say: 'what each member knows', run: 'kubectl -n {{namespace}} logs {{target}} --tail=100', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'galera gcs/src/gcs.cpp, galera/src/saved_state.cpp (safe_to_bootstrap)',
    'rabbitmq-server deps/rabbit/src/rabbit_table.erl (wait)',
    'elasticsearch cluster/coordination/ClusterFormationFailureHelper.java',
    'zookeeper server/quorum/QuorumCnxManager.java',
  ],
});
