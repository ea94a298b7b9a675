import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = (message: string) => `Name:           pricing-6d5f8b9c7-kx2vq
Namespace:      shop
Node:           pine-4/10.9.0.14
Status:         Running
Controlled By:  ReplicaSet/pricing-6d5f8b9c7
Containers:
  pricing:
    Image:          registry.example/shop/pricing:3
    State:          Running
      Started:      Mon, 02 Nov 2026 08:00:00 +0000
    Ready:          False
    Restart Count:  0
    Readiness:      grpc <pod>:9000  delay=0s timeout=1s period=10s #success=1 #failure=3
Conditions:
  Type              Status
  Ready             False
Events:
  Type     Reason     Age                From     Message
  ----     ------     ----               ----     -------
  Warning  Unhealthy  3s (x60 over 10m)  kubelet  ${message}
`;

testCause(cause, {
  finds: {
    'not implemented': {
      evidence: {
        'describe.txt': described(
          'Readiness probe failed: error: this server does not implement the grpc health protocol (grpc.health.v1.Health): unknown service grpc.health.v1.Health',
        ),
      },
      confidence: 'certain',
      place: 'Deployment shop/pricing',
      cites: ['describe.txt:20', 'describe.txt:13'],
      victims: 1,
    },
    'not serving, one line': {
      evidence: {
        'paste.txt':
          'Warning  Unhealthy  3s (x60 over 10m)  kubelet  Liveness probe failed: service unhealthy (responded with "NOT_SERVING")\n',
      },
      confidence: 'probable',
    },
    'another service name': {
      evidence: {
        'describe.txt': described(
          'Readiness probe failed: error: health rpc probe failed: rpc error: code = NotFound desc = unknown service',
        ),
      },
      confidence: 'certain',
    },
    'no connection': {
      evidence: {
        'describe.txt': described(
          'Readiness probe failed: timeout: failed to connect service "10.1.2.3:9000" within 1s: context deadline exceeded',
        ),
      },
      confidence: 'probable',
    },
    'another protocol': {
      evidence: {
        'paste.txt':
          'Warning  Unhealthy  3s  kubelet  Liveness probe failed: timeout: failed to connect service "10.1.2.3:9000" within 1s: connection error: desc = "error reading server preface: http2: frame too large"\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'the command of the probe is missing': {
      evidence: {
        'describe.txt': `${described('Readiness probe failed: service unhealthy (responded with "NOT_SERVING")')}  Warning  Unhealthy  3s  kubelet  Liveness probe errored: rpc error: code = Unknown desc = failed to exec in container: exec: "/bin/grpc_health_probe": stat /bin/grpc_health_probe: no such file or directory\n`,
      },
      by: 'noBinary',
    },
    'ready by now': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                      READY   STATUS    RESTARTS   AGE\nshop        pricing-6d5f8b9c7-kx2vq   1/1     Running   0          6m\n',
        'events.txt':
          'NAMESPACE   LAST SEEN   TYPE      REASON      OBJECT                        MESSAGE\nshop        5m          Warning   Unhealthy   pod/pricing-6d5f8b9c7-kx2vq   Readiness probe failed: service unhealthy (responded with "NOT_SERVING")\n',
      },
      by: 'well',
    },
  },
  asks: {
    'the probe': {
      evidence: {
        'paste.txt': 'Warning  Unhealthy  3s  kubelet  Liveness probe failed: service unhealthy (responded with "NOT_SERVING")\n',
      },
      for: 'pod-spec',
    },
  },
});
