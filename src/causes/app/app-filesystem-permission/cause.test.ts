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
    touch: found("touch: cannot touch '/var/lib/builds/state.log': Permission denied"),
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
