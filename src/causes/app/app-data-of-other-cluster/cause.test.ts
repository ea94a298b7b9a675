import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (status: string) => `$ kubectl -n shop get pods
NAME       READY   STATUS             RESTARTS      AGE
ledger-1   ${status}   4m
`;
const CRASHING = '0/1     CrashLoopBackOff   5 (61s ago)';
const log = (words: string) => `$ kubectl -n shop logs ledger-1\n${words}\n`;
const crashing = (words: string) => ({ 'pods.txt': pods(CRASHING), 'ledger.log': log(words) });
const broker =
  "kafka.common.InconsistentClusterIdException: The Cluster ID abcDEF123 doesn't match stored clusterId Some(zyxWVU987) in meta.properties. The broker is trying to join the wrong cluster. Configured zookeeper.connect may be wrong.";
const found = (words: string) => ({ evidence: crashing(words), confidence: 'certain' as const });

testCause(cause, {
  finds: {
    'a broker, in short': found('java.lang.RuntimeException: The broker is trying to join the wrong cluster.'),
    'a broker of an earlier installation': { ...found(broker), cites: ['ledger.log:2'] },
    'a broker without ZooKeeper': found(
      'java.lang.RuntimeException: Invalid cluster.id in: /data/kafka/meta.properties. Expected abcDEF123, but read zyxWVU987',
    ),
    'a queue the others forgot': found(
      "throw:{error,{inconsistent_cluster,\"Node 'rabbit@ledger-1' thinks it's clustered with node 'rabbit@ledger-0', but 'rabbit@ledger-0' disagrees\"}}",
    ),
    'a ring of another name': found('ERROR [main] Fatal exception: Saved cluster name Test Cluster != configured name ledger'),
    'an archive of an earlier database': found(
      '{"level":"info","logger":"barman-cloud-check-wal-archive","msg":"2026-03-04 08:10:57,914 [23] ERROR: WAL archive check failed for server ledger: Expected empty archive"}',
    ),
    'a member nobody lists': found('java.lang.RuntimeException: My id 2 not in the peer list'),
    'a broker that is another one': found(
      "kafka.common.InconsistentBrokerIdException: Configured broker.id 2 doesn't match stored broker.id Some(0) in meta.properties.",
    ),
    'with its claim': {
      evidence: {
        ...crashing(broker),
        'pod.yaml':
          'apiVersion: v1\nkind: Pod\nmetadata:\n  name: ledger-1\n  namespace: shop\nspec:\n  containers:\n  - name: ledger\n    image: ledger:1\n  volumes:\n  - name: data\n    persistentVolumeClaim:\n      claimName: ledger-data\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it has joined since': { evidence: crashing(`${broker}\nthis node successfully joined the cluster`), by: 'joined' },
    'it runs by now': { evidence: { 'pods.txt': pods('1/1     Running            0            '), 'ledger.log': log(broker) }, by: 'well' },
  },
  asks: {
    'what the pod mounts': { evidence: crashing(broker), for: 'pod.volume' },
  },
});
