import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const ID = '5f0c2a548e0e4c6f9d250f6f6f6f0a115f0c2a548e0e4c6f9d250f6f6f6f0a11';

function describePod(reason: string, exitCode: number): string {
  return `Name:             resizer-79c8d7b6f5-k2x9v
Namespace:        media
Node:             worker-9/10.0.0.19
Status:           Running
Controlled By:    ReplicaSet/resizer-79c8d7b6f5
Containers:
  resizer:
    Container ID:   containerd://${ID}
    Image:          registry.example/resizer:3
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       ${reason}
      Exit Code:    ${exitCode}
    Ready:          False
    Restart Count:  3
Events:          <none>
`;
}

const nodeKill = `Jun 11 08:14:02 worker-9 kernel: oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0b7fd7a1_7a35_4b53_9c0d_1e3c5b7d9f12.slice/cri-containerd-${ID}.scope,task=convert,pid=41002,uid=1000
Jun 11 08:14:02 worker-9 kernel: Out of memory: Killed process 41002 (convert) total-vm:912340kB, anon-rss:206112kB, file-rss:0kB, shmem-rss:0kB, UID:1000 pgtables:900kB oom_score_adj:985
`;
const groupKill = nodeKill
  .replace('constraint=CONSTRAINT_NONE', 'constraint=CONSTRAINT_MEMCG')
  .replace('Out of memory: Killed', 'Memory cgroup out of memory: Killed');
const describeNode = `Name:               worker-9
Roles:              <none>
Conditions:
  Type             Status  LastHeartbeatTime                 LastTransitionTime                Reason                         Message
  ----             ------  -----------------                 ------------------                ------                         -------
  MemoryPressure   True    Wed, 11 Jun 2025 08:15:01 +0000   Wed, 11 Jun 2025 08:14:01 +0000   KubeletHasInsufficientMemory   kubelet has insufficient memory available
  Ready            True    Wed, 11 Jun 2025 08:15:01 +0000   Wed, 11 Jun 2025 06:00:00 +0000   KubeletReady                   kubelet is posting ready status
Events:
  Type     Reason      Age   From     Message
  ----     ------      ----  ----     -------
  Warning  SystemOOM   2m    kubelet  System OOM encountered, victim process: convert, pid: 41002
`;

testCause(cause, {
  finds: {
    'a daemon of the node was killed': {
      evidence: {
        'paste.txt':
          "kubelet.service: A process of this unit has been killed by the OOM killer.\nkubelet.service: Failed with result 'oom-kill'.\n",
      },
      confidence: 'possible',
    },
    'kernel and pod agree': {
      evidence: { 'describe.txt': describePod('OOMKilled', 137), 'journal.txt': nodeKill },
      confidence: 'certain',
      place: 'node worker-9',
      cites: ['journal.txt:1', 'journal.txt:2', 'describe.txt:14'],
      victims: 1,
    },
    'the kubelet tells of it': {
      evidence: { 'describe.txt': describePod('Error', 137), 'node.txt': describeNode },
      confidence: 'probable',
      place: 'node worker-9',
      cites: ['node.txt:11', 'node.txt:6'],
    },
    'an old kernel': {
      evidence: {
        'describe.txt': describePod('Error', 137),
        'dmesg.txt': 'Jun 11 08:14:02 worker-9 kernel: Out of memory: Kill process 41002 (convert) score 985 or sacrifice child\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the limit of the container': {
      evidence: {
        'describe.txt': describePod('OOMKilled', 137),
        'journal.txt': `${groupKill}Jun 10 01:02:03 worker-9 kernel: Out of memory: Killed process 977 (backup) total-vm:412340kB, anon-rss:106112kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:300kB oom_score_adj:0\n`,
      },
      by: 'ownLimit',
    },
    'the program fails by itself': { evidence: { 'describe.txt': describePod('Error', 1), 'journal.txt': nodeKill }, by: 'endedItself' },
    'long ago, all well': {
      evidence: {
        'journal.txt': nodeKill,
        'pods.txt': `$ kubectl get pods -A -o wide
NAMESPACE   NAME                       READY   STATUS    RESTARTS      AGE   IP           NODE
media       resizer-79c8d7b6f5-k2x9v   1/1     Running   1 (9d ago)    20d   10.244.1.9   worker-9
`,
      },
      by: 'trouble',
    },
  },
  asks: {
    'the words of the kernel': { evidence: { 'describe.txt': describePod('Error', 137), 'node.txt': describeNode }, for: 'kernel-log' },
  },
});
