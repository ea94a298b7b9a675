import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const BACKOFF =
  '  Warning  BackOff  9s (x9 over 2m)  kubelet  Back-off restarting failed container feed in pod feed-7d9f8c6b5-x2k4p_news(0b7e4f6a-51c1-4a52-9f0e-0a8c1f6f2f11)\n';
const describePod = (code: number, events = BACKOFF, reason = 'Error') => `$ kubectl -n news describe pod feed-7d9f8c6b5-x2k4p
Name:           feed-7d9f8c6b5-x2k4p
Namespace:      news
Node:           worker-5/10.4.0.15
Status:         Running
Controlled By:  ReplicaSet/feed-7d9f8c6b5
Containers:
  feed:
    Image:          registry.example/news/feed:1.4
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       ${reason}
      Exit Code:    ${code}
    Ready:          False
    Restart Count:  5
Events:
  Type     Reason   Age               From     Message
  ----     ------   ----              ----     -------
${events}`;
const kernelQuiet = '$ ssh root@worker-5 journalctl -k --since "1 hour ago" --no-pager\n-- No entries --\n';
const event = (reason: string, message: string) => `  Warning  ${reason.padEnd(8)} 9s                kubelet  ${message}\n`;
const pods = (row: string) =>
  `NAMESPACE   NAME                   READY   STATUS    RESTARTS     AGE\nnews        feed-7d9f8c6b5-x2k4p   ${row}\n`;
const node = 'Nov 02 08:01:12 worker-5 kernel: ';
const kernelKills = `${node}feed invoked oom-killer: gfp_mask=0x1100cca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=1000\n${node}oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/kubepods.slice,task=feed,pid=4711,uid=0\n${node}Out of memory: Killed process 4711 (feed) total-vm:8123456kB, anon-rss:4012345kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:8000kB oom_score_adj:1000\n`;

/** A run of so many seconds, of a container with probes. */
const probed = (seconds: number) =>
  describePod(143)
    .replace(
      '      Exit Code:    143\n',
      `      Exit Code:    143\n      Started:      Fri, 11 Jul 2025 15:50:00 +0800\n      Finished:     Fri, 11 Jul 2025 15:50:${String(seconds).padStart(2, '0')} +0800\n`,
    )
    .replace(
      '    Restart Count:  5\n',
      '    Restart Count:  5\n    Liveness:       tcp-socket :53 delay=300s timeout=1s period=10s #success=1 #failure=3\n    Startup:        tcp-socket :53 delay=5s timeout=1s period=5s #success=1 #failure=3\n',
    );

testCause(cause, {
  finds: {
    'killed, without OOM and without the kubelet': {
      evidence: { 'describe.txt': describePod(137) },
      confidence: 'possible',
      place: 'container feed of Deployment news/feed',
      cites: ['describe.txt:12'],
      victims: 1,
    },
    'a container with probes': { evidence: { 'describe.txt': probed(15) }, confidence: 'possible' },
    terminated: { evidence: { 'describe.txt': describePod(143), 'kernel.txt': kernelQuiet }, confidence: 'possible' },
  },
  rulesOut: {
    'the kubelet stopped it': { evidence: { 'describe.txt': describePod(137, event('Killing', 'Stopping container feed')) }, by: 'killed' },
    'a liveness probe fails': {
      evidence: {
        'describe.txt': describePod(137, event('Unhealthy', 'Liveness probe failed: dial tcp 10.0.0.9:80: connect: connection refused')),
      },
      by: 'probe',
    },
    'out of memory': { evidence: { 'describe.txt': describePod(137, BACKOFF, 'OOMKilled') }, by: 'oom' },
    'the node is out of memory': { evidence: { 'describe.txt': describePod(137), 'kernel.log': kernelKills }, by: 'kernel' },
    'the runtime lost it': { evidence: { 'describe.txt': describePod(137, BACKOFF, 'ContainerStatusUnknown') }, by: 'lost' },
    'pods of the node are stopped silently': {
      evidence: {
        'describe.txt': describePod(
          143,
          `  Normal   Killing         9s (x9 over 30m)  kubelet  Stopping container feed
  Normal   SandboxChanged  8s (x9 over 30m)  kubelet  Pod sandbox changed, it will be killed and re-created.
`,
        ),
      },
      by: 'killed',
    },
    'over since': {
      evidence: {
        'pods.txt': pods('1/1     Running   5 (8d ago)   9d'),
        'describe.txt': describePod(137)
          .replace(/Waiting\n {6}Reason: {7}CrashLoopBackOff/, 'Running')
          .replace('False', 'True'),
      },
      by: 'over',
    },
  },
  asks: { 'whether the kernel did it': { evidence: { 'describe.txt': describePod(137) }, for: 'kernel.oom' } },
});

it.each([
  [15, /for its startup probe, which gives up after 15 s \(it ran 15 s\)/],
  [3, /and not by Kubernetes/],
])('after %i seconds it names who it was', async (seconds, title) => {
  const { incidents } = await diagnose([{ name: 'describe.txt', text: probed(seconds) }]);
  expect(incidents[0]?.title).toMatch(title);
});
