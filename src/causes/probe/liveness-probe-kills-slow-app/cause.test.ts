import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const refused = 'Liveness probe failed: Get "http://10.244.3.19:8080/healthz": dial tcp 10.244.3.19:8080: connect: connection refused';

function describePod(failure: string, killing = 'Container api failed liveness probe, will be restarted'): string {
  return `Name:             orders-5d9c7b8f6d-w7k2x
Namespace:        shop
Node:             worker-4/10.0.0.14
Status:           Running
Controlled By:    ReplicaSet/orders-5d9c7b8f6d
Containers:
  api:
    Container ID:   containerd://4a1b
    Image:          registry.example/orders:8
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    143
    Ready:          False
    Restart Count:  6
    Liveness:       http-get http://:8080/healthz delay=10s timeout=1s period=5s #success=1 #failure=3
  proxy:
    Container ID:   containerd://77cc
    Image:          registry.example/proxy:1
    State:          Running
    Ready:          True
    Restart Count:  0
    Liveness:       tcp-socket :15000 delay=0s timeout=1s period=10s #success=1 #failure=3
Events:
  Type     Reason     Age                  From     Message
  ----     ------     ----                 ----     -------
  Warning  Unhealthy  90s (x18 over 7m)    kubelet  ${failure}
  Normal   Killing    80s (x6 over 6m40s)  kubelet  ${killing}
  Warning  BackOff    5s (x9 over 4m)      kubelet  Back-off restarting failed container api in pod orders-5d9c7b8f6d-w7k2x_shop(0b7fd7a1-7a35-4b53-9c0d-1e3c5b7d9f11)
`;
}

async function titleFor(text: string): Promise<string | undefined> {
  const { incidents } = await diagnose([{ name: 'describe.txt', text }], { causes: [cause] });
  return incidents.find((incident) => incident.cause === cause.id)?.title;
}

testCause(cause, {
  finds: {
    'killed before it listens': {
      evidence: { 'describe.txt': describePod(refused) },
      confidence: 'certain',
      place: 'Deployment shop/orders',
      cites: ['describe.txt:28', 'describe.txt:29', 'describe.txt:17'],
      victims: 1,
    },
    'answers too late': {
      evidence: {
        'describe.txt': describePod(
          'Liveness probe failed: Get "http://10.244.3.19:8080/healthz": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
        ),
      },
      confidence: 'certain',
    },
    'wording of an old kubelet': {
      evidence: {
        'describe.txt': describePod(
          'Liveness probe failed: HTTP probe failed with statuscode: 503',
          'Killing container with id docker://api:Container failed liveness probe.. Container will be killed and recreated.',
        ),
      },
      confidence: 'certain',
    },
    'warnings only': {
      evidence: {
        'grep.txt': `$ kubectl describe pod orders-5d9c7b8f6d-w7k2x -n shop | grep Warning
  Warning  Unhealthy  90s (x18 over 7m)    kubelet  ${refused}
  Warning  BackOff    5s (x9 over 4m)      kubelet  Back-off restarting failed container api in pod orders-5d9c7b8f6d-w7k2x_shop(0b7fd7a1-7a35-4b53-9c0d-1e3c5b7d9f11)
`,
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'the node cannot fork, so no probe runs': {
      evidence: {
        'describe.txt': describePod(
          'Liveness probe failed: OCI runtime exec failed: fork/exec /usr/sbin/runc: resource temporarily unavailable: unknown',
        ),
      },
      by: 'noFork',
    },
    'the program ends by itself and is probed in between': {
      evidence: {
        'describe.txt': describePod(refused)
          .replace(/.*Killing.*\n/, '')
          .replace('Exit Code:    143', 'Exit Code:    1'),
      },
      by: 'killed',
    },
    'stopped by the kubelet without a probe': {
      evidence: {
        'describe.txt': `${describePod(refused)
          .replace(/.*Unhealthy.*\n/, '')
          .replace(
            'Container api failed liveness probe, will be restarted',
            'Stopping container api',
          )}  Normal   SandboxChanged  70s (x6 over 6m40s)  kubelet  Pod sandbox changed, it will be killed and re-created.
`,
        'kubelet.log':
          'Jun 11 08:14:02 worker-4 kubelet[811]: I0611 08:14:02.113094     811 kuberuntime_manager.go:1015] "Message for Container of pod" containerName="api" containerStatusID={"Type":"containerd","ID":"4a1b"} pod="shop/orders-5d9c7b8f6d-w7k2x" containerMessage="Container api failed liveness probe, will be restarted"\n',
      },
      by: 'silentStops',
    },
    'long over': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON      OBJECT                        MESSAGE
55m         Warning   Unhealthy   pod/orders-5d9c7b8f6d-w7k2x   ${refused}
54m         Normal    Killing     pod/orders-5d9c7b8f6d-w7k2x   Container api failed liveness probe, will be restarted
`,
        'pods.txt': `$ kubectl get pods -n shop
NAME                      READY   STATUS    RESTARTS      AGE
orders-5d9c7b8f6d-w7k2x   2/2     Running   1 (54m ago)   3d
`,
      },
      by: 'trouble',
    },
  },
  asks: {
    'who killed it': {
      evidence: {
        'grep.txt': `$ kubectl describe pod orders-5d9c7b8f6d-w7k2x -n shop | grep Warning
  Warning  Unhealthy  90s (x18 over 7m)    kubelet  ${refused}
`,
      },
      for: 'pod.event',
    },
  },
});

it('names container, target and failure in its title', async () => {
  expect(await titleFor(describePod(refused))).toBe(
    'The liveness probe of api fails and gets it killed (:8080/healthz: connection refused)',
  );
});

it('takes the target from the specification where the message has none', async () => {
  expect(await titleFor(describePod('Liveness probe failed: HTTP probe failed with statuscode: 500'))).toBe(
    'The liveness probe of api fails and gets it killed (:8080/healthz: HTTP 500)',
  );
});
