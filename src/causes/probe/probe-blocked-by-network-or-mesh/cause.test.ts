import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = (message: string, sidecar = '') => `Name:           basket-6d5f8b9c7-kx2vq
Namespace:      shop
Node:           pine-4/10.9.0.14
Status:         Running
Controlled By:  ReplicaSet/basket-6d5f8b9c7
Containers:
${sidecar}  basket:
    Image:          registry.example/shop/basket:3
    State:          Running
      Started:      Mon, 02 Nov 2026 08:00:00 +0000
    Ready:          False
    Restart Count:  0
Conditions:
  Type              Status
  Ready             False
Events:
  Type     Reason     Age                From     Message
  ----     ------     ----               ----     -------
  Warning  Unhealthy  3s (x60 over 10m)  kubelet  ${message}
`;
const envoy = `  istio-proxy:
    Image:          docker.io/istio/proxyv2:1.22.1
    State:          Running
    Ready:          False
    Restart Count:  0
`;

testCause(cause, {
  finds: {
    'no route': {
      evidence: {
        'describe.txt': described(
          'Readiness probe failed: Get "http://10.244.3.17:8080/ready": dial tcp 10.244.3.17:8080: connect: no route to host',
        ),
      },
      confidence: 'certain',
      place: 'Deployment shop/basket',
      cites: ['describe.txt:19'],
      victims: 1,
    },
    'packets are dropped': {
      evidence: { 'describe.txt': described('Liveness probe failed: dial tcp 10.244.3.17:8080: i/o timeout') },
      confidence: 'possible',
    },
    'an older kubelet': {
      evidence: {
        'describe.txt': described(
          'Readiness probe failed: Get http://10.244.3.17:8080/ready: net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)',
        ),
        'node.txt':
          '[root@pine-4 ~]# curl -m 3 http://10.244.3.17:8080/\ncurl: (7) Failed to connect to 10.244.3.17 port 8080: No route to host\n',
      },
      confidence: 'probable',
    },
    'a strict mesh': {
      evidence: {
        'describe.txt': described(
          'Readiness probe failed: Get "http://10.244.3.17:8080/ready": read tcp 10.9.0.14:41000->10.244.3.17:8080: read: connection reset by peer',
          envoy,
        ),
      },
      confidence: 'probable',
    },
    'the proxy is not ready': {
      evidence: {
        'describe.txt': described(
          'Readiness probe failed: Get "http://10.244.3.17:15021/healthz/ready": dial tcp 10.244.3.17:15021: connect: connection refused',
          envoy,
        ),
      },
      confidence: 'probable',
    },
    'the proxy gets no configuration': {
      evidence: {
        'describe.txt': described('Readiness probe failed: HTTP probe failed with statuscode: 503', envoy),
        'log.txt':
          '$ kubectl -n shop logs basket-6d5f8b9c7-kx2vq -c istio-proxy\nwarn\tEnvoy proxy is NOT ready: config not received from XDS server (is Istiod running?): cds updates: 0 successful, 0 rejected\n',
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'connected, but slow': {
      evidence: {
        'describe.txt': `${described('Readiness probe failed: dial tcp 10.244.3.17:8080: i/o timeout')}  Warning  Unhealthy  3s  kubelet  Readiness probe failed: Get "http://10.244.3.17:8080/ready": context deadline exceeded (Client.Timeout exceeded while awaiting headers)\n`,
      },
      by: 'slowAnswer',
    },
    'ready by now': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                     READY   STATUS    RESTARTS   AGE\nshop        basket-6d5f8b9c7-kx2vq   1/1     Running   0          6m\n',
        'events.txt':
          'NAMESPACE   LAST SEEN   TYPE      REASON      OBJECT                       MESSAGE\nshop        5m          Warning   Unhealthy   pod/basket-6d5f8b9c7-kx2vq   Readiness probe failed: dial tcp 10.244.3.17:8080: connect: no route to host\n',
      },
      by: 'well',
    },
  },
  asks: {
    'the containers of the pod': {
      evidence: {
        'events.txt': '  Warning  Unhealthy  3s  kubelet  Readiness probe failed: dial tcp 10.244.3.17:8080: connect: no route to host\n',
      },
      for: 'pod-spec',
    },
  },
});

describe('probe-blocked-by-network-or-mesh and probes that run a command', () => {
  it('does not take what the command met for a connection of the kubelet', async () => {
    const text = `$ kubectl -n shop describe pod cart-5d9c7b6f8-q2w4z
Events:
  Type     Reason     Age               From     Message
  ----     ------     ----              ----     -------
  Warning  Unhealthy  4s (x3 over 25s)  kubelet  Readiness probe failed: Error initializing store: Get "https://10.96.0.1:443/apis/shop/v1/carts": dial tcp 10.96.0.1:443: i/o timeout
`;
    const { incidents } = await diagnose([{ name: 'describe.txt', text }], { causes: [cause] });
    expect(incidents.filter((incident) => incident.cause === cause.id)).toEqual([]);
  });
});
