import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (words: string) => ({ 'proxy.log': `$ kubectl -n shop logs ledger-5d9c7b6f8-q2w4z -c istio-proxy\n${words}\n` });

testCause(cause, {
  finds: {
    'linkerd, in newer words': {
      evidence: {
        'proxy.log':
          '$ kubectl -n shop logs cart-5d9c7b6f8-q2w4z -c linkerd-proxy\n[     3.204s]  INFO ThreadId(02) inbound:server{port=8080}: linkerd_app_inbound::policy::http: Request denied server.group="" server.kind="default" server.name="deny" tls=None(NoClientHello) client=10.4.0.7:44192\n',
      },
      confidence: 'certain',
    },
    'the answer alone': { evidence: { 'note.txt': 'RBAC: access denied\n' }, confidence: 'certain' },
    'the access log of Envoy': {
      evidence: log(
        '[2025-03-04T08:10:57.000Z] "GET /orders HTTP/1.1" 403 - rbac_access_denied_matched_policy[none] - "-" 0 19 0 - "-" "curl/8.1" "d1f" "ledger.shop:8080" "-" inbound|8080|| - 10.4.0.12:8080 10.4.0.11:41234 - default',
      ),
      confidence: 'certain',
      cites: ['proxy.log:2'],
    },
    'a token': { evidence: { 'note.txt': 'curl: HTTP 401\nJwt issuer is not configured\n' }, confidence: 'possible' },
    ztunnel: {
      evidence: log(
        '2025-03-04T08:10:57.000000Z error access connection complete src.addr=10.4.0.11:41234 dst.addr=10.4.0.12:8080 error="connection closed due to policy rejection: allow policies exist, but none allow"',
      ),
      confidence: 'certain',
    },
    linkerd: {
      evidence: log(
        '[   12.000s]  INFO ThreadId(01) inbound: linkerd_app_inbound::policy::http: Request denied server=ledger-http route=default client=10.4.0.11:41234',
      ),
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the API server forbids': {
      evidence: log(
        'RBAC: access denied\nleases.coordination.k8s.io is forbidden: User "system:serviceaccount:shop:till" cannot list resource "leases" in API group "coordination.k8s.io"',
      ),
      by: 'kubernetes',
    },
  },
  asks: { 'what the proxy says': { evidence: { 'note.txt': 'RBAC: access denied\n' }, for: 'container-log' } },
});
