import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const error = (words: string, upstream = 'http://10.4.0.12:8080/') =>
  `2025/03/04 08:10:57 [error] 31#31: *1204 ${words}, client: 10.30.0.9, server: shop.example.com, request: "POST / HTTP/1.1", upstream: "${upstream}", host: "shop.example.com"`;
const log = (words: string) => ({ 'ingress.log': `$ kubectl -n ingress-nginx logs ingress-nginx-controller-7d5c6d9f8-x7k2p\n${words}\n` });
const slow = error('upstream timed out (110: Operation timed out) while reading response header from upstream');

testCause(cause, {
  finds: {
    'no connection left': {
      evidence: {
        'nginx.log':
          '$ kubectl -n ingress-nginx logs ingress-nginx-controller-7d5c6d9f8-x7k2p\n2025/03/04 08:10:57 [alert] 33#33: *1 16384 worker_connections are not enough while connecting to upstream\n',
      },
      confidence: 'certain',
    },
    'a large body': {
      evidence: log(error('client intended to send too large body: 10485761 bytes')),
      confidence: 'certain',
      cites: ['ingress.log:2'],
    },
    'large headers': {
      evidence: log(error('upstream sent too big header while reading response header from upstream')),
      confidence: 'certain',
    },
    'a slow program': { evidence: log(slow), confidence: 'possible' },
  },
  rulesOut: {
    'no connection': {
      evidence: log(`${slow}\n${error('upstream timed out (110: Operation timed out) while connecting to upstream')}`),
      by: 'unreached',
    },
  },
  asks: {
    'the log of the controller': {
      evidence: { 'note.txt': '<center><h1>413 Request Entity Too Large</h1></center>\n' },
      for: 'container-log',
    },
  },
});
