import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const denial =
  "ValidatingAdmissionPolicy 'replica-limit' with binding 'replica-limit-prod' denied request: failed expression: object.spec.replicas <= 5";

testCause(cause, {
  finds: {
    'what kubectl answers': {
      evidence: {
        'terminal.txt': `$ kubectl -n books apply -f ledger.yaml\nerror: ${denial}\n`,
      },
      confidence: 'certain',
      cites: ['terminal.txt:2'],
    },
    'events of a replica set': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON         OBJECT                         MESSAGE\n31s         Warning   FailedCreate   replicaset/ledger-7f9c6b5d48   Error creating: pods "ledger-7f9c6b5d48-t5w2x" is forbidden: ValidatingAdmissionPolicy 'no-latest' with binding 'no-latest' denied request: image tag latest is not allowed\n`,
      },
      confidence: 'certain',
      cites: ['events.txt:2'],
      victims: 1,
    },
    'an expression that fails': {
      evidence: {
        'terminal.txt':
          "Error from server: ValidatingAdmissionPolicy 'need-team' with binding 'need-team-all' denied request: expression 'object.metadata.labels.team != \"\"' resulted in error: no such key: team\n",
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it only warns': {
      evidence: {
        'terminal.txt': `Warning: Validation failed for ValidatingAdmissionPolicy 'replica-limit' with binding 'replica-limit-prod': failed expression: object.spec.replicas <= 5\n${denial}\ndeployment.apps/ledger configured\n`,
      },
      by: 'warned',
    },
  },
  asks: { 'the events of the controller': { evidence: { 'terminal.txt': `${denial}\n` }, for: 'object-events' } },
});
