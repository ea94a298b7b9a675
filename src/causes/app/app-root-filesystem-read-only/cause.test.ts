import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pod = (readOnly: boolean | undefined, status: object) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'feed-7d9f8c6b5-x2k4p',
      namespace: 'news',
      ownerReferences: [{ kind: 'ReplicaSet', name: 'feed-7d9f8c6b5', controller: true }],
    },
    spec: {
      containers: [
        {
          name: 'feed',
          image: 'registry.example/news/feed:3',
          ...(readOnly === undefined ? {} : { securityContext: { readOnlyRootFilesystem: readOnly } }),
        },
      ],
    },
    status: { phase: 'Running', containerStatuses: [{ name: 'feed', ready: false, restartCount: 4, ...status }] },
  });
const crashing = {
  state: { waiting: { reason: 'CrashLoopBackOff' } },
  lastState: { terminated: { reason: 'Error', exitCode: 1 } },
};
const log = (text: string) => `$ kubectl -n news logs feed-7d9f8c6b5-x2k4p -c feed --previous\n${text}\n`;
const place = 'container feed of Deployment news/feed';
const finds = (text: string) => ({
  evidence: { 'pod.json': pod(true, crashing), 'log.txt': log(text) },
  confidence: 'certain' as const,
  place,
  cites: ['log.txt:2'],
  victims: 1,
});

testCause(cause, {
  finds: {
    'python without a folder for temporary files': finds(
      "FileNotFoundError: [Errno 2] No usable temporary directory found in ['/tmp', '/var/tmp', '/usr/tmp', '/app']",
    ),
    Tomcat: finds('org.springframework.boot.web.server.WebServerException: Unable to create tempDir. java.io.tmpdir is set to /tmp'),
    'a shell': finds("mkdir: can't create directory '/var/cache/feed': Read-only file system"),
    python: finds("OSError: [Errno 30] Read-only file system: '/app/.cache'"),
    'node.js': finds("Error: EROFS: read-only file system, mkdir '/app/tmp'"),
    nginx: finds('nginx: [emerg] mkdir() "/var/cache/nginx/client_temp" failed (30: Read-only file system)'),
    go: finds('panic: open /feed.db: read-only file system'),
  },
  rulesOut: {
    'the root is writable': {
      evidence: { 'pod.json': pod(undefined, crashing), 'log.txt': log("cp: can't create '/config/x': Read-only file system") },
      by: 'set',
    },
    'a file of Redis, with its folder': {
      evidence: {
        'pod.json': pod(true, crashing),
        'log.txt': log(
          '24:C 04 Mar 2026 08:10:57.114 # Failed opening the RDB file dump.rdb (in server root dir /data) for saving: Read-only file system',
        ),
      },
      by: 'dataFile',
    },
    'a setting of the kernel': {
      evidence: {
        'pod.json': pod(true, crashing),
        'log.txt': log('open /proc/sys/net/ipv4/vs/conntrack: read-only file system'),
      },
      by: 'kernelSetting',
    },
    'the data of a store': {
      evidence: {
        'pod.json': pod(true, crashing),
        'log.txt': log("1:M 02 Nov 2025 08:01:12.730 # Can't open the append-only file: Read-only file system"),
      },
      by: 'dataFile',
    },
    'the disk was set read-only': {
      evidence: {
        'pod.json': pod(true, crashing),
        'log.txt': log("OSError: [Errno 30] Read-only file system: '/app/.cache'"),
        'kernel.log': 'Nov 02 08:01:12 worker-5 kernel: EXT4-fs (vda1): Remounting filesystem read-only\n',
      },
      by: 'remounted',
    },
    'it runs well': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                   READY   STATUS    RESTARTS   AGE\nnews        feed-7d9f8c6b5-x2k4p   1/1     Running   0          4m\n',
        'log.txt': log("OSError: [Errno 30] Read-only file system: '/app/.cache'"),
      },
      by: 'well',
    },
    'long over': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                   READY   STATUS    RESTARTS     AGE\nnews        feed-7d9f8c6b5-x2k4p   1/1     Running   4 (8d ago)   9d\n',
        'log.txt': log("OSError: [Errno 30] Read-only file system: '/app/.cache'"),
      },
      by: 'over',
    },
  },
  asks: {
    'its security context': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                   READY   STATUS             RESTARTS      AGE\nnews        feed-7d9f8c6b5-x2k4p   0/1     CrashLoopBackOff   4 (9s ago)    4m\n',
        'log.txt': log("OSError: [Errno 30] Read-only file system: '/app/.cache'"),
      },
      for: 'container.security',
    },
  },
});
