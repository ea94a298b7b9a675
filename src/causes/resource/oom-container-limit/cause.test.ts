import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const ID = '5f0c2a548e0e4c6f9d250f6f6f6f0a115f0c2a548e0e4c6f9d250f6f6f6f0a11';

function describePod(more: { readonly limits?: string; readonly reason?: string; readonly events?: string } = {}): string {
  return `Name:             resizer-79c8d7b6f5-k2x9v
Namespace:        media
Node:             worker-9/10.0.0.19
Status:           Running
Controlled By:    ReplicaSet/resizer-79c8d7b6f5
Containers:
  sidecar:
    Container ID:   containerd://11${ID.slice(2)}
    Image:          registry.example/sidecar:1
    State:          Running
    Ready:          True
    Restart Count:  0
${more.limits === '' ? '' : '    Limits:\n      memory:  64Mi\n'}  resizer:
    Container ID:   containerd://${ID}
    Image:          registry.example/resizer:3
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       ${more.reason ?? 'OOMKilled'}
      Exit Code:    137
    Ready:          False
    Restart Count:  11
${more.limits ?? '    Limits:\n      memory:  300Mi\n'}${more.events ?? 'Events:          <none>\n'}`;
}

const listing = `$ kubectl get pods -n media
NAME                       READY   STATUS      RESTARTS      AGE
resizer-79c8d7b6f5-k2x9v   1/2     OOMKilled   11 (31s ago)  41m
`;
const groupKill = `Jun 11 08:14:02 worker-9 kernel: oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=cri-containerd-${ID}.scope,mems_allowed=0,oom_memcg=/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0b7fd7a1_7a35_4b53_9c0d_1e3c5b7d9f12.slice/cri-containerd-${ID}.scope,task_memcg=/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0b7fd7a1_7a35_4b53_9c0d_1e3c5b7d9f12.slice/cri-containerd-${ID}.scope,task=convert,pid=41002,uid=1000
Jun 11 08:14:02 worker-9 kernel: Memory cgroup out of memory: Killed process 41002 (convert) total-vm:912340kB, anon-rss:306112kB, file-rss:0kB, shmem-rss:0kB, UID:1000 pgtables:900kB oom_score_adj:985
`;
const nodeKill = `Jun 11 08:14:02 worker-9 kernel: oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0b7fd7a1_7a35_4b53_9c0d_1e3c5b7d9f12.slice/cri-containerd-${ID}.scope,task=convert,pid=41002,uid=1000
Jun 11 08:14:02 worker-9 kernel: Out of memory: Killed process 41002 (convert) total-vm:912340kB, anon-rss:206112kB, file-rss:0kB, shmem-rss:0kB, UID:1000 pgtables:900kB oom_score_adj:985
`;

testCause(cause, {
  finds: {
    'a worker that is killed': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                       READY   STATUS             RESTARTS      AGE\nmedia       resizer-79c8d7b6f5-k2x9v   1/2     CrashLoopBackOff   11 (31s ago)  41m\n',
        'log.txt':
          '$ kubectl -n media logs resizer-79c8d7b6f5-k2x9v\n[2026-03-04 08:10:57 +0000] [1] [ERROR] Worker (pid:4615) was sent SIGKILL! Perhaps out of memory?\n',
      },
      confidence: 'possible',
    },
    'the second container of two': {
      evidence: { 'describe.txt': describePod() },
      confidence: 'certain',
      place: 'container resizer of Deployment media/resizer',
      cites: ['describe.txt:21', 'describe.txt:26'],
      victims: 1,
    },
    'with the words of the kernel': {
      evidence: { 'describe.txt': describePod(), 'journal.txt': groupKill },
      confidence: 'certain',
      place: 'container resizer of Deployment media/resizer',
      cites: ['journal.txt:1'],
    },
    'a listing alone': { evidence: { 'pods.txt': listing }, confidence: 'probable', place: 'Deployment media/resizer' },
  },
  rulesOut: {
    'the node ran out of memory': { evidence: { 'describe.txt': describePod(), 'journal.txt': nodeKill }, by: 'nodeOutOfMemory' },
    'no limit is set, so none was exceeded': { evidence: { 'describe.txt': describePod({ limits: '' }) }, by: 'limit' },
    'long ago, well since': {
      evidence: {
        'describe.txt': describePod({})
          .replace('Waiting\n      Reason:       CrashLoopBackOff', 'Running\n      Started:      Wed, 11 Jun 2025 08:10:01 +0000')
          .replace('Ready:          False', 'Ready:          True')
          .replace('Restart Count:  11', 'Restart Count:  1'),
      },
      by: 'trouble',
    },
  },
  asks: {
    'the limit': { evidence: { 'pods.txt': listing }, for: 'container.memory-limit' },
  },
});

it('names container and limit in its title', async () => {
  const { incidents } = await diagnose([{ name: 'describe.txt', text: describePod() }], { causes: [cause] });
  expect(incidents[0]?.title).toBe('Container resizer exceeds its memory limit of 300Mi and is OOM-killed');
});

it('is one incident where a listing and a description tell the same', async () => {
  const documents = [
    { name: 'pods.txt', text: listing },
    { name: 'describe.txt', text: describePod() },
  ];
  const { incidents } = await diagnose(documents, { causes: [cause] });
  expect(incidents).toHaveLength(1);
});

it('does not take a kill by a probe for one by the kernel', async () => {
  const events = `Events:
  Type     Reason     Age                  From     Message
  ----     ------     ----                 ----     -------
  Normal   Killing    80s (x6 over 6m40s)  kubelet  Container resizer failed liveness probe, will be restarted
`;
  const { incidents } = await diagnose([{ name: 'describe.txt', text: describePod({ reason: 'Error', events }) }], { causes: [cause] });
  expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
});
