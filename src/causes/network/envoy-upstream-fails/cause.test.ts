import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (words: string) => ({ 'proxy.log': `$ kubectl -n shop logs till-5d9c7b6f8-q2w4z -c istio-proxy\n${words}\n` });
const row = (flags: string, cluster = 'outbound|8080||ledger.shop.svc.cluster.local') =>
  `[2025-03-04T08:10:57.000Z] "GET /orders HTTP/1.1" 503 ${flags} - "-" 0 19 0 - "-" "curl/8.1" "d1f" "ledger.shop:8080" "-" ${cluster} - 10.96.4.4:8080 10.4.0.11:41234 - default`;

testCause(cause, {
  finds: {
    'no endpoint': { evidence: log(row('UH no_healthy_upstream')), confidence: 'possible', cites: ['proxy.log:2'] },
    'no connection': {
      evidence: log(row('UF,URX upstream_reset_before_response_started{connection_failure}')),
      confidence: 'possible',
    },
    'no route': {
      evidence: log(
        '[2025-03-04T08:10:57.000Z] "GET / HTTP/1.1" 404 NR route_not_found - "-" 0 0 0 - "10.4.0.1" "curl/8.1" "d1f" "shop.example.com" "-" - - 10.4.0.9:8080 10.4.0.1:41234 - -',
      ),
      confidence: 'possible',
    },
    'the answer alone': {
      evidence: {
        'note.txt':
          'upstream connect error or disconnect/reset before headers. reset reason: connection failure, transport failure reason: TLS error: 268435703:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'the proxy is not up': {
      evidence: log(
        `${row('UH no_healthy_upstream')}\nwarn Envoy proxy is NOT ready: config not received from XDS server (is Istiod running?): cds updates: 0 successful, 0 rejected`,
      ),
      by: 'unready',
    },
  },
  asks: { 'the log of the proxy': { evidence: { 'note.txt': 'no healthy upstream\n' }, for: 'container-log' } },
});
