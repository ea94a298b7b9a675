import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (status: string) => `$ kubectl -n shop get pods
NAME                     READY   STATUS             RESTARTS      AGE
front-6d5c4b3a29-k8m7n   ${status}   4m
`;
const CRASHING = '0/1     CrashLoopBackOff   5 (61s ago)';
const log = (words: string) => `$ kubectl -n shop logs front-6d5c4b3a29-k8m7n\n${words}\n`;
const crashing = (words: string) => ({ 'pods.txt': pods(CRASHING), 'front.log': log(words) });
const anchors = 'time="2026-03-04T08:10:57Z" level=fatal msg="Failed to read trust anchors: not a PEM certificate"';
const found = (words: string) => ({ evidence: crashing(words), confidence: 'certain' as const });

testCause(cause, {
  finds: {
    'no certificate at all': { ...found(anchors), cites: ['front.log:2'] },
    'a key without its lines': found('2026/03/04 08:10:57 tls: failed to find any PEM data in key input'),
    OpenSSL: found(
      'nginx: [emerg] cannot load certificate "/etc/tls/tls.crt": PEM_read_bio_X509_AUX() failed (SSL: error:0909006C:PEM routines:get_name:no start line:Expecting: TRUSTED CERTIFICATE)',
    ),
    'a key of another certificate': found('panic: tls: private key does not match public key'),
    'a keystore and its password': found('java.io.IOException: Keystore was tampered with, or password was incorrect'),
  },
  rulesOut: {
    'what another side sent': {
      evidence: crashing(`${anchors}\n2026/03/04 08:10:57 http: TLS handshake error from 10.4.0.9:1: remote error: tls: bad certificate`),
      by: 'ofPeer',
    },
    'it runs by now': { evidence: { 'pods.txt': pods('1/1     Running            0            '), 'front.log': log(anchors) }, by: 'well' },
  },
  asks: {
    'how the pod is doing': { evidence: { 'front.log': log(anchors) }, for: 'pod-status' },
  },
});
