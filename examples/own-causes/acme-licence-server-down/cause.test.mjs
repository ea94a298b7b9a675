import { testCause } from 'podcause/testing';
import { cause } from './cause.mjs';

const pods = `$ kubectl get pods -n shop
NAME                       READY   STATUS             RESTARTS      AGE
billing-6f7c9d8b5d-x2k4p   0/1     CrashLoopBackOff   6 (30s ago)   9m
`;
const log = (text) => `$ kubectl logs -n shop billing-6f7c9d8b5d-x2k4p -c billing --previous\n${text}\n`;
const ended = `$ kubectl describe pod -n shop billing-6f7c9d8b5d-x2k4p
Name:           billing-6f7c9d8b5d-x2k4p
Namespace:      shop
Containers:
  billing:
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    77
    Restart Count:  6
`;

testCause(cause, {
  finds: {
    'the server does not answer': {
      evidence: {
        'pods.txt': pods,
        'describe.txt': ended,
        'log.txt': log('ERROR licence checkout failed: lic.acme.test:27000: connection refused'),
      },
      confidence: 'certain',
      cites: ['log.txt:2', 'describe.txt:8'],
    },
  },
  rulesOut: {
    'the licence itself has expired': {
      evidence: {
        'pods.txt': pods,
        'log.txt': log('licence expired on 2026-01-31\nERROR licence checkout failed: lic.acme.test:27000: no valid licence'),
      },
      by: 'expired',
    },
  },
  asks: {
    'an excerpt of the log only': {
      evidence: { 'pods.txt': pods, 'note.txt': 'ERROR licence checkout failed: lic.acme.test:27000: connection refused' },
      for: 'container-log',
    },
  },
});
