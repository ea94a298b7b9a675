import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const probe =
  'Events:\n  Type     Reason     Age                From     Message\n  ----     ------     ----               ----     -------\n  Warning  Unhealthy  26m (x2 over 26m)  kubelet  Liveness probe failed: OCI runtime exec failed: fork/exec /usr/sbin/runc: resource temporarily unavailable: unknown\n';
const journal = (program: string, text: string) => `Mar 04 08:10:57 birch ${program}[412]: ${text}\n`;

testCause(cause, {
  finds: {
    'a probe for which runc cannot be started': { evidence: { 'describe.txt': probe }, confidence: 'certain' },
    'the kubelet gets no thread': {
      evidence: { 'journal.txt': journal('kubelet', 'runtime: failed to create new OS thread (have 21 already; errno=11)') },
      confidence: 'certain',
      place: 'node birch',
    },
    'the unit of Docker is full': {
      evidence: { 'dmesg.txt': '[88121.100001] cgroup: fork rejected by pids controller in /system.slice/docker.service\n' },
      confidence: 'certain',
    },
    'a shell of the host': {
      evidence: { 'journal.txt': journal('sshd', 'fork: retry: Resource temporarily unavailable') },
      confidence: 'possible',
    },
    'with the condition': {
      evidence: {
        'describe.txt': probe,
        'node.txt':
          'Name:               birch\nConditions:\n  Type             Status  LastHeartbeatTime                 LastTransitionTime                Reason                     Message\n  ----             ------  -----------------                 ------------------                ------                     -------\n  PIDPressure      True    Tue, 04 Mar 2025 08:02:11 +0000   Tue, 04 Mar 2025 07:41:03 +0000   KubeletHasInsufficientPID  kubelet has insufficient PID available\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the limit of one pod': {
      evidence: {
        'describe.txt': probe,
        'dmesg.txt': '[88121.100001] cgroup: fork rejected by pids controller in /kubepods.slice/kubepods-pod1234.slice\n',
      },
      by: 'inPod',
    },
  },
  asks: { 'the kernel log': { evidence: { 'describe.txt': probe }, for: 'kernel-log' } },
});
