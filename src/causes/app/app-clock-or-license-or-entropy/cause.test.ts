import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = `Name:           analyser-7d9f8c6b5-x2k4p
Namespace:      lab
Node:           fir-5/10.4.0.15
Status:         Running
Controlled By:  ReplicaSet/analyser-7d9f8c6b5
Containers:
  analyser:
    Image:          registry.example/lab/analyser:6
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    1
    Ready:          False
    Restart Count:  31
Events:
  Type     Reason   Age               From     Message
  ----     ------   ----              ----     -------
  Warning  BackOff  9s (x9 over 2m)   kubelet  Back-off restarting failed container
`;
const log = (text: string) => `$ kubectl -n lab logs analyser-7d9f8c6b5-x2k4p -c analyser --previous\n${text}\n`;

testCause(cause, {
  finds: {
    'a licence': {
      evidence: { 'describe.txt': described, 'log.txt': log('FATAL: Your license has expired on 2026-10-31, please contact sales') },
      confidence: 'certain',
      place: 'container analyser of Deployment lab/analyser',
      cites: ['log.txt:2'],
      victims: 1,
    },
    'a trial': { evidence: { 'log.txt': log('ERROR trial period expired') }, confidence: 'probable' },
    'a certificate, Go': {
      evidence: {
        'describe.txt': described,
        'log.txt': log(
          'Error: Post "https://auth.example.net/token": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-02T08:01:12Z is after 2026-10-30T00:00:00Z',
        ),
      },
      confidence: 'certain',
    },
    'a certificate, Java and Node.js': {
      evidence: {
        'log.txt': log(
          'Caused by: java.security.cert.CertificateExpiredException: NotAfter: Fri Oct 30 00:00:00 UTC 2026\nError: certificate has expired, code: CERT_HAS_EXPIRED',
        ),
      },
      confidence: 'probable',
    },
    'one line': { evidence: { 'paste.txt': 'Error: certificate has expired, code: CERT_HAS_EXPIRED\n' }, confidence: 'probable' },
    randomness: {
      evidence: {
        'log.txt': log('Creation of SecureRandom instance for session ID generation using [SHA1PRNG] took [241,337] milliseconds.'),
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'a client of the API server': {
      evidence: {
        'log.txt': log(
          'E1102 08:01:12.120001       1 authentication.go:73] "Unable to authenticate the request" err="[x509: certificate has expired or is not yet valid: current time 2026-11-02T08:01:12Z is after 2026-10-30T00:00:00Z]"',
        ),
      },
      by: 'ofCluster',
    },
    'a clock': {
      evidence: {
        'log.txt': log(
          'x509: certificate has expired or is not yet valid: current time 2020-11-02T08:01:12Z is before 2026-10-30T00:00:00Z',
        ),
      },
      by: 'early',
    },
    'the API server': {
      evidence: {
        'log.txt': log(
          'Get "https://10.96.0.1:443/api": x509: certificate has expired or is not yet valid: current time 2026-11-02T08:01:12Z is after 2026-10-30T00:00:00Z',
        ),
      },
      by: 'ofCluster',
    },
    well: {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                       READY   STATUS    RESTARTS   AGE\nlab         analyser-7d9f8c6b5-x2k4p   1/1     Running   0          6m\n',
        'log.txt': log('Your license has expired'),
      },
      by: 'well',
    },
    'long over': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                       READY   STATUS    RESTARTS     AGE\nlab         analyser-7d9f8c6b5-x2k4p   1/1     Running   3 (7d ago)   9d\n',
        'log.txt': log('Your license has expired'),
      },
      by: 'over',
    },
  },
  asks: { 'how the pod is': { evidence: { 'log.txt': log('Your license has expired') }, for: 'pod-status' } },
});
