import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (words: string) => ({ 'ingress.log': `$ kubectl -n ingress-nginx logs ingress-nginx-controller-7d5c6d9f8-x7k2p\n${words}\n` });
const error = (words: string, upstream: string) =>
  `2025/03/04 08:10:57 [error] 31#31: *1204 ${words}, client: 10.30.0.9, server: shop.example.com, request: "GET / HTTP/1.1", upstream: "${upstream}"`;

testCause(cause, {
  finds: {
    'the server logs who speaks plain HTTP': {
      evidence: {
        'till.log':
          '$ kubectl -n shop logs till-5d9c7b6f8-q2w4z\n2025/03/04 08:10:57 http: TLS handshake error from 10.4.0.9:51022: tls: first record does not look like a TLS handshake\n',
      },
      confidence: 'possible',
    },
    'Netty does': {
      evidence: {
        'till.log':
          '$ kubectl -n shop logs till-5d9c7b6f8-q2w4z\nio.netty.handler.ssl.NotSslRecordException: not an SSL/TLS record: 474554202f20485454502f312e310d0a\n',
      },
      confidence: 'possible',
    },
    'TLS to plain HTTP': {
      evidence: log(
        error(
          'SSL_do_handshake() failed (SSL: error:1408F10B:SSL routines:ssl3_get_record:wrong version number) while SSL handshaking to upstream',
          'https://10.4.0.12:8080/',
        ),
      ),
      confidence: 'certain',
      cites: ['ingress.log:2'],
    },
    'plain HTTP to TLS': {
      evidence: log(error('upstream sent no valid HTTP/1.0 header while reading response header from upstream', 'http://10.4.0.12:8443/')),
      confidence: 'certain',
    },
    gRPC: {
      evidence: log(
        error('upstream sent invalid http2 table index: 64 while reading response header from upstream', 'grpc://10.4.0.12:8080'),
      ),
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a probe': {
      evidence: {
        'describe.txt':
          'Events:\n  Type     Reason     Age   From     Message\n  ----     ------     ----  ----     -------\n  Warning  Unhealthy  3s    kubelet  Readiness probe failed: HTTP probe failed with statuscode: 400\n',
        'till.log': '$ kubectl -n shop logs till-5d9c7b6f8-q2w4z\nClient sent an HTTP request to an HTTPS server.\n',
      },
      by: 'probe',
    },
  },
  asks: {
    'the log of the controller': { evidence: { 'note.txt': '400 The plain HTTP request was sent to HTTPS port\n' }, for: 'container-log' },
  },
});
