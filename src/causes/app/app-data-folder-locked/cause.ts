import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

/** Each of these is said only by a program whose data somebody else has locked. */
const named = line(
  [
    'Another mongod instance is already running',
    'Unable to lock the lock file',
    'is another ceph-osd still running',
    'Another process is using this Badger database',
    'A Kafka instance in another process or thread is using this directory',
    'Lock held by another program',
    'Lock file has been locked by another process',
    'Database may be already in use',
    'lock DB directory: resource temporarily unavailable',
    'cannot acquire exclusive lock for',
    'is already locked by another process',
    'has exclusive access to',
    'failed to open bolt file: timeout',
    'failed to open BoltDB: timeout',
    'Another instance of Derby may have already booted',
    'is locked by another server',
    'single instance lock wal path failed',
    'is already locked. The most likely cause',
    'another instance using the configured data directory',
    'data path already locked by another beat',
  ],
  'container-log',
  /(?<error>Unable to lock the lock file: (?<mongo>\/[^\s(]{1,200})|Another mongod instance is already running on the (?<mongod>\/\S{1,200}) directory|failed to lock (?<osd>\/[^\s(]{1,200}) \(is another ceph-osd still running\?\)|Cannot acquire directory lock on [\\"]{1,4}(?<badger>\/[^\s"\\]{1,200})[\\"]{1,4}\. {1,4}Another process is using this Badger database|Failed to acquire lock on file \.lock in (?<kafka>\/\S{1,200})\. A Kafka instance|Lock held by another program: (?<lucene>\/\S{1,200})|Lock file has been locked by another process: (?<neo>\/\S{1,200})|Database may be already in use: [\\"]{0,4}(?<sql>[^\n"\\]{1,200})|lock DB directory: resource temporarily unavailable|cannot acquire exclusive lock for [\\"]{1,4}(?<victoria>\/[^\s"\\]{1,200})|(?:^|[\s\\"'])(?<store>\/[^\s"'\\]{1,200}) is already locked by another process|cannot (?:acquire lock on|create lock) file [\\"]{1,4}(?<flock>\/[^\s"\\]{1,200})[\\"]{1,4}: resource temporarily unavailable|failed to open (?:bolt file|BoltDB): timeout|Another instance of Derby may have already booted the database (?<derby>\/\S{1,200})|[Dd]atabase (?<broker>\/\S{1,200}) is locked by another server|single instance lock wal path failed|Index dir '(?<solr>\/[^'\n]{1,200})' of core '[^'\n]{1,100}' is already locked|there is already another instance using the configured data directory|data path already locked by another beat)/,
);
const elastic = line(
  ['failed to obtain node locks', 'failed to obtain node lock, is the following location writable'],
  'container-log',
  /failed to obtain node locks?,[^\n]{0,40}? (?:tried )?\[{1,2}(?<path>\/[^\]\n,]{1,200})/,
);
/** SQLite waits a while for other writers before it says so; kine of k3s, which says it of the cluster's own data, has a cause of its own. */
const sqlite = line(
  ['database is locked', 'SQLITE_BUSY'],
  ['container-log', 'prose'],
  /^(?![\s\S]{0,300}?(?:error in txn|error while range on|building kine))[\s\S]*?(?<error>database (?:table )?is locked|SQLITE_BUSY)/,
);
const file = line(
  [
    'failed to lock file (Resource temporarily unavailable)',
    'Unable to lock ./ib',
    'While lock file:',
    'IO error: lock /',
    '/block) open open got: (16)',
    'open failed to lock ',
    'resource temporarily unavailable: open',
    'LOCK: resource temporarily unavailable',
  ],
  'container-log',
  /(?<ovs>\/[^\s:]{1,200}): failed to lock file \(Resource temporarily unavailable\)|Unable to lock \.\/(?<innodb>ib\w{1,40}|#?\w{1,40}\.ibd),? error: (?:11|35)|(?:IO error: (?:While )?lock(?: file:)?|While lock file:) (?<rocks>\/[^\s:]{1,200}): Resource temporarily unavailable|resource temporarily unavailable: open (?<level>\/[^\s:]{1,200})|(?:^|[\s"'])(?<leveldb>\/[^\s:"']{1,200}LOCK): resource temporarily unavailable|bdev\([^)\n]{0,40}? (?<bdev>\/[^\s)]{1,200})\) open (?:open got: \(16\) Device or resource busy|failed to lock [^\n]{1,200}?\(11\) Resource temporarily unavailable)/,
);
/** A file of another process number, or what an earlier process left behind. */
const leftLock = line(
  ['lock file "postmaster.pid" already exists', 'database is locked'],
  'container-log',
  /^(?![\s\S]{0,300}?(?:error in txn|error while range on|building kine))[\s\S]*?(?:(?<pid>lock file [\\"]{1,4}postmaster\.pid[\\"]{1,4} already exists)|(?<sqlite>database is locked)(?: \(\d{1,4}\))?(?: \(SQLITE_BUSY|\b))/,
);
const denied = line(
  ['AccessDeniedException', 'NoSuchFileException', 'Permission denied', 'No locks available'],
  [],
  /(?:AccessDenied|NoSuchFile)Exception: \S{1,200}\.lock|(?:lock|LOCK)[^\n]{0,200}(?:Permission denied|No locks available)/,
);

export const cause = defineCause({
  id: 'app-data-folder-locked',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],
  effectOf: ['node-unreachable', 'process-stuck-uninterruptible'],

  text: {
    name: 'Data is locked by another instance',
    title: '{container} does not start: {how}',
    why: 'A program that stores data locks its folder or disk, so that no second one writes into it. Here {held} Usual reasons: an older pod of the same workload still runs or is still ending (a rolling update with one volume, a node that was lost), several replicas share one volume, or the process of the pod before it hangs on the node. On network file systems (NFS, SMB) a lock also outlives the client that died with it.',
  },

  clues: {
    named: proves(named, byContainers),
    file: proves(file, byContainers),
    elastic: supports(elastic, byContainers),
    leftLock: supports(leftLock, byContainers),
    sqlite: supports(sqlite, byContainers),
    ending: supports('pod.deleting'),
    claim: supports('pod.volume', ({ type }) => /PersistentVolumeClaim|NFS|HostPath/i.test(type)),
    denied: excludes(denied),
    well: excludes('pod.status', isWell),
  },
  says: {
    named: 'the program says that another one has its data: {error}',
    file: 'the lock of {path} is taken',
    elastic: 'Elasticsearch gets no lock on {path}',
    leftLock: 'it finds the lock of a database taken',
    sqlite: 'SQLite says that its database file is locked by somebody else',
    ending: 'a pod is still ending',
    claim: 'it mounts {volume}',
    denied: 'it may not touch the lock file, or the server keeps no locks: nobody else holds it',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { named: said, file: lock, elastic: node, claim: mounted }) => {
    const path = Object.entries({ ...said?.fields, ...lock?.fields, ...node?.fields }).find(
      ([key, value]) => key !== 'error' && value,
    )?.[1];
    // Elasticsearch says the same of a folder it may not write.
    const mayBeDenied = node !== undefined && !said && !lock;
    return {
      ...namesOf(place),
      path: path ?? 'of its volume',
      how: mayBeDenied
        ? `it gets no lock on its data${path ? ` ${path}` : ''}: it may not write there, or another instance holds it`
        : `another instance still holds the lock of its data${path ? ` ${path}` : ''}`,
      held: mayBeDenied
        ? `it gets no lock on ${path ?? 'its data'}. On a new volume that mostly means that the user of the program may not write there (owner of the folder, NFS with root_squash, a volume without fsGroup); on one in use, that the lock is held.`
        : `the lock of ${path ?? 'its volume'} is held.`,
      error: (said?.fields['error'] ?? 'the lock is held').slice(0, 160),
      volume: mounted ? `volume ${mounted.name}${mounted.source ? ` (${mounted.source})` : ''}` : 'a volume',
    };
  },

  fixes: [
    {
      say: 'See who else uses the volume: pods of the same workload, also those that are ending',
      risk: 'reads-only',
      steps: [
        { say: 'all pods, with their nodes', run: 'kubectl -n {{namespace}} get pods -o wide', on: 'cluster' },
        {
          say: 'which pod mounts which claim',
          run: "kubectl -n {{namespace}} get pods -o custom-columns='POD:.metadata.name,NODE:.spec.nodeName,CLAIMS:.spec.volumes[*].persistentVolumeClaim.claimName'",
          on: 'cluster',
        },
        {
          say: 'a process of an earlier pod (Ceph: ceph-osd)',
          run: 'ps -eo pid,ppid,stat,etime,args | grep -v grep | grep -iE "ceph-osd|mongod|java|mysqld|postgres|prometheus"',
          on: 'node',
        },
      ],
    },
    {
      say: 'Nobody else uses it: let the user of the program write there (fsGroup, or chown of the folder to its user)',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'a volume: fsGroup in the securityContext of the pod; Elasticsearch and OpenSearch run as 1000, their Bitnami images as 1001',
          run: `kubectl -n {{namespace}} patch {{target}} --type merge -p '{"spec":{"template":{"spec":{"securityContext":{"fsGroup":1000}}}}}'`,
          on: 'cluster',
        },
        { say: 'hostPath and NFS ignore fsGroup: on the host or the server', run: 'chown -R 1000:1000 FOLDER', on: 'node' },
      ],
      verified: 'the program starts and writes its lock file',
    },
    {
      say: 'Let one instance at a time use the data: strategy Recreate (or a StatefulSet with a claim for each replica), one replica',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'a Deployment with one volume',
          run: 'kubectl -n {{namespace}} get deployments -o custom-columns=NAME:.metadata.name,REPLICAS:.spec.replicas,STRATEGY:.spec.strategy.type',
          on: 'cluster',
        },
      ],
      verified: 'the new pod starts after the old one has ended',
    },
    {
      say: 'Where the old process hangs or its node is lost: end it there, or restart the node, before the lock is removed by hand; two writers damage the data',
      risk: 'touches-node',
      steps: [
        { say: 'who has the files open', run: 'lsof +D /var/lib/kubelet/pods 2>/dev/null | grep -iE "lock|fsid" | head', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'mongo src/mongo/db/storage/storage_engine_lock_file_posix.cpp',
    'ceph src/os/bluestore/BlueStore.cc (_lock_fsid), src/blk/kernel/KernelDevice.cc',
    'elasticsearch server/src/main/java/org/elasticsearch/env/NodeEnvironment.java',
    'rocksdb env/fs_posix.cc (LockFile)',
    'mysql-server storage/innobase/os/os0file.cc',
  ],
});
