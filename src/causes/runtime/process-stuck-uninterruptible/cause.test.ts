import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE   NAME     READY   STATUS        RESTARTS   AGE   IP         NODE
media       conv-0   1/1     Terminating   0          9d    10.0.0.7   elm-3
`;
const events = (message: string) => `$ kubectl -n media describe pod conv-0
Events:
  Type     Reason         Age                From     Message
  ----     ------         ----               ----     -------
  Warning  FailedKillPod  9s (x31 over 5m)   kubelet  ${message}
`;
const timeout =
  'error killing pod: [failed to "KillContainer" for "conv" with KillContainerError: "rpc error: code = DeadlineExceeded desc = an error occurs during waiting for container \\"77aa10b4cd\\" to be killed: wait container \\"77aa10b4cd\\": context deadline exceeded"]';
const ps = `[root@elm-3 ~]# ps -eo pid,ppid,stat,etime,wchan:32,args
    PID    PPID STAT     ELAPSED WCHAN                            COMMAND
   4711    4690 D       03:11:12 rpc_wait_bit_killable            /usr/bin/conv --in /media
`;
const kernel = `Jun 03 10:11:10 elm-3 kernel: nfs: server nas-1 not responding, still trying
Jun 03 10:13:10 elm-3 kernel: INFO: task conv:4711 blocked for more than 120 seconds.
`;

testCause(cause, {
  finds: {
    'ps shows it': {
      evidence: { 'pods.txt': pods, 'events.txt': events(timeout), 'elm-3.txt': ps },
      confidence: 'certain',
      place: 'node elm-3',
      victims: 1,
    },
    'its status file': {
      evidence: {
        'pods.txt': pods,
        'elm-3.txt': '[root@elm-3 ~]# cat /proc/4711/status\nName:\tconv\nState:\tD (disk sleep)\nPid:\t4711\n',
      },
      confidence: 'certain',
    },
    'the kernel log': {
      evidence: { 'pods.txt': pods, 'events.txt': events(timeout), 'kernel.txt': kernel },
      confidence: 'probable',
      place: 'node elm-3',
      cites: ['events.txt:5', 'kernel.txt:2'],
    },
    'only that it was not killed': {
      evidence: { 'pods.txt': pods, 'events.txt': events(timeout) },
      confidence: 'possible',
      place: 'node elm-3',
    },
    'Docker says the same': {
      evidence: {
        'pods.txt': pods,
        'docker.log':
          'Jun 03 10:11:12 elm-3 dockerd[880]: time="2024-06-03T10:11:12Z" level=error msg="Handler for POST /v1.41/containers/77aa/stop returned error: cannot stop container: 77aa: tried to kill container, but did not receive an exit event"\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'the signal is refused': {
      evidence: {
        'pods.txt': pods,
        'events.txt': events(`${timeout}; unable to signal init: permission denied`),
      },
      by: 'refusedSignal',
    },
    'a finalizer': {
      evidence: {
        'pod.json': JSON.stringify({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: {
            name: 'conv-0',
            namespace: 'media',
            finalizers: ['example.net/keep'],
            deletionTimestamp: '2024-06-03T08:00:00Z',
            deletionGracePeriodSeconds: 30,
          },
          spec: { nodeName: 'elm-3', containers: [{ name: 'conv', image: 'registry.example.net/media/conv:1' }] },
          status: { phase: 'Running' },
        }),
        'events.txt': events(timeout),
      },
      by: 'finalizer',
    },
  },
  asks: { 'the kernel log': { evidence: { 'pods.txt': pods, 'events.txt': events(timeout) }, for: 'kernel-log' } },
});
