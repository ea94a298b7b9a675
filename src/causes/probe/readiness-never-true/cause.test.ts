import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

function describePod(failure: string, more = '', conditions = ''): string {
  return `Name:             catalog-7b6d9c8f5d-n4x7q
Namespace:        shop
Node:             worker-1/10.0.0.11
Status:           Running
Controlled By:    ReplicaSet/catalog-7b6d9c8f5d
Containers:
  web:
    Container ID:   containerd://3c4d
    Image:          registry.example/catalog:5
    State:          Running
      Started:      Wed, 11 Jun 2025 08:10:01 +0000
    Ready:          False
    Restart Count:  0
    Readiness:      http-get http://:8081/ready delay=5s timeout=1s period=10s #success=1 #failure=3
Conditions:
  Type              Status
  Ready             False
${conditions}Events:
  Type     Reason     Age                  From     Message
  ----     ------     ----                 ----     -------
  Warning  Unhealthy  4s (x121 over 21m)   kubelet  ${failure}
${more}`;
}

const unavailable = 'Readiness probe failed: HTTP probe failed with statuscode: 503';

testCause(cause, {
  finds: {
    'an error in the words of 1.33': {
      evidence: {
        'describe.txt': describePod(
          'Readiness probe errored and resulted in unknown state: Get "http://10.244.1.8:8081/ready": context deadline exceeded',
        ),
      },
      confidence: 'certain',
    },
    'the program says no': {
      evidence: { 'describe.txt': describePod(unavailable) },
      confidence: 'certain',
      place: 'Deployment shop/catalog',
      cites: ['describe.txt:21', 'describe.txt:14'],
      victims: 1,
    },
    'nobody listens': {
      evidence: { 'describe.txt': describePod('Readiness probe failed: dial tcp 10.244.1.8:8081: connect: connection refused') },
      confidence: 'certain',
    },
    'events and nothing else': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON      OBJECT                         MESSAGE
4s          Warning   Unhealthy   pod/catalog-7b6d9c8f5d-n4x7q   ${unavailable}
`,
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'it crashes, so it cannot be ready': {
      evidence: {
        'describe.txt': describePod(
          unavailable,
          '  Warning  BackOff    5s (x9 over 4m)      kubelet  Back-off restarting failed container web in pod catalog-7b6d9c8f5d-n4x7q_shop(0b7fd7a1-7a35-4b53-9c0d-1e3c5b7d9f12)\n',
        ),
      },
      by: 'brokenOtherwise',
    },
    'the liveness probe kills it': {
      evidence: {
        'describe.txt': describePod(
          unavailable,
          '  Normal   Killing    80s                  kubelet  Container web failed liveness probe, will be restarted\n',
        ),
      },
      by: 'killed',
    },
    'a readiness gate': {
      evidence: {
        'pod.yaml': `apiVersion: v1
kind: Pod
metadata:
  name: catalog-7b6d9c8f5d-n4x7q
  namespace: shop
spec:
  containers:
  - name: web
    image: registry.example/catalog:5
status:
  phase: Running
  conditions:
  - type: Ready
    status: "False"
    reason: ReadinessGatesNotReady
    message: the status of pod readiness gate "target-health.example.com/web" is not "True", but False
`,
        'describe.txt': describePod(unavailable),
      },
      by: 'gate',
    },
    'ready since': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON      OBJECT                         MESSAGE
14m         Warning   Unhealthy   pod/catalog-7b6d9c8f5d-n4x7q   ${unavailable}
`,
        'pods.txt': `$ kubectl get pods -n shop
NAME                       READY   STATUS    RESTARTS   AGE
catalog-7b6d9c8f5d-n4x7q   1/1     Running   0          15m
`,
      },
      by: 'notReady',
    },
  },
  asks: {
    'the state of the pod': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON      OBJECT                         MESSAGE
4s          Warning   Unhealthy   pod/catalog-7b6d9c8f5d-n4x7q   ${unavailable}
`,
      },
      for: 'pod-status',
    },
  },
});

it('names container, target and failure in its title', async () => {
  const { incidents } = await diagnose([{ name: 'describe.txt', text: describePod(unavailable) }], { causes: [cause] });
  expect(incidents[0]?.title).toBe('web runs but its readiness probe fails (:8081/ready: HTTP 503)');
});
