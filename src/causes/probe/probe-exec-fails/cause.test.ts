import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

function describePod(failure: string, more = ''): string {
  return `Name:             broker-2
Namespace:        queue
Node:             worker-1/10.0.0.11
Status:           Running
Controlled By:    StatefulSet/broker
Containers:
  broker:
    Container ID:   containerd://3c4d
    Image:          registry.example/broker:5
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    137
    Ready:          False
    Restart Count:  9
    Liveness:       exec [cat /run/broker/alive] delay=5s timeout=1s period=10s #success=1 #failure=3
Events:
  Type     Reason     Age                  From     Message
  ----     ------     ----                 ----     -------
  Warning  Unhealthy  40s (x27 over 21m)   kubelet  ${failure}
${more}`;
}

const missingFile = "Liveness probe failed: cat: can't open '/run/broker/alive': No such file or directory";

testCause(cause, {
  finds: {
    'a command that takes too long': {
      evidence: { 'describe.txt': describePod('Liveness probe failed: command timed out: "rabbitmq-diagnostics ping" timed out after 1s') },
      confidence: 'certain',
    },
    'a file that is never written': {
      evidence: { 'describe.txt': describePod(missingFile) },
      confidence: 'certain',
      place: 'StatefulSet queue/broker',
      cites: ['describe.txt:21', 'describe.txt:17'],
      victims: 1,
    },
    'a tool the image does not have, containerd': {
      evidence: {
        'describe.txt': describePod(
          'Liveness probe errored: rpc error: code = Unknown desc = failed to exec in container: failed to start exec "6f0e": OCI runtime exec failed: exec failed: unable to start container process: exec: "curl": executable file not found in $PATH: unknown',
        ),
      },
      confidence: 'certain',
    },
    'the same under Docker': {
      evidence: {
        'describe.txt': describePod(
          'Liveness probe failed: OCI runtime exec failed: exec failed: container_linux.go:349: starting container process caused "exec: \\"curl\\": executable file not found in $PATH": unknown',
        ),
      },
      confidence: 'certain',
    },
    'each probe with its own command': {
      evidence: {
        'describe.txt': describePod('Readiness probe failed: sh: curl: not found').replace(
          '    Liveness: ',
          '    Readiness:      exec [sh -c curl -f localhost] delay=5s timeout=1s period=10s #success=1 #failure=3\n    Startup:        exec [true] delay=5s timeout=1s period=10s #success=1 #failure=3\n    Liveness: ',
        ),
      },
      confidence: 'certain',
      cites: ['describe.txt:17', 'describe.txt:18', 'describe.txt:19'],
    },
    'a shell that misses a tool': {
      evidence: { 'describe.txt': describePod('Liveness probe failed: /bin/sh: 1: wget: not found') },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'well since': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON      OBJECT         MESSAGE
44m         Warning   Unhealthy   pod/broker-2   ${missingFile}
`,
        'pods.txt': `$ kubectl get pods -n queue
NAME       READY   STATUS    RESTARTS   AGE
broker-2   1/1     Running   0          45m
`,
      },
      by: 'trouble',
    },
  },
  asks: {
    'what is run': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON      OBJECT         MESSAGE
4s          Warning   Unhealthy   pod/broker-2   Readiness probe failed: /bin/sh: 1: wget: not found
`,
      },
      for: 'container.probe',
    },
  },
});

it('names probe, container and complaint in its title', async () => {
  const { incidents } = await diagnose([{ name: 'describe.txt', text: describePod(missingFile) }], { causes: [cause] });
  expect(incidents[0]?.title).toBe(
    "The command of the liveness probe of broker fails: cat: can't open '/run/broker/alive': No such file or directory",
  );
});
