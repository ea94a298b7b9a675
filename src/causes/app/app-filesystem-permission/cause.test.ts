import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = `$ kubectl -n ci get pods
NAME                       READY   STATUS             RESTARTS      AGE
builds-6d8f7c9b5d-4xk2v    0/1     CrashLoopBackOff   5 (61s ago)   4m
`;

const pod = `apiVersion: v1
kind: Pod
metadata:
  name: builds-6d8f7c9b5d-4xk2v
  namespace: ci
  ownerReferences:
  - apiVersion: apps/v1
    kind: ReplicaSet
    name: builds-6d8f7c9b5d
spec:
  containers:
  - name: builds
    image: registry.example/ci/builds:9
    securityContext:
      runAsUser: 1000
      readOnlyRootFilesystem: true
    volumeMounts:
    - name: home
      mountPath: /var/lib/builds
  volumes:
  - name: home
    persistentVolumeClaim:
      claimName: builds-home
status:
  phase: Running
  containerStatuses:
  - name: builds
    ready: false
    restartCount: 5
    state:
      waiting:
        reason: CrashLoopBackOff
    lastState:
      terminated:
        exitCode: 1
        reason: Error
`;

const log = (text: string) => `$ kubectl -n ci logs builds-6d8f7c9b5d-4xk2v -c builds\n${text}\n`;
const place = 'container builds of Deployment ci/builds';
const kernel = `$ journalctl -k --no-pager
Mar 03 10:12:13 worker-1 kernel: audit: type=1400 audit(1740996733.120:812): avc:  denied  { write } for  pid=4121 comm="builds" name="data" dev="sdb" ino=2 scontext=system_u:system_r:container_t:s0:c1,c2 tcontext=system_u:object_r:unlabeled_t:s0 tclass=dir permissive=0
`;

const found = (text: string) => ({
  evidence: { 'pods.txt': listing, 'log.txt': log(text) },
  confidence: 'probable' as const,
  place,
  cites: ['log.txt:2'],
});

testCause(cause, {
  finds: {
    'an init container that may not pass by': found('chown: /srv/builds/png: Permission denied'),
    'Elasticsearch in its folder': found(
      'org.elasticsearch.bootstrap.StartupException: ElasticsearchException[failed to bind service]; nested: AccessDeniedException[/srv/builds/nodes];',
    ),
    'Node.js takes over a folder': found("Error executing 'postInstallation': EPERM: operation not permitted, chown '/srv/builds'"),
    'SQL Server': found(
      '/opt/mssql/bin/sqlservr: Error: The system directory [/.system] could not be created. File: LinuxDirectory.cpp:420 [Status: 0xC0000022 Access Denied errno = 0xD(13) Permission denied]',
    ),
    'SQL Server, older words': found('/opt/mssql/bin/sqlservr: Error: The system directory [/.system] could not be created.  Error [13].'),
    Cassandra: found('Caused by: java.lang.IllegalStateException: Failed to mkdirs /opt/heron/data/data; unable to start server'),
    'Cassandra, another check': found('Has no permission to create directory /var/lib/heron/data'),
    'an exception within another': found(
      'org.elasticsearch.bootstrap.StartupException: ElasticsearchException[failed to bind service]; nested: AccessDeniedException[/usr/share/heron/data/nodes];',
    ),
    'Ruby makes a folder': found('Errno::EACCES: Permission denied @ dir_s_mkdir - /srv/builds/tmp'),
    'a shell writes a hidden file': found('/opt/builds/lib.sh: line 315: /srv/builds/.access_key: Permission denied'),
    'SQLite on a file of somebody else': found('sqlite3.OperationalError: attempt to write a readonly database'),
    InnoDB: found('[ERROR] [MY-012592] [InnoDB] Operating system error number 13 in a file operation.'),
    'SQLite without its folder': {
      evidence: { 'log.txt': '$ kubectl logs store-0\nsqlite3.OperationalError: unable to open database file\n' },
      confidence: 'possible',
    },
    'PostgreSQL in its folder': found(
      '2026-03-04 08:10:57.365 GMT [1] PANIC:  could not open file "pg_wal/000000010000000000000001": Permission denied',
    ),
    'Node.js, copying into a volume': found(
      "Error: EACCES: permission denied, copyfile '/opt/builds/defaults.json' -> '/data/settings.json'",
    ),
    'Node.js, a relative path': found("Error: EACCES: permission denied, open './env.js'"),
    'Node.js, not permitted': found("Error: EPERM: operation not permitted, rename '/data/a.tmp' -> '/data/a.json'"),
    'Python, a relative path': found("PermissionError: [Errno 13] Permission denied: 'logs/builds.log'"),
    'Java, a relative path': found('java.io.FileNotFoundException: logs/builds.log (Permission denied)'),
    'Java, a folder of its own': found('java.nio.file.AccessDeniedException: work'),
    '.NET': found("Unhandled exception. System.UnauthorizedAccessException: Access to the path '/data/keys' is denied."),
    Ruby: found('Errno::EACCES: Permission denied @ rb_sysopen - /builds/log/production.log'),
    'a log of MySQL': found("mysqld: File './binlog.index' not found (OS errno 13 - Permission denied)"),
    'the files of InnoDB': found("[ERROR] [MY-012595] [InnoDB] The innodb_system data file 'ibdata1' must be writable"),
    'the cache of npm': found('npm ERR! Your cache folder contains root-owned files, due to a bug in'),
    'a cookie that cannot be made': found("Failed to create cookie file '/var/lib/rabbitmq/.erlang.cookie': eacces"),
    SQLite: found('SqliteError: attempt to write a readonly database'),
    'a cookie of Erlang': found('Error when reading /var/lib/rabbitmq/.erlang.cookie: eacces'),
    's6-overlay': found(
      "/package/admin/s6-overlay/libexec/preinit: fatal: /run belongs to uid 0 instead of 1000 and we're lacking the privileges to fix it.",
    ),
    'the log of php-fpm': found('[04-Mar-2026 08:10:57] ERROR: failed to open error_log (/proc/self/fd/2): Permission denied (13)'),
    'a file a Beat does not own': found(
      'Exiting: error loading config file: config file ("filebeat.yml") must be owned by the user identifier (uid=0) or root',
    ),
    'a drive that MinIO may not write': {
      evidence: {
        'store.log':
          '$ kubectl logs store-0\nError: unable to rename (/data/.minio.sys/tmp -> /data/.minio.sys/tmp-old/1b3c) file access denied, drive may be faulty please investigate (*fmt.wrapError)\n',
      },
      confidence: 'probable',
    },
    'etcd refuses a folder that others may read': {
      evidence: {
        'etcd.log':
          '$ kubectl -n kube-system logs etcd-elm\n{"level":"fatal","ts":"2026-03-04T08:10:57.233Z","caller":"etcdmain/etcd.go:204","msg":"discovery failed","error":"cannot access data directory: directory \\"/var/lib/etcd\\",\\"drwxr-xr-x\\" exist without desired file permission \\"-rwx------\\""}\n',
      },
      confidence: 'probable',
    },
    'a data folder that the group may read': {
      evidence: {
        'pods.txt': listing,
        'builds.log':
          '$ kubectl -n ci logs builds-6d8f7c9b5d-4xk2v\n2026-03-04 08:10:57.604 GMT [61] FATAL:  data directory "/var/lib/builds/data" has group or world access\n2026-03-04 08:10:57.604 GMT [61] DETAIL:  Permissions should be u=rwx (0700).\n',
      },
      confidence: 'probable',
      cites: ['builds.log:2'],
    },
    touch: found("touch: cannot touch '/var/lib/builds/state.log': Permission denied"),
    'a path of its own folder': found('mkdir: cannot create directory ‘data/builds’: Permission denied'),
    'Go in its own folder': found('level=panic msg="open db-417: permission denied"'),
    tar: found('tar: ./wares: Cannot mkdir: Permission denied'),
    nginx: found('nginx: [emerg] mkdir() "/var/cache/nginx/client_temp" failed (13: Permission denied)'),
    Go: found('level=fatal msg="cannot open state" error="open /var/lib/builds/state.db: permission denied"'),
    Node: found("Error: EACCES: permission denied, mkdir '/srv/app/.cache'"),
    Python: found("PermissionError: [Errno 13] Permission denied: '/srv/app/cache'"),
    Java: found('Exception in thread "main" java.nio.file.AccessDeniedException: /usr/share/search/data/nodes'),
    'a data folder that cannot be taken over': found("chown: changing ownership of '/var/lib/postgresql/data': Operation not permitted"),
    'a read-only root with its security context': {
      evidence: { 'pod.yaml': pod, 'log.txt': log("OSError: [Errno 30] Read-only file system: '/srv/app/run'") },
      confidence: 'probable',
      place,
      cites: ['log.txt:2'],
    },
  },
  rulesOut: {
    'Calico on a folder of the host': {
      evidence: {
        'log.txt':
          '$ kubectl -n kube-system logs calico-node-x7k2p -c install-cni --previous\nopen /host/opt/cni/bin/calico: permission denied\n',
      },
      by: 'ofCalico',
    },
    'SELinux refuses': {
      evidence: {
        'pods.txt': listing,
        'log.txt': log("touch: cannot touch '/var/lib/builds/state.log': Permission denied"),
        'kernel.txt': kernel,
      },
      by: 'denial',
    },
    'a healthy pod that does without': {
      evidence: {
        'pods.txt': listing.replace('0/1     CrashLoopBackOff   5 (61s ago)   4m', '1/1     Running            0             4m'),
        'log.txt': log('WARN no cache: open /srv/app/.cache: permission denied'),
      },
      by: 'well',
    },
    'the kubelet cannot mount': {
      evidence: {
        'pods.txt': listing,
        'kubelet.log': `Mar 03 10:12:13 worker-5 kubelet[871]: E0303 10:12:13.120001     871 nestedpendingoperations.go:348] "MountVolume.SetUp failed" err="mkdir /var/lib/kubelet/pods/x: permission denied"\n`,
      },
      by: 'ofDaemon',
    },
    'long over': {
      evidence: {
        'pods.txt': listing.replace('0/1     CrashLoopBackOff   5 (61s ago)   4m', '1/1     Running            5 (8d ago)    8d'),
        'log.txt': log("Error: EACCES: permission denied, mkdir '/srv/app/.cache'"),
      },
      by: 'over',
    },
  },
  asks: {
    'the kernel log, for a denial': {
      evidence: { 'pods.txt': listing, 'log.txt': log("Error: EACCES: permission denied, mkdir '/srv/app/.cache'") },
      for: 'kernel.denial',
    },
  },
});
