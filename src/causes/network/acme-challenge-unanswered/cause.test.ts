import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (words: string) => `$ kubectl -n cert-manager logs cert-manager-5d9c7b6f8-q2w4z\n${words}\n`;
const unreached =
  'E0304 08:10:57.331207       1 sync.go:190] cert-manager/challenges "msg"="propagation check failed" "error"="failed to perform self check GET request \'http://lamp.example.org/.well-known/acme-challenge/tok\': Get \\"http://lamp.example.org/.well-known/acme-challenge/tok\\": dial tcp 203.0.113.9:80: connect: connection timed out" "dnsName"="lamp.example.org" "type"="HTTP-01"';
const described = (reason: string) => `$ kubectl describe challenge lamp-tls-x7k2p-1
Name:         lamp-tls-x7k2p-1
Namespace:    shop
API Version:  acme.cert-manager.io/v1
Kind:         Challenge
Status:
  Presented:   true
  Processing:  true
  Reason:      ${reason}
  State:       pending
Events:        <none>
`;

testCause(cause, {
  finds: {
    'a challenge that stays open': {
      evidence: { 'get.txt': 'NAME          STATE     DOMAIN         AGE\ntill-1-2-3    pending   till.example   20m\n' },
      confidence: 'possible',
    },
    'no hairpin: the self check gets no answer': {
      evidence: { 'cert-manager.log': log(unreached) },
      confidence: 'certain',
      cites: ['cert-manager.log:2'],
    },
    'an old one': {
      evidence: {
        'cert-manager.log': log(
          "I0213 13:18:25.165293       1 http.go:111] could not reach 'http://lamp.example.org/.well-known/acme-challenge/tok': failed to GET 'http://lamp.example.org/.well-known/acme-challenge/tok': Get http://lamp.example.org/.well-known/acme-challenge/tok: dial tcp 10.9.2.15:80: connect: connection refused",
        ),
      },
      confidence: 'certain',
    },
    'somebody else answers': {
      evidence: { 'challenge.txt': described("Waiting for HTTP-01 challenge propagation: wrong status code '404', expected '200'") },
      confidence: 'certain',
    },
    'the ACME server does not get through': {
      evidence: {
        'cert-manager.log': log(
          'E0304 08:10:57.331207       1 sync.go:190] cert-manager/challenges "msg"="error waiting for authorization" "error"="acme: authorization error for lamp.example.org: 400 urn:ietf:params:acme:error:connection: 203.0.113.9: Fetching http://lamp.example.org/.well-known/acme-challenge/tok: Timeout during connect (likely firewall problem)"',
        ),
      },
      confidence: 'certain',
    },
    'the record is not there yet': {
      evidence: {
        'challenge.txt': described('Waiting for DNS-01 challenge propagation: DNS record for "lamp.example.org" not yet propagated'),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'too many certificates': {
      evidence: {
        'cert-manager.log': log(
          `${unreached}\nE0304 08:11:57.331207       1 sync.go:190] cert-manager/orders "msg"="failed to create order" "error"="429 urn:ietf:params:acme:error:rateLimited: Error creating new order :: too many certificates already issued"`,
        ),
      },
      by: 'limited',
    },
  },
  asks: {
    'the log of cert-manager': {
      evidence: { 'paste.txt': 'cert-manager: http-01 self check failed for domain "lamp.example.org"\n' },
      for: 'container-log',
    },
  },
});
