import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

function describePod(failure: string, more = ''): string {
  return `Name:             portal-6d8c7b9f5c-h2v9x
Namespace:        intranet
Node:             worker-1/10.0.0.11
Status:           Running
Controlled By:    ReplicaSet/portal-6d8c7b9f5c
Containers:
  web:
    Container ID:   containerd://3c4d
    Image:          registry.example/portal:5
    State:          Running
      Started:      Wed, 11 Jun 2025 08:10:01 +0000
    Ready:          False
    Restart Count:  0
    Readiness:      http-get http://:8080/status delay=5s timeout=1s period=10s #success=1 #failure=3
Conditions:
  Type              Status
  Ready             False
Events:
  Type     Reason     Age                  From     Message
  ----     ------     ----                 ----     -------
  Warning  Unhealthy  4s (x121 over 21m)   kubelet  ${failure}
${more}`;
}

const notFound = 'Readiness probe failed: HTTP probe failed with statuscode: 404';

testCause(cause, {
  finds: {
    'no such path': {
      evidence: { 'describe.txt': describePod(notFound) },
      confidence: 'certain',
      place: 'Deployment intranet/portal',
      cites: ['describe.txt:21', 'describe.txt:14'],
      victims: 1,
    },
    'each probe with its own path': {
      evidence: {
        'describe.txt': describePod('Startup probe failed: HTTP probe failed with statuscode: 403').replace(
          '    Readiness: ',
          '    Liveness:       http-get http://:8080/live delay=5s timeout=1s period=10s #success=1 #failure=3\n    Startup:        http-get http://:8080/start delay=5s timeout=1s period=10s #success=1 #failure=3\n    Readiness: ',
        ),
      },
      confidence: 'certain',
      cites: ['describe.txt:14', 'describe.txt:15', 'describe.txt:16'],
    },
    'HTTPS asked of a plain port': {
      evidence: {
        'describe.txt': describePod(
          'Readiness probe failed: Get "https://10.244.1.8:8080/status": http: server gave HTTP response to HTTPS client',
        ),
      },
      confidence: 'certain',
    },
    'plain HTTP asked of a TLS port': {
      evidence: {
        'describe.txt': describePod(
          'Liveness probe failed: Get "http://10.244.1.8:8443/status": net/http: HTTP/1.x transport connection broken: malformed HTTP response "\\x15\\x03\\x01\\x00\\x02\\x02"',
        ),
      },
      confidence: 'certain',
    },
    'a port name that is not there': {
      evidence: { 'describe.txt': describePod('Readiness probe errored: strconv.Atoi: parsing "web": invalid syntax') },
      confidence: 'certain',
    },
    'a bad request and the log of the program': {
      evidence: {
        'describe.txt': describePod('Readiness probe failed: HTTP probe failed with statuscode: 400'),
        'portal-6d8c7b9f5c-h2v9x_intranet_web.log': '2025/06/11 08:11:02 client sent an HTTP request to an HTTPS server\n',
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'ready since': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON      OBJECT                        MESSAGE
14m         Warning   Unhealthy   pod/portal-6d8c7b9f5c-h2v9x   ${notFound}
`,
        'pods.txt': `$ kubectl get pods -n intranet
NAME                      READY   STATUS    RESTARTS   AGE
portal-6d8c7b9f5c-h2v9x   1/1     Running   0          15m
`,
      },
      by: 'trouble',
    },
  },
  asks: {
    'what is probed': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON      OBJECT                        MESSAGE
4s          Warning   Unhealthy   pod/portal-6d8c7b9f5c-h2v9x   ${notFound}
`,
      },
      for: 'container.probe',
    },
  },
});

it('names probe, container, target and answer in its title', async () => {
  const { incidents } = await diagnose([{ name: 'describe.txt', text: describePod(notFound) }], { causes: [cause] });
  expect(incidents[0]?.title).toBe(
    'The readiness probe of web asks for the wrong thing: http://:8080/status, the program has no such path (HTTP 404)',
  );
});
