import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE   NAME                      READY   STATUS    RESTARTS   AGE
shop        ledger-6d5f7c9b8d-x7k2p   1/2     Running   0          9m
`;
const log = (words: string) => `$ kubectl -n shop logs ledger-6d5f7c9b8d-x7k2p -c linkerd-proxy\n${words}\n`;
const waited =
  '[    14.201931s]  INFO ThreadId(01) outbound:proxy{addr=10.9.8.14:3306}: linkerd_detect: Continuing after timeout: linkerd_proxy_http::version::Version protocol detection timed out after 10s';

testCause(cause, {
  finds: {
    'a server that greets first': {
      evidence: { 'pods.txt': pods, 'proxy.log': log(waited) },
      confidence: 'possible',
      place: 'Deployment shop/ledger',
      cites: ['proxy.log:2'],
    },
    'inbound, of an older version': {
      evidence: {
        'proxy.log': log(
          '[    14.201931s]  INFO ThreadId(01) inbound:accept{client.addr=10.9.8.1:51022}:server{port=4222}: linkerd_app_inbound::detect: Handling connection as opaque: protocol detection timeout',
        ),
      },
      confidence: 'possible',
    },
    'bytes that are no HTTP': {
      evidence: {
        'proxy.log': log(
          '[     9.100100s]  INFO ThreadId(01) outbound:accept{client.addr=10.9.8.1:51022}: linkerd_app_core::serve: Connection closed error=invalid HTTP version parsed',
        ),
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'nobody listens': {
      evidence: {
        'proxy.log': log(
          `${waited}\n[    15.301931s]  WARN ThreadId(01) outbound:proxy{addr=10.9.8.14:3306}: linkerd_reconnect: Failed to connect error=Connection refused (os error 111)`,
        ),
      },
      by: 'refused',
    },
  },
  asks: { 'the log': { evidence: { 'note.txt': `${waited}\n` }, for: 'container-log' } },
});
