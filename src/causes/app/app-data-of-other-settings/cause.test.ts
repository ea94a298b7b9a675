import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (status: string) => `$ kubectl -n shop get pods
NAME       READY   STATUS             RESTARTS      AGE
ledger-0   ${status}   4m
`;
const CRASHING = '0/1     CrashLoopBackOff   5 (61s ago)';
const log = (words: string) => `$ kubectl -n shop logs ledger-0\n${words}\n`;
const crashing = (words: string) => ({ 'pods.txt': pods(CRASHING), 'ledger.log': log(words) });
const tables =
  "2026-03-04T08:10:57.921Z 1 [ERROR] [MY-011087] [Server] Different lower_case_table_names settings for server ('1') and data dictionary ('0').\n2026-03-04T08:10:57.922Z 0 [ERROR] [MY-010020] [Server] Data Dictionary initialization failed.";

testCause(cause, {
  finds: {
    'names of tables': { evidence: crashing(tables), confidence: 'certain', cites: ['ledger.log:2'] },
    'drives of MinIO': {
      evidence: crashing(
        "ERROR Unable to initialize backend: /data drive is already being used in another erasure deployment. (Number of drives specified: 1 but the number of drives found in the 1st drive's format.json: 4)",
      ),
      confidence: 'certain',
    },
    'folders of ZooKeeper': {
      evidence: crashing(
        'org.apache.zookeeper.server.persistence.FileTxnSnapLog$SnapDirContentCheckException: Snapshot directory has log files. Check if dataLogDir and dataDir configuration is correct.',
      ),
      confidence: 'certain',
    },
    'pages of InnoDB': {
      evidence: crashing(
        "2026-03-04T08:10:57.921Z 1 [ERROR] [MY-012264] [InnoDB] Data file './ibdata1' uses page size 16384, but the innodb_page_size start-up parameter is 8192",
      ),
      confidence: 'certain',
    },
    'the log of InnoDB': {
      evidence: crashing(
        '2026-03-04  8:10:57 139 [ERROR] InnoDB: Log file ./ib_logfile0 is of different size 50331648 bytes than specified in the .cnf file 5242880 bytes!',
      ),
      confidence: 'certain',
    },
    'folders of MongoDB': {
      evidence: crashing(
        '{"t":{"$date":"2026-03-04T08:10:57.047+00:00"},"s":"E","c":"CONTROL","id":20557,"ctx":"initandlisten","msg":"DBException in initAndListen, terminating","attr":{"error":"InvalidOptions: Requested option conflicts with current storage engine option for directoryPerDB; you requested true but the current server storage is already set to false and cannot be changed"}}',
      ),
      confidence: 'certain',
    },
    'tokens of Cassandra, with its claim': {
      evidence: {
        ...crashing('org.apache.cassandra.exceptions.ConfigurationException: Cannot change the number of tokens from 256 to 16'),
        'pod.yaml':
          'apiVersion: v1\nkind: Pod\nmetadata:\n  name: ledger-0\n  namespace: shop\nspec:\n  containers:\n  - name: ledger\n    image: ledger:1\n  volumes:\n  - name: data\n    persistentVolumeClaim:\n      claimName: ledger-data\n',
      },
      confidence: 'certain',
    },
    'another build of PostgreSQL': {
      evidence: crashing(
        '2026-03-04 08:10:57.365 GMT [1] FATAL:  database files are incompatible with server\n2026-03-04 08:10:57.365 GMT [1] DETAIL:  The database cluster was initialized with BLCKSZ 8192, but the server was compiled with BLCKSZ 32768.',
      ),
      confidence: 'certain',
    },
  },
  rulesOut: {
    'another version': {
      evidence: crashing(
        '2026-03-04 08:10:57.365 GMT [1] DETAIL:  The database cluster was initialized with PG_CONTROL_VERSION 1300, but the server was compiled with PG_CONTROL_VERSION 1700.',
      ),
      by: 'version',
    },
    'it runs by now': {
      evidence: { 'pods.txt': pods('1/1     Running            0            '), 'ledger.log': log(tables) },
      by: 'well',
    },
  },
  asks: {
    'what the pod mounts': { evidence: crashing(tables), for: 'pod.volume' },
  },
});
