import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (status: string) => `$ kubectl -n shop get pods
NAME       READY   STATUS             RESTARTS      AGE
ledger-0   ${status}   4m
`;
const CRASHING = '0/1     CrashLoopBackOff   5 (61s ago)';
const log = (words: string) => `$ kubectl -n shop logs ledger-0\n${words}\n`;
const crashing = (words: string) => ({ 'pods.txt': pods(CRASHING), 'ledger.log': log(words) });
const postgres =
  '2026-03-04 08:10:57.358 UTC [34] LOG:  invalid primary checkpoint record\n2026-03-04 08:10:57.358 UTC [34] PANIC:  could not locate a valid checkpoint record';
const found = (words: string) => ({ evidence: crashing(words), confidence: 'certain' as const });

testCause(cause, {
  finds: {
    'a first start that was cut off': found(
      '2026-03-04T08:10:57.175066Z 0 [ERROR] [MY-010735] [Server] Could not open the mysql.plugin table. Please perform the MySQL upgrade procedure.',
    ),
    'a map that is gone': found('FATAL:  could not open relation mapping file "global/pg_filenode.map": No such file or directory'),
    'pages from the future': found(
      "2026-03-04T08:10:57.175066Z 0 [ERROR] [MY-011971] [InnoDB] Tablespace 'innodb_undo_001' Page [page id: space=4294967279, page number=9] log sequence number 119 is in the future! Current system log sequence number 112.",
    ),
    'folders that are gone': found(
      '2026-03-04 08:10:57.812 UTC [26] FATAL:  could not open directory "pg_replslot": No such file or directory',
    ),
    'parts of a time series store': found(
      '2026-03-04T08:10:57.000Z\tpanic\tlib/storage/partition.go:1\tFATAL: cannot open part "/storage/data/small/2026_03/1": cannot parse path to part',
    ),
    'a write-ahead log that was cut off': { ...found(postgres), cites: ['ledger.log:3'] },
    'privileges that were never written': found(
      "2026-03-04  8:10:57 0 [ERROR] Fatal error: Can't open and lock privilege tables: Table 'mysql.user' doesn't exist",
    ),
    'redo files of a copy': found(
      '2026-03-04T08:10:57.604Z 1 [ERROR] [MY-013882] [InnoDB] Missing FILE_CHECKPOINT record between the checkpoint and the end',
    ),
    'the log of Aria': found('2026-03-04  8:10:57 0 [ERROR] mariadbd: Aria engine: log initialization failed'),
    'an empty file of ZooKeeper': found('java.io.IOException: Invalid magic number 0 != 1514884167'),
    'a small database in one file': found('panic: database disk image is malformed'),
    'an append only file': found(
      '1:M 04 Mar 2026 08:10:57.411 # Bad file format reading the append only file appendonly.aof.1.incr.aof: make a backup of your AOF file, then use ./redis-check-aof --fix <filename.manifest>',
    ),
    'a transaction log that is empty': found(
      '2026-03-04 08:10:57,665 ERROR Unable to load database on disk (org.apache.zookeeper.server.quorum.QuorumPeer) [main]\njava.io.EOFException',
    ),
    'an epoch that lags': found(
      'java.io.IOException: The current epoch, 5, is older than the last zxid, 25769803777\n\tat org.apache.zookeeper.server.quorum.QuorumPeer.loadDataBase(QuorumPeer.java:1120)',
    ),
    'metrics that were half written': found(
      'ts=2026-03-04T08:10:57Z level=error err="opening storage failed: get segment range: segments are not sequential"',
    ),
    'a key value store': found('[FATAL] [server.rs:280] ["failed to create raft engine: RocksDb Corruption: block checksum mismatch"]'),
    'with its claim': {
      evidence: {
        ...crashing(postgres),
        'pod.yaml':
          'apiVersion: v1\nkind: Pod\nmetadata:\n  name: ledger-0\n  namespace: shop\nspec:\n  containers:\n  - name: ledger\n    image: ledger:1\n  volumes:\n  - name: data\n    persistentVolumeClaim:\n      claimName: ledger-data\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'files that cannot be read': {
      evidence: crashing(
        `2026-03-04 08:10:57.300 UTC [34] LOG:  could not read from log segment 000000010000000000000001, offset 0: Input/output error\n${postgres}`,
      ),
      by: 'unreadable',
    },
    'files of another version': {
      evidence: crashing("# Can't handle RDB format version 11\n# Terminating server after rdb file reading failure."),
      by: 'otherVersion',
    },
    'it runs by now': {
      evidence: { 'pods.txt': pods('1/1     Running            0            '), 'ledger.log': log(postgres) },
      by: 'well',
    },
  },
  asks: {
    'what the pod mounts': { evidence: crashing(postgres), for: 'pod.volume' },
  },
});
