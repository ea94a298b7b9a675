import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const sql = line(
  [
    'could not locate a valid checkpoint record',
    'could not locate required checkpoint record',
    'incorrect checksum in control file',
    'Database page corruption on disk',
    'because data files are corrupt or',
    'Missing FILE_CHECKPOINT',
    'due to missing MLOG_CHECKPOINT',
    "Can't open and lock privilege tables",
    'Could not open the mysql.plugin table',
    'Bad magic header in tc log',
    "Can't init tc log",
    'database disk image is malformed',
    'file is not a database',
    'is in the future! Current system log sequence number',
    'could not open directory "pg_',
    'could not open directory \\"pg_',
    'invalid page in block',
    'could not read block ',
    'global/pg_filenode.map',
    'global/pg_control',
  ],
  'container-log',
  /(?<error>could not locate (?:a valid|required) checkpoint record|incorrect checksum in control file|Database page corruption on disk|Cannot create (?:redo )?log files because data files are corrupt|Missing FILE_CHECKPOINT(?: record)?|due to missing MLOG_CHECKPOINT|Can't open and lock privilege tables: Table 'mysql\.\w{1,40}' doesn't exist|Could not open the mysql\.plugin table|Bad magic header in tc log|Can't init tc log|database disk image is malformed|file is (?:encrypted or is )?not a database|log sequence number \d{1,20} is in the future! Current system log sequence number|could not open directory [\\"]{1,6}pg_\w{1,30}[\\"]{1,6}: No such file or directory|invalid page in block \d{1,12} of relation|could not read block \d{1,12} in file [^\n]{1,120}?: read only|could not open (?:relation mapping )?file [\\"]{1,6}(?:\/[^\s"\\]{1,200}\/)?global\/pg_(?:filenode\.map|control)[\\"]{1,6}: No such file)/i,
);
const stores = line(
  [
    'reading the append only file',
    'Terminating server after rdb file reading failure',
    'Short read or OOM loading DB',
    'Wrong RDB checksum expected',
    'Unable to load database on disk',
    'No snapshot found, but there are log entries',
    'is older than the last zxid',
    'WiredTiger metadata corruption detected',
    'encountered an illegal file format or internal value',
    'CorruptStateException',
    'TranslogCorruptedException',
    'CorruptSSTableException',
    'CommitLogReplayException',
    'Malformed line in checkpoint file',
    'opening storage failed',
    'Corruption: ',
    'not_a_dets_file',
    'not_a_log_file',
    'corrupted backend format',
    'freepages: failed to get all reachable pages',
    'TOO_MANY_UNEXPECTED_DATA_PARTS',
    'manifest has bad magic',
    'FATAL: cannot open part',
    'FATAL: cannot load metaindex',
    'Aria recovery failed',
    'Aria engine: log initialization failed',
    'Invalid magic number ',
  ],
  'container-log',
  /(?<error>(?:Bad file format|Unexpected end of file|Unrecoverable error) reading the append only file|Terminating server after rdb file reading failure|Short read or OOM loading DB|Wrong RDB checksum expected|Unable to load database on disk|No snapshot found, but there are log entries|The current epoch, \w{1,20}, is older than the last zxid|WiredTiger metadata corruption detected|encountered an illegal file format or internal value|(?:CorruptState|TranslogCorrupted|CorruptSSTable|CommitLogReplay)Exception|Malformed line in checkpoint file|opening storage failed: [^\n]{0,300}?(?:invalid magic number|not sequential|unexpected end of JSON input|corrupt\w{0,5}|invalid checksum|meta\.json: no such file or directory)|Corruption: (?:[^\n"]{0,40}checksum mismatch|CURRENT file|no meta-nextfile|missing files|corrupted|bad record|truncated|IO error)|not_a_(?:dets|log)_file|corrupted backend format|freepages: failed to get all reachable pages|TOO_MANY_UNEXPECTED_DATA_PARTS|manifest has bad magic|FATAL: cannot (?:open part|load metaindex)[^\n]{0,120}|Aria recovery failed|Aria engine: log initialization failed|IOException: Invalid magic number \d{1,12} != \d{1,12})/,
);
const otherVersion = line(
  ["Can't handle RDB format version", 'database files are incompatible with server', 'found backend type fs'],
  [],
  /Can't handle RDB format version|database files are incompatible with server|found backend type fs/,
);

/** What cannot be read at all is not known to be damaged: the storage below refuses. */
const unreadable = line(
  ['Input/output error', 'Read-only file system'],
  [],
  /could not (?:read|write|fsync|open|extend|access)[^\n]{0,240}?: (?:Input\/output error|Read-only file system)/i,
);

export const cause = defineCause({
  id: 'app-data-damaged',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],
  effectOf: ['data-volume-full', 'disk-io-error', 'filesystem-corrupt-or-readonly', 'node-unreachable'],

  text: {
    name: 'Data of the program is damaged',
    title: '{container} cannot read its own data: {error}',
    why: 'A database or store reads its files when it starts and ends where they contradict themselves. Here it says "{error}": what it had written last is cut off, empty or does not match its checksum. That comes of a node that lost power or was reset, of a volume that ran full or turned read-only, of two instances that wrote at once, or of storage that acknowledged writes it did not keep (NFS without sync, a replica that was lost).{upgrade} A restart reads the same files again.',
  },

  clues: {
    sql: proves(sql, byContainers),
    stores: proves(stores, byContainers),
    claim: supports('pod.volume', ({ type }) => /PersistentVolumeClaim|NFS|HostPath/i.test(type)),
    otherVersion: excludes(otherVersion),
    unreadable: excludes(unreadable),
    well: excludes('pod.status', isWell),
  },
  says: {
    sql: 'the database finds its files damaged: {error}',
    stores: 'the program finds its files damaged: {error}',
    claim: 'it mounts {volume}',
    otherVersion: 'the files are whole, of another version',
    unreadable: 'its files cannot be read at all: the storage below fails',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { sql: database, stores: store, claim: mounted }) => ({
    ...namesOf(place),
    error: (database?.fields['error'] ?? store?.fields['error'] ?? 'its files are damaged').slice(0, 160),
    upgrade: store?.fields['error']?.startsWith('No snapshot found')
      ? ' ZooKeeper says this also after an upgrade from 3.4, which did not write a snapshot at first: then the data is whole, and it may be told so once (snapshot.trust.empty).'
      : '',
    volume: mounted ? `volume ${mounted.name}${mounted.source ? ` (${mounted.source})` : ''}` : 'a volume',
  }),

  fixes: [
    {
      say: 'Stop the restarts and keep a copy of the volume before anything is repaired',
      risk: 'reads-only',
      steps: [
        { say: 'claims and snapshots', run: 'kubectl -n {{namespace}} get pvc,volumesnapshot', on: 'cluster' },
        { say: 'what it said before', run: 'kubectl -n {{namespace}} logs {{target}} --previous --tail=100', on: 'cluster' },
        { say: 'whether the disk itself fails or is full', run: 'dmesg -T | grep -iE "I/O error|EXT4-fs|XFS" | tail; df -h', on: 'node' },
      ],
    },
    {
      say: 'ZooKeeper without a snapshot, upgraded from 3.4: start it once with snapshot.trust.empty=true, and take the setting out again',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'as a JVM flag; only where the transaction logs are complete (log.1 is there)',
          run: 'kubectl -n {{namespace}} set env {{target}} SERVER_JVMFLAGS=-Dzookeeper.snapshot.trust.empty=true',
          on: 'cluster',
        },
      ],
      verified: 'ZooKeeper starts and writes a snapshot',
    },
    {
      say: 'A member of a cluster whose other members are well: empty its volume, and it copies the data from them',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'first make sure that the others hold everything; then the claim of this member only',
          run: 'kubectl -n {{namespace}} get pods,pvc -o wide',
          on: 'cluster',
        },
      ],
      verified: 'the member joins and gets its data from the others',
    },
    {
      say: 'A single instance: restore the last backup; or repair with its own tool, which drops what cannot be read (redis-check-aof --fix, pg_resetwal, innodb_force_recovery, mongod --repair; Prometheus: delete the block, the file of chunks_head or the wal segment that the message names)',
      risk: 'may-lose-data',
      steps: [{ say: 'a pod that mounts the claim without starting the program', run: 'kubectl -n {{namespace}} get pvc', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'postgres src/backend/access/transam/xlogrecovery.c',
    'redis src/aof.c, src/rdb.c',
    'zookeeper server/quorum/QuorumPeer.java (loadDataBase), server/persistence/FileTxnSnapLog.java',
    'mysql-server storage/innobase/log/log0recv.cc, sql/auth/sql_auth_cache.cc',
    'mongo src/third_party/wiredtiger/src/block',
    'prometheus tsdb/db.go, tsdb/wlog; rocksdb include/rocksdb/status.h (Corruption)',
  ],
});
