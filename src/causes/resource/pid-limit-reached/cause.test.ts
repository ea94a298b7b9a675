import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = `$ kubectl -n farm get pods
NAME                      READY   STATUS             RESTARTS      AGE
crawler-58d9c6b7f-k2m9x   0/1     CrashLoopBackOff   4 (30s ago)   4m
`;
const describe = `$ kubectl -n farm describe pod crawler-58d9c6b7f-k2m9x
Name:           crawler-58d9c6b7f-k2m9x
Namespace:      farm
Node:           worker-5/10.4.0.15
Status:         Running
Controlled By:  ReplicaSet/crawler-58d9c6b7f
Containers:
  crawler:
    Image:          registry.example/crawler:1.4
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    1
    Ready:          False
    Restart Count:  4
Events:          <none>
`;
const log = (text: string) => `$ kubectl -n farm logs crawler-58d9c6b7f-k2m9x -c crawler --previous\nstarting workers\n${text}\n`;
const place = 'container crawler of Deployment farm/crawler';
const finds = (text: string) => ({
  evidence: { 'pods.txt': listing, 'describe.txt': describe, 'log.txt': log(text) },
  confidence: 'certain' as const,
  place,
  cites: ['log.txt:3'],
});

testCause(cause, {
  finds: {
    'an old kernel speaks of memory': {
      ...finds('runtime: failed to create new OS thread (have 13 already; errno=12)'),
      confidence: 'possible',
    },
    'nginx cannot fork': finds(
      '2026/03/04 08:10:57 [alert] 8#8: fork() failed while spawning "worker process" (11: Resource temporarily unavailable)',
    ),
    'a worker of nginx gets no thread, pasted without a pod': {
      evidence: {
        'paste.txt': `2026/03/04 08:10:57 [alert] 41#41: pthread_create() failed (11: Resource temporarily unavailable)
2026/03/04 08:10:57 [alert] 37#37: worker process 41 exited with fatal code 2 and cannot be respawned
`,
      },
      confidence: 'probable',
    },
    'the kernel, with the limit of the kubelet': {
      evidence: {
        'pods.txt': listing,
        'describe.txt': describe,
        'log.txt': log("sh: can't fork: Resource temporarily unavailable"),
        'kernel.log':
          'Nov 02 08:01:12 worker-5 kernel: cgroup: fork rejected by pids controller in /kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod0b7e4f6a_51c1_4a52_9f0e_0a8c1f6f2f11.slice\n',
        'config.yaml': 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\npodPidsLimit: 64\n',
      },
      confidence: 'certain',
      cites: ['log.txt:3'],
    },
    'a shell': finds("sh: can't fork: Resource temporarily unavailable"),
    bash: finds('/entry.sh: fork: retry: Resource temporarily unavailable'),
    python: finds("RuntimeError: can't start new thread"),
    java: finds('java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached'),
    go: finds('runtime: failed to create new OS thread (have 12 already; errno=11)'),
    'node.js': finds('Error: spawn /usr/bin/convert EAGAIN Resource temporarily unavailable'),
  },
  rulesOut: {
    'the runtime of the node cannot fork either': {
      evidence: {
        'log.txt': "RuntimeError: can't start new thread\n",
        'events.txt':
          'Warning  Failed  2m  kubelet  Error: failed to start container "web": failed to create containerd task: failed to create shim: fork/exec /usr/bin/containerd-shim-runc-v2: resource temporarily unavailable: unknown\n',
      },
      by: 'daemons',
    },
    'it runs well': {
      evidence: {
        'pods.txt': listing.replace('0/1     CrashLoopBackOff   4 (30s ago)', '1/1     Running            0          '),
        'log.txt': log("sh: can't fork: Resource temporarily unavailable"),
      },
      by: 'well',
    },
    'long over': {
      evidence: {
        'pods.txt': listing.replace('0/1     CrashLoopBackOff   4 (30s ago)   4m', '1/1     Running            4 (7d ago)    9d'),
        'log.txt': log("sh: can't fork: Resource temporarily unavailable"),
      },
      by: 'over',
    },
    'the whole node is out of process ids': {
      evidence: {
        'pods.txt': listing,
        'log.txt': log("sh: can't fork: Resource temporarily unavailable"),
        'events.txt': `$ kubectl -n farm describe pod crawler-58d9c6b7f-k2m9x
Events:
  Type     Reason   Age   From     Message
  ----     ------   ----  ----     -------
  Warning  Evicted  9s    kubelet  The node was low on resource: pids. Threshold quantity: 100, available: 3.
`,
      },
      by: 'node',
    },
  },
  asks: {
    'what the kernel says': {
      evidence: { 'pods.txt': listing, 'log.txt': log("sh: can't fork: Resource temporarily unavailable") },
      for: 'kernel-log',
    },
  },
});
