import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

/** The program compares what its files say it belongs to with what it was told or what the others say. */
const cluster = line(
  [
    "doesn't match stored clusterId",
    'Invalid cluster.id in:',
    'trying to join the wrong cluster',
    "thinks it's clustered with node",
    'Saved cluster name',
    'previously joined a cluster with UUID',
    'with a different cluster uuid',
    'replSet names do not match',
    'system ID mismatch, node',
    'database system identifier differs',
    'mismatch cluster id, need',
    'Expected empty archive',
    'do not match stanza version',
    'exist but do not match the database',
    'cluster ID mismatch',
    'but is attempting to connect to a gossip network',
    'differs from previous data center',
    'format.json mismatch',
    "is not a child of this server's history",
    'Inconsistent drive found',
  ],
  'container-log',
  /(?<error>The Cluster ID \S{1,60} doesn't match stored clusterId (?:Some\()?[\w-]{1,60}|Invalid cluster\.id in: \S{1,200}\. Expected \S{1,60}, but read [\w-]{1,60}|broker is trying to join the wrong cluster|Node '?[\w@.-]{1,200}'? thinks it's clustered with node '?[\w@.-]{1,200}'?, but '?[\w@.-]{1,200}'? disagrees|Saved cluster name [^\n!]{1,80} != configured name [^\n]{1,80}|previously joined a cluster with UUID \[?[\w-]{1,60}|with a different cluster uuid|replSet names do not match|system ID mismatch, node \S{1,100} belongs to a different cluster|database system identifier differs between the primary and standby|WAL archive check failed for server \S{1,100}: Expected empty archive|PostgreSQL version [\d.]{1,8}, system-id \d{1,24} do not match stanza version|backup and archive info files exist but do not match the database|mismatch cluster id, need \d{1,24} but got \d{1,24}|cluster ID mismatch, local \S{1,40} != remote \S{1,40}|node belongs to cluster \S{1,60} but is attempting to connect to a gossip network|requested timeline \d{1,10} is not a child of this server's history|format\.json mismatch|Inconsistent drive found|snitch's data center \(\S{1,60}\) differs from previous data center \(\S{1,60})/,
);
const member = line(
  [
    "doesn't match stored broker.id",
    'Stored node id',
    'not in the peer list',
    'does not have a valid entry for the current node',
    'maps to this node',
    'already exists, cancelling join',
    'REPLICA_ALREADY_EXISTS',
    'more executed transactions than those present in the group',
  ],
  'container-log',
  /(?<error>Configured (?:broker|node)\.id \d{1,8} doesn't match stored broker\.id (?:Some\()?\d{1,8}|Stored node id \d{1,8} doesn't match previous node id \d{1,8}|My id \d{1,8} not in the peer list|Locally stored replica set configuration does not have a valid entry for the current node|No host described in new configuration [^\n]{0,120}maps to this node|A node with address \S{1,80} already exists, cancelling join|REPLICA_ALREADY_EXISTS|This member has more executed transactions than those present in the group)/,
);
const joined = line(
  ['Cluster has been joined', 'joined the cluster', 'Finished joining the ring', 'became healthy'],
  [],
  /(?:successfully joined the cluster|Finished joining the ring)/i,
);

export const cause = defineCause({
  id: 'app-data-of-other-cluster',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],

  text: {
    name: 'Data of another cluster or member',
    title: '{container} refuses to join: its data belongs to another cluster or another member ({error})',
    why: 'A member of a database or broker cluster writes into its volume which cluster it belongs to and which member it is, and compares that at every start. Here the two differ: {error}. The claim of an earlier installation was taken up by a new one (helm uninstall keeps the claims of a StatefulSet), one part was installed anew while the others kept their volumes, the ids or names in the configuration were changed, or the others were told to forget this member. So it ends rather than mix two sets of data.',
  },

  clues: {
    cluster: proves(cluster, byContainers),
    member: proves(member, byContainers),
    claim: supports('pod.volume', ({ type }) => /PersistentVolumeClaim|HostPath/i.test(type)),
    joined: excludes(joined),
    well: excludes('pod.status', isWell),
  },
  says: {
    cluster: 'what its data belongs to is not what it was told to join: {error}',
    member: 'the member that wrote the data is not the one that starts: {error}',
    claim: 'it mounts {volume}',
    joined: 'it has joined since',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { cluster: other, member: which, claim: mounted }) => ({
    ...namesOf(place),
    error: (other?.fields['error'] ?? which?.fields['error'] ?? 'the ids differ').slice(0, 200),
    volume: mounted ? `volume ${mounted.name}${mounted.source ? ` (${mounted.source})` : ''}` : 'a volume',
  }),

  fixes: [
    {
      say: 'See which claims are older than the pods: one that outlived an installation holds the old identity',
      risk: 'reads-only',
      steps: [
        {
          say: 'claims by age, and pods',
          run: 'kubectl -n {{namespace}} get pvc,pods -o wide --sort-by=.metadata.creationTimestamp',
          on: 'cluster',
        },
        {
          say: 'what the member is told',
          run: 'kubectl -n {{namespace}} get {{target}} -o yaml | grep -n -iE "cluster|zookeeper|broker|node.id|seed"',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'If the data is to be kept: put the id, name or address back that the data was written with (cluster.id, broker.id, cluster_name, zookeeper.connect)',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'the revision before, where the setting was changed',
          run: 'kubectl -n {{namespace}} rollout undo {{target}}',
          on: 'cluster',
        },
      ],
      changes: [{ do: 'rollout-undo' }],
      verified: 'the member starts and the others list it',
    },
    {
      say: 'If this member may begin anew: take it off the list of the others (rabbitmqctl forget_cluster_node, nodetool removenode), then give it an empty volume',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'the claim of this member only, and only while the others hold the data',
          run: 'kubectl -n {{namespace}} get pvc',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kafka core/src/main/scala/kafka/server/KafkaServer.scala (InconsistentClusterIdException), metadata/properties/MetaPropertiesEnsemble.java',
    'zookeeper server/quorum/QuorumPeer.java (start)',
    'rabbitmq-server deps/rabbit/src/rabbit_mnesia.erl (check_cluster_consistency)',
    'cassandra src/java/org/apache/cassandra/db/SystemKeyspace.java (checkHealth)',
    'elasticsearch cluster/coordination/JoinHelper.java; mongo src/mongo/db/repl',
  ],
});
