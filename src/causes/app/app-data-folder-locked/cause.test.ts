import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (status: string) => `$ kubectl -n shop get pods
NAME       READY   STATUS             RESTARTS      AGE
ledger-0   ${status}   4m
`;
const CRASHING = '0/1     CrashLoopBackOff   5 (61s ago)';
const log = (words: string) => `$ kubectl -n shop logs ledger-0\n${words}\n`;
const crashing = (words: string) => ({ 'pods.txt': pods(CRASHING), 'ledger.log': log(words) });
const mongo =
  '{"t":{"$date":"2026-03-04T08:10:57.604+00:00"},"s":"E","c":"STORAGE","id":20557,"msg":"DBException in initAndListen, terminating","attr":{"error":"DBPathInUse: Unable to lock the lock file: /data/db/mongod.lock (Resource temporarily unavailable). Another mongod instance is already running on the /data/db directory"}}';

testCause(cause, {
  finds: {
    'a store of Raft': {
      evidence: crashing('Error starting agent: Failed to start server: Failed to start Raft: failed to open BoltDB: timeout'),
      confidence: 'certain',
    },
    'a store that a rolling update starts twice': {
      evidence: crashing('Error: Database at /var/lib/ledger/store.db/LOCK is already locked by another process'),
      confidence: 'certain',
    },
    'a time series store': {
      evidence: crashing(
        '2026-03-04T08:10:57.000Z\tpanic\tapp/vmstorage/main.go:103\tFATAL: cannot open storage at "/storage": cannot acquire lock on file "/storage/flock.lock": resource temporarily unavailable; make sure a single process has exclusive access to "/storage"',
      ),
      confidence: 'certain',
    },
    'an index of keys': { evidence: crashing('panic: resource temporarily unavailable: open /data/index/LOCK'), confidence: 'certain' },
    'one file, opened twice': {
      evidence: crashing('Error initializing storage of type raft: failed to open bolt file: timeout'),
      confidence: 'certain',
    },
    'a lock that may be a left-over': {
      evidence: crashing('2026-03-04 08:10:57.000 UTC [1] FATAL:  lock file "postmaster.pid" already exists'),
      confidence: 'possible',
    },
    Logstash: {
      evidence: crashing(
        'Logstash could not be started because there is already another instance using the configured data directory.  If you wish to run multiple instances, you must change the "path.data" setting.',
      ),
      confidence: 'certain',
    },
    'a Beat': {
      evidence: crashing(
        'Exiting: data path already locked by another beat. Please make sure that multiple beats are not sharing the same data path (path.data).',
      ),
      confidence: 'certain',
    },
    SQLite: { evidence: crashing('Error: ✗ failed to check table existence: database is locked'), confidence: 'possible' },
    'a database with an older pod beside it': { evidence: crashing(mongo), confidence: 'certain', cites: ['ledger.log:2'] },
    'a disk of Ceph': {
      evidence: crashing(
        '2026-03-04T08:10:57.604+0000 7f01 -1 bluestore(/var/lib/ceph/osd/ceph-4) _lock_fsid failed to lock /var/lib/ceph/osd/ceph-4/fsid (is another ceph-osd still running?)(11) Resource temporarily unavailable',
      ),
      confidence: 'certain',
    },
    'a block device of Ceph that is busy': {
      evidence: crashing(
        '2026-03-04T08:10:57.604+0000 7f01 -1 bdev(0x55c5 /var/lib/ceph/osd/ceph-4/block) open open got: (16) Device or resource busy',
      ),
      confidence: 'certain',
    },
    'a database of Open vSwitch': {
      evidence: crashing('ovsdb-tool: I/O error: /etc/openvswitch/conf.db: failed to lock file (Resource temporarily unavailable)'),
      confidence: 'certain',
    },
    'a table space': {
      evidence: crashing('2026-03-04T08:10:57Z 1 [ERROR] [MY-012574] [InnoDB] Unable to lock ./ibdata1 error: 11'),
      confidence: 'certain',
    },
    'an index, which may also be not writable': {
      evidence: crashing(
        'java.lang.IllegalStateException: failed to obtain node locks, tried [/data/search]; maybe these locations are not writable or multiple nodes were started on the same data path?',
      ),
      confidence: 'possible',
    },
    'metrics with their claim': {
      evidence: {
        ...crashing(
          'ts=2026-03-04T08:10:57Z level=error err="opening storage failed: lock DB directory: resource temporarily unavailable"',
        ),
        'pod.yaml':
          'apiVersion: v1\nkind: Pod\nmetadata:\n  name: ledger-0\n  namespace: shop\nspec:\n  containers:\n  - name: ledger\n    image: ledger:1\n  volumes:\n  - name: data\n    persistentVolumeClaim:\n      claimName: ledger-data\n',
      },
      confidence: 'certain',
    },
    'while the old pod is ending': {
      evidence: {
        ...crashing(mongo),
        'pod.yaml':
          'apiVersion: v1\nkind: Pod\nmetadata:\n  name: ledger-0\n  namespace: shop\n  deletionTimestamp: "2026-03-04T08:00:00Z"\nspec:\n  containers:\n  - name: ledger\n    image: ledger:1\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a lock file it may not open': {
      evidence: crashing(`${mongo}\nCaused by: java.nio.file.AccessDeniedException: /data/search/node.lock`),
      by: 'denied',
    },
    'it runs by now': { evidence: { 'pods.txt': pods('1/1     Running            0            '), 'ledger.log': log(mongo) }, by: 'well' },
  },
  asks: {
    'the log of the container': {
      evidence: { 'paste.txt': 'failed to obtain node locks, tried [[/data/search]] with lock id [0]\n' },
      for: 'container-log',
    },
  },
});
