import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const refused = 'Startup probe failed: Get "http://10.244.2.31:9000/up": dial tcp 10.244.2.31:9000: connect: connection refused';

function describePod(more: { readonly failure?: string; readonly killing?: string; readonly exit?: number } = {}): string {
  return `Name:             erp-0
Namespace:        backoffice
Node:             worker-6/10.0.0.16
Status:           Running
Controlled By:    StatefulSet/erp
Containers:
  erp:
    Container ID:   containerd://91aa
    Image:          registry.example/erp:21
    State:          Running
      Started:      Wed, 11 Jun 2025 08:10:01 +0000
    Last State:     Terminated
      Reason:       Error
      Exit Code:    ${more.exit ?? 137}
    Ready:          False
    Restart Count:  4
    Startup:        http-get http://:9000/up delay=0s timeout=1s period=10s #success=1 #failure=6
Conditions:
  Type              Status
  Ready             False
Events:
  Type     Reason     Age                  From     Message
  ----     ------     ----                 ----     -------
  Warning  Unhealthy  20s (x29 over 6m)    kubelet  ${more.failure ?? refused}
${more.killing ?? '  Normal   Killing    70s (x4 over 5m)     kubelet  Container erp failed startup probe, will be restarted\n'}`;
}

testCause(cause, {
  finds: {
    'a slow start': {
      evidence: { 'describe.txt': describePod() },
      confidence: 'certain',
      place: 'StatefulSet backoffice/erp',
      cites: ['describe.txt:24', 'describe.txt:25', 'describe.txt:17'],
      victims: 1,
    },
    'warnings only': {
      evidence: {
        'grep.txt': `$ kubectl describe pod erp-0 -n backoffice | grep Warning\n  Warning  Unhealthy  20s (x29 over 6m)    kubelet  ${refused}\n`,
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'the program fails on its own while it is probed': {
      evidence: { 'describe.txt': describePod({ killing: '', exit: 1 }) },
      by: 'killed',
    },
    'not killed so far': {
      evidence: { 'describe.txt': describePod({ killing: '' }).replace(/ {4}Last State.*\n.*\n.*\n/, '') },
      by: 'killed',
    },
    'up for long': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON      OBJECT      MESSAGE
55m         Warning   Unhealthy   pod/erp-0   ${refused}
54m         Normal    Killing     pod/erp-0   Container erp failed startup probe, will be restarted
`,
        'pods.txt': `$ kubectl get pods -n backoffice
NAME    READY   STATUS    RESTARTS      AGE
erp-0   1/1     Running   1 (54m ago)   56m
`,
      },
      by: 'trouble',
    },
  },
  asks: {
    'who killed it': {
      evidence: {
        'grep.txt': `$ kubectl describe pod erp-0 -n backoffice | grep Warning\n  Warning  Unhealthy  20s (x29 over 6m)    kubelet  ${refused}\n`,
      },
      for: 'pod.event',
    },
  },
});

it('names container, target and failure in its title', async () => {
  const { incidents } = await diagnose([{ name: 'describe.txt', text: describePod() }], { causes: [cause] });
  expect(incidents[0]?.title).toBe('Container erp is not up in time for its startup probe and is killed (:9000/up: connection refused)');
  expect(incidents[0]?.why).toContain('after 60 s');
});
