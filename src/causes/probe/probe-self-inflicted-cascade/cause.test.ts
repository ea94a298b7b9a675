import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = (message: string) => `Name:           invoice-6d5f8b9c7-kx2vq
Namespace:      shop
Node:           pine-4/10.9.0.14
Status:         Running
Controlled By:  ReplicaSet/invoice-6d5f8b9c7
Containers:
  invoice:
    Image:          registry.example/shop/invoice:3
    State:          Running
      Started:      Mon, 02 Nov 2026 08:00:00 +0000
    Ready:          False
    Restart Count:  7
    Liveness:       http-get http://:8080/actuator/health delay=30s timeout=1s period=10s #success=1 #failure=3
Conditions:
  Type              Status
  Ready             False
Events:
  Type     Reason     Age                From     Message
  ----     ------     ----               ----     -------
  Normal   Killing    3s (x7 over 10m)   kubelet  Container invoice failed liveness probe, will be restarted
  Warning  Unhealthy  3s (x60 over 10m)  kubelet  ${message}
`;
const down = 'Liveness probe failed: HTTP probe failed with statuscode: 503';

testCause(cause, {
  finds: {
    'the answer names it': {
      evidence: { 'describe.txt': described('Liveness probe failed: health: database "ledger" is unreachable: timed out') },
      confidence: 'probable',
      place: 'Deployment shop/invoice',
      cites: ['describe.txt:21'],
      victims: 1,
    },
    'the health report names it': {
      evidence: {
        'describe.txt': described(down),
        'log.txt':
          '$ kubectl -n shop logs invoice-6d5f8b9c7-kx2vq\n2026-11-02 08:00:31 WARN  o.s.b.a.h.DataSourceHealthIndicator : DataSource health check failed\n{"status":"DOWN","components":{"db":{"status":"DOWN"}}}\n',
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'nothing listens': {
      evidence: {
        'describe.txt': described(
          'Liveness probe failed: Get "http://10.1.2.3:8080/actuator/health": dial tcp 10.1.2.3:8080: connect: connection refused',
        ),
      },
      by: 'refused',
    },
    'no liveness probe': {
      evidence: {
        'log.txt': '$ kubectl -n shop logs invoice-6d5f8b9c7-kx2vq\nhealth check for redis failed\n',
        'describe.txt': described(down)
          .replaceAll('Liveness probe', 'Readiness probe')
          .replace('failed liveness probe', 'definition changed'),
      },
      by: 'failing',
    },
  },
  asks: { 'what the program says': { evidence: { 'describe.txt': described(down) }, for: 'container-log' } },
});
