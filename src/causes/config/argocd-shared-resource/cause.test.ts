import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const conditions = `CONDITION              MESSAGE                                                                    LAST TRANSITION
SharedResourceWarning  ConfigMap/tally-settings is part of applications argocd/tally-dev and tally-prod  2024-03-02 10:11:12 +0000 UTC
`;

testCause(cause, {
  finds: {
    'the conditions of an application': { evidence: { 'app.txt': conditions }, confidence: 'possible' },
    'the warning alone': {
      evidence: { 'paste.txt': 'the app shows SharedResourceWarning and stays OutOfSync\n' },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'synced by now': {
      evidence: {
        'app.txt': conditions,
        'get.txt': 'Name:               argocd/tally-dev\nSync Status:        Synced to main (1a2b3c4)\n',
      },
      by: 'since',
    },
  },
  asks: {
    'the conditions of the application': {
      evidence: { 'paste.txt': 'the app shows SharedResourceWarning and stays OutOfSync\n' },
      for: 'objects',
    },
  },
});
