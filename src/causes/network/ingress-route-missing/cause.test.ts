import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const row =
  '10.30.0.9 - - [04/Mar/2025:08:10:57 +0000] "GET / HTTP/1.1" 404 146 "-" "curl/8.1" 80 0.000 [upstream-default-backend] [] 127.0.0.1:8181 146 0.001 404 d1f';
const log = (words: string) => ({ 'ingress.log': `$ kubectl -n ingress-nginx logs ingress-nginx-controller-7d5c6d9f8-x7k2p\n${words}\n` });

testCause(cause, {
  finds: {
    'a Gateway that nobody takes': {
      evidence: {
        'gateway.txt': `Status:
  Conditions:
    Message:               Waiting for controller
    Reason:                Pending
    Status:                Unknown
    Type:                  Accepted
`,
      },
      confidence: 'possible',
    },
    'the default backend of nginx': { evidence: log(row), confidence: 'possible', cites: ['ingress.log:2'] },
    'the answer': { evidence: { 'note.txt': '$ curl http://shop.example.com\n404 page not found\n' }, confidence: 'possible' },
    'a middleware that is not there': {
      evidence: log(
        '2025-03-04T08:10:57Z ERR error="middleware \\"strip@kubernetescrd\\" does not exist" entryPointName=web routerName=shop-till@kubernetescrd',
      ),
      confidence: 'possible',
    },
    'a Gateway that does not take the route': {
      evidence: { 'note.txt': 'Accepted: False  Reason: NotAllowedByListeners  Message: No listeners match this parent ref\n' },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'others are served': {
      evidence: log(`${row}\n${row.replace('" 404 146', '" 200 146').replace('upstream-default-backend', 'shop-till-80')}`),
      by: 'served',
    },
    'no pod behind the rule': {
      evidence: log(`${row}\nW0304 08:10:57.000000 7 controller.go:1214] Service "shop/till" does not have any active Endpoint.`),
      by: 'noPod',
    },
  },
  asks: { 'the log of the controller': { evidence: { 'note.txt': 'default backend - 404\n' }, for: 'container-log' } },
});
