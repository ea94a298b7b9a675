import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const asked = `/ # nslookup ledger.shop.svc.cluster.local
Server:		10.96.0.10
Address:	10.96.0.10:53

** server can't find ledger.shop.svc.cluster.local: NXDOMAIN
`;

testCause(cause, {
  finds: {
    'the server answers that there is none': { evidence: { 'shell.txt': asked }, confidence: 'possible', cites: ['shell.txt:5'] },
    'a short name': { evidence: { 'shell.txt': "ping: bad address 'ledger'\n" }, confidence: 'possible' },
  },
  rulesOut: {
    'nobody answers': {
      evidence: { 'shell.txt': `${asked}/ # nslookup till\n;; connection timed out; no servers could be reached\n` },
      by: 'silent',
    },
    'DNS fails': { evidence: { 'shell.txt': "** server can't find ledger.shop.svc.cluster.local: SERVFAIL\n" }, by: 'failed' },
    'nothing is known': {
      evidence: {
        'shell.txt': `${asked}/ # nslookup kubernetes.default\nServer:		10.96.0.10\nAddress:	10.96.0.10:53\n\n** server can't find kubernetes.default: NXDOMAIN\n`,
      },
      by: 'own',
    },
  },
  asks: { 'a look-up in the pod': { evidence: { 'shell.txt': 'curl: (6) Could not resolve host: example.com\n' }, for: 'host-state' } },
});
