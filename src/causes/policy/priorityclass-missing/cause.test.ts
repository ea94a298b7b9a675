import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const message = 'pods "ledger-7f9c6b5d48-" is forbidden: no PriorityClass with name billing-high was found';

testCause(cause, {
  finds: {
    'an event of the replica set': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON         OBJECT                         MESSAGE\n31s         Warning   FailedCreate   replicaset/ledger-7f9c6b5d48   Error creating: ${message}\n`,
      },
      confidence: 'certain',
      cites: ['events.txt:2'],
      victims: 1,
    },
    'what kubectl answers': {
      evidence: { 'terminal.txt': `error: ${message}\n` },
      confidence: 'certain',
    },
    'an operator looks for it': {
      evidence: {
        'operator.log':
          '$ kubectl -n ops logs keeper-6c8d7b9f5d-t5w2x\nE0304 08:10:57.118402       1 controller.go:324] "Reconciler error" err="priorityclasses.scheduling.k8s.io \\"billing-high\\" not found" controller="keeper"\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it exists and is kept for the system': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON         OBJECT                         MESSAGE\n31s         Warning   FailedCreate   replicaset/ledger-7f9c6b5d48   Error creating: ${message}\n9s          Warning   FailedCreate   replicaset/ledger-7f9c6b5d48   Error creating: pods "ledger-7f9c6b5d48-" is forbidden: pods with system-cluster-critical priorityClass is not permitted in books namespace\n`,
      },
      by: 'reserved',
    },
  },
  asks: {
    'the events of the controller': {
      evidence: {
        'operator.log':
          '$ kubectl -n ops logs keeper-6c8d7b9f5d-t5w2x\nE0304 08:10:57.118402       1 controller.go:324] "Reconciler error" err="priorityclasses.scheduling.k8s.io \\"billing-high\\" not found" controller="keeper"\n',
      },
      for: 'object-events',
    },
  },
});
