import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = `$ kubectl -n edge get pods -o wide
NAME                      READY   STATUS             RESTARTS      AGE     IP            NODE     NOMINATED NODE   READINESS GATES
meter-5f9d7c8b6d-q8l4n    0/1     CrashLoopBackOff   4 (31s ago)   2m40s   10.244.3.17   arm-2    <none>           <none>
`;

const nodes = `$ kubectl describe node arm-2
Name:               arm-2
Roles:              <none>
System Info:
  Kernel Version:             6.1.0-18-arm64
  OS Image:                   Debian GNU/Linux 12 (bookworm)
  Operating System:           linux
  Architecture:               arm64
  Container Runtime Version:  containerd://1.7.13
  Kubelet Version:            v1.29.2
`;

const events = `$ kubectl -n edge describe pod meter-5f9d7c8b6d-q8l4n
Events:
  Type     Reason     Age                  From               Message
  ----     ------     ----                 ----               -------
  Normal   Scheduled  2m40s                default-scheduler  Successfully assigned edge/meter-5f9d7c8b6d-q8l4n to arm-2
  Normal   Started    61s (x5 over 2m39s)  kubelet            Started container meter
  Warning  BackOff    9s (x12 over 2m37s)  kubelet            Back-off restarting failed container meter in pod meter-5f9d7c8b6d-q8l4n_edge(7c8fd1b1-5a8a-4f35-9b1e-0c7b9a2a7d14)
`;

const log = (text: string) => `$ kubectl -n edge logs meter-5f9d7c8b6d-q8l4n -c meter\n${text}\n`;

testCause(cause, {
  finds: {
    'what tini shall start': {
      evidence: { 'pods.txt': listing, 'log.txt': log('[FATAL tini (7)] exec /usr/bin/meter failed: Exec format error') },
      confidence: 'certain',
    },
    'an emulator': {
      evidence: {
        'pods.txt': listing,
        'log.txt': log("qemu-x86_64: Could not open '/lib64/ld-linux-x86-64.so.2': No such file or directory"),
      },
      confidence: 'certain',
    },
    'a binary for another CPU': {
      evidence: { 'pods.txt': listing, 'events.txt': events, 'log.txt': log('exec /usr/bin/meter: exec format error'), 'node.txt': nodes },
      confidence: 'certain',
      place: 'container meter of Deployment edge/meter',
      cites: ['log.txt:2'],
      victims: 1,
    },
    'an older runc': {
      evidence: {
        'pods.txt': listing,
        'events.txt': events,
        'log.txt': log('standard_init_linux.go:228: exec user process caused: exec format error'),
      },
      confidence: 'certain',
    },
    'the runtime says it in the events': {
      evidence: {
        'pods.txt': listing,
        'events.txt': `${events}  Warning  Failed  9s  kubelet  Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec /run.sh: exec format error: unknown\n`,
      },
      confidence: 'certain',
    },
    'a program that the container starts': {
      evidence: {
        'pods.txt': listing,
        'events.txt': events,
        'log.txt': log('level=fatal msg="cannot start helper" error="fork/exec /opt/helper: exec format error"'),
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'an old end, well since': {
      evidence: {
        'pods.txt': listing.replace('0/1     CrashLoopBackOff   4 (31s ago)   2m40s', '1/1     Running            4 (2d ago)    2d   '),
        'log.txt': log('exec /usr/bin/meter: exec format error').replace(' -c meter', ' -c meter --previous'),
      },
      by: 'over',
    },
  },
  asks: {
    'how the pod is doing, with the log alone': {
      evidence: { 'log.txt': log('exec /usr/bin/meter: exec format error') },
      for: 'pod-status',
    },
  },
});

describe('app-exec-format-error and commands run in a container', () => {
  it('says nothing when only kubectl exec hits it', async () => {
    const text =
      '$ kubectl -n edge exec meter-5f9d7c8b6d-q8l4n -- /debug\nOCI runtime exec failed: exec failed: unable to start container process: exec /debug: exec format error: unknown\n';
    const { incidents } = await diagnose([{ name: 'terminal.txt', text }], { causes: [cause] });
    expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
  });
});
