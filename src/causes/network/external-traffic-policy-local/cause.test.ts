import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const service = (policy: string) => `$ kubectl -n shop describe svc cart
Name:                     cart
Namespace:                shop
Selector:                 app=cart
Type:                     NodePort
IP:                       10.110.22.112
Port:                     <unset>  80/TCP
TargetPort:               80/TCP
NodePort:                 <unset>  32620/TCP
Endpoints:                10.4.215.65:80
Session Affinity:         None
External Traffic Policy:  ${policy}
Events:                   <none>
`;
const curl = `$ curl http://172.19.1.21:32620
curl: (28) Failed to connect to 172.19.1.21 port 32620: Connection timed out
`;

testCause(cause, {
  finds: {
    'a node port that does not answer': {
      evidence: { 'svc.txt': service('Local'), 'curl.txt': curl },
      confidence: 'possible',
      cites: ['svc.txt:12', 'curl.txt:2'],
    },
    'a node says so': {
      evidence: {
        'svc.txt': service('Local'),
        'speaker.log':
          '{"caller":"main.go:393","event":"skipping should announce","msg":"service has no local endpoints","service":"shop/cart"}\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'all nodes take part': { evidence: { 'before.txt': service('Local'), 'svc.txt': service('Cluster'), 'curl.txt': curl }, by: 'cluster' },
  },
  asks: { 'a try from outside': { evidence: { 'svc.txt': service('Local') }, for: 'host-state' } },
});
