import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const waits =
  '2025/03/04 08:10:57 [error] 41#41: *77 broken header: "GET /cart HTTP/1.1" while reading PROXY protocol, client: 10.4.0.12, server: 0.0.0.0:80\n';

testCause(cause, {
  finds: {
    'the controller waits for the line': {
      evidence: { 'controller.log': `$ kubectl -n edge logs edge-nginx-controller-7d5f8c6b9-x2k4p\n${waits}` },
      confidence: 'certain',
      cites: ['controller.log:2'],
    },
    'bytes of TLS': {
      evidence: {
        'controller.log':
          '$ kubectl -n edge logs edge-nginx-controller-7d5f8c6b9-x2k4p\n2025/03/04 08:10:57 [error] 41#41: *78 broken header: "\\x16\\x03\\x01\\x02\\x00\\x01" while reading PROXY protocol, client: 10.4.0.12, server: 0.0.0.0:443\n',
      },
      confidence: 'certain',
    },
    'the line arrives unexpected': {
      evidence: {
        'controller.log':
          '$ kubectl -n edge logs edge-nginx-controller-7d5f8c6b9-x2k4p\n10.4.0.12 - - [04/Mar/2025:08:10:57 +0000] "PROXY TCP4 198.51.100.7 10.4.0.12 51022 80" 400 150 "-" "-" 0 0.001 [] [] - - - -\n',
      },
      confidence: 'certain',
    },
    'nginx says what it got': {
      evidence: {
        'controller.log':
          '$ kubectl -n edge logs edge-nginx-controller-7d5f8c6b9-x2k4p\n2025/03/04 08:10:57 [info] 41#41: *79 client sent invalid method while reading client request line, client: 10.4.0.12, server: _, request: "PROXY TCP6 2001:db8::7 2001:db8::12 51022 80"\n',
      },
      confidence: 'certain',
    },
    Traefik: {
      evidence: {
        'traefik.log':
          '$ kubectl -n edge logs traefik-6b9d8f7c5-qk2lm\n2025-03-04T08:10:57Z ERR Error while handling connection error="proxyproto: proxy protocol signature not present" entryPointName=websecure\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'only the health check leaves it out': {
      evidence: {
        'controller.log': `$ kubectl -n edge logs edge-nginx-controller-7d5f8c6b9-x2k4p\n198.51.100.7 - - [04/Mar/2025:08:10:56 +0000] "GET /cart HTTP/1.1" 200 512 "-" "curl/8" 80 0.004 [shop-web-80] [] 10.244.1.7:8080 512 0.004 200 9f2\n${waits}`,
      },
      by: 'served',
    },
  },
  asks: { 'the log': { evidence: { 'note.txt': waits }, for: 'container-log' } },
});
