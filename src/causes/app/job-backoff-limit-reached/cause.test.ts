import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = `Name:             ledger-migrate
Namespace:        books
Selector:         batch.kubernetes.io/controller-uid=0a1b
Parallelism:      1
Completions:      1
Backoff Limit:    3
Start Time:       Mon, 02 Nov 2026 08:00:00 +0000
Pods Statuses:    0 Active (0 Ready) / 0 Succeeded / 4 Failed
Events:
  Type     Reason                Age    From            Message
  ----     ------                ----   ----            -------
  Normal   SuccessfulCreate      9m30s  job-controller  Created pod: ledger-migrate-q9x2k
  Normal   SuccessfulDelete      8m1s   job-controller  Deleted pod: ledger-migrate-q9x2k
  Warning  BackoffLimitExceeded  8m1s   job-controller  Job has reached the specified backoff limit
`;
const helm = 'Error: UPGRADE FAILED: pre-upgrade hooks failed: job ledger-migrate failed: BackoffLimitExceeded\n';
const yaml = `apiVersion: batch/v1
kind: Job
metadata:
  name: ledger-migrate
  namespace: books
spec:
  backoffLimit: 3
status:
  conditions:
  - type: Failed
    status: "True"
    reason: BackoffLimitExceeded
    message: Job has reached the specified backoff limit
  failed: 4
`;

testCause(cause, {
  finds: {
    'a row of the listing': {
      evidence: {
        'jobs.txt': 'NAME     STATUS   COMPLETIONS   DURATION   AGE\nimport   Failed   0/1           10m        10m\n',
      },
      confidence: 'possible',
    },
    'a rule of its own': {
      evidence: {
        'events.txt':
          'NAMESPACE   LAST SEEN   TYPE      REASON             OBJECT               MESSAGE\nbooks       3m          Warning   PodFailurePolicy   job/ledger-migrate   Container main for pod books/ledger-migrate-x2v6l failed with exit code 42 matching FailJob rule at index 0\n',
      },
      confidence: 'possible',
      place: 'Job books/ledger-migrate',
    },
    'kubectl describe job': {
      evidence: { 'describe.txt': described },
      confidence: 'possible',
      place: 'Job books/ledger-migrate',
      cites: ['describe.txt:14'],
    },
    'one line': { evidence: { 'paste.txt': 'Job has reached the specified backoff limit\n' }, confidence: 'possible' },
    'helm waits for it': { evidence: { 'helm.txt': helm }, confidence: 'possible' },
    'the status of the Job': { evidence: { 'job.yaml': yaml }, confidence: 'probable', place: 'Job books/ledger-migrate' },
  },
  rulesOut: {
    'its deadline': {
      evidence: {
        'describe.txt': `${described}  Warning  DeadlineExceeded      8m1s   job-controller  Job was active longer than specified deadline\n`,
      },
      by: 'deadline',
    },
  },
  asks: { 'the Job': { evidence: { 'helm.txt': helm }, for: 'workload' } },
});
