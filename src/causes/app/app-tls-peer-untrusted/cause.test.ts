import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = (row = '0/1     CrashLoopBackOff   5 (61s ago)   4m') =>
  `NAMESPACE   NAME                     READY   STATUS             RESTARTS      AGE\nforge       anvil-5c7d8f9b6d-q8z4n   ${row}\n`;
const log = (text: string) => `$ kubectl -n forge logs anvil-5c7d8f9b6d-q8z4n --previous\n${text}\n`;
const found = (text: string, confidence: 'certain' | 'probable' | 'possible' = 'certain') => ({
  evidence: { 'pods.txt': listing(), 'log.txt': log(text) },
  confidence,
  place: 'Deployment forge/anvil',
});

testCause(cause, {
  finds: {
    Go: found('Error: Get "https://vault.forge.svc:8200/v1/sys/health": x509: certificate signed by unknown authority', 'possible'),
    Node: found('Error: unable to get local issuer certificate', 'possible'),
    expired: found(
      'Post "https://auth.forge.example/token": x509: certificate has expired or is not yet valid: current time is after 2026-01-01',
      'possible',
    ),
    'another name': found('x509: certificate is valid for vault, not vault.forge.svc', 'possible'),
  },
  rulesOut: {
    'a healthy pod': {
      evidence: {
        'pods.txt': listing('1/1     Running            0             4m'),
        'log.txt': log('Error: unable to get local issuer certificate'),
      },
      by: 'well',
    },
    'long over': {
      evidence: {
        'pods.txt': listing('1/1     Running            5 (8d ago)    8d'),
        'log.txt': log('Error: unable to get local issuer certificate'),
      },
      by: 'over',
    },
  },
  asks: { 'the state of the pod': { evidence: { 'paste.txt': 'Error: unable to get local issuer certificate\n' }, for: 'pod-status' } },
});
