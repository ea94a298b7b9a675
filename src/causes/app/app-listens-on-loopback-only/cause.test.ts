import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describePod = (command = '') => `Name:         anvil-6d5f7c9b8d-x7k2p
Namespace:    shop
Node:         plover-1/10.4.0.11
Status:       Running
IP:           10.244.1.7
Controlled By:  ReplicaSet/anvil-6d5f7c9b8d
Containers:
  anvil:
    Image:          anvil:1${command}
    State:          Running
    Ready:          False
    Restart Count:  0
Events:
  Type     Reason     Age                From     Message
  ----     ------     ----               ----     -------
  Warning  Unhealthy  3s (x14 over 2m)   kubelet  Readiness probe failed: Get "http://10.244.1.7:5000/healthz": dial tcp 10.244.1.7:5000: connect: connection refused
`;
const log = (words: string) => `$ kubectl -n shop logs anvil-6d5f7c9b8d-x7k2p\n${words}\n`;
const flask = " * Serving Flask app 'anvil'\n * Running on http://127.0.0.1:5000";

testCause(cause, {
  finds: {
    'its own words': {
      evidence: { 'describe.txt': describePod(), 'anvil.log': log(flask) },
      confidence: 'certain',
      place: 'Deployment shop/anvil',
      cites: ['anvil.log:3'],
    },
    'its command': {
      evidence: { 'describe.txt': describePod('\n    Args:\n      serve\n      --listen-address=127.0.0.1:5000') },
      confidence: 'certain',
    },
    'the options alone': {
      evidence: {
        'paste.txt': `    Command:
      /usr/local/bin/anvil
      --bind-address=127.0.0.1
  Warning  Unhealthy  3s (x14 over 2m)   kubelet  Readiness probe failed: Get "https://10.244.1.7:5000/healthz": dial tcp 10.244.1.7:5000: connect: connection refused
`,
      },
      confidence: 'possible',
    },
    'a port that may be another': {
      evidence: { 'describe.txt': describePod(), 'anvil.log': log('metrics server is listening on 127.0.0.1:9100') },
      confidence: 'possible',
    },
    'a port of administration, with its scheme': {
      evidence: { 'describe.txt': describePod(), 'anvil.log': log('admin interface: server running on http://127.0.0.1:9100') },
      confidence: 'possible',
    },
    'Kestrel, asked by an ingress controller': {
      evidence: {
        'anvil.log': log('info: Microsoft.Hosting.Lifetime[14]\n      Now listening on: http://localhost:5000'),
        'edge.log':
          '$ kubectl -n edge logs edge-nginx-controller-7d5f8c6b9-x2k4p\n2025/03/04 08:10:57 [error] 41#41: *77 connect() failed (111: Connection refused) while connecting to upstream, client: 10.4.0.12, server: anvil.example, request: "GET / HTTP/1.1", upstream: "http://10.244.1.7:5000/", host: "anvil.example"\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it listens on all addresses as well': {
      evidence: { 'describe.txt': describePod(), 'anvil.log': log(` * Running on all addresses (0.0.0.0)\n${flask}`) },
      by: 'everywhere',
    },
  },
  asks: { 'who is refused': { evidence: { 'anvil.log': log(flask) }, for: 'pod-events' } },
});
