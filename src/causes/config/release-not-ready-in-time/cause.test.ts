import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const found = (words: string) => ({ evidence: { 'terminal.txt': `${words}\n` }, confidence: 'possible' as const });
const flux = (words: string) => found(`NAME     REVISION   SUSPENDED   READY   MESSAGE\nquince   1.4.0      False       False   ${words}`);
const late = 'Error: UPGRADE FAILED: context deadline exceeded';

testCause(cause, {
  finds: {
    'an upgrade that waited': found(late),
    'a hook that waited': found(
      'Error: INSTALLATION FAILED: failed pre-install: 1 error occurred:\n\t* timed out waiting for the condition',
    ),
    'a HelmRelease': flux('Helm install failed for release orchard/quince with chart quince@1.4.0: context deadline exceeded'),
    'a Kustomization': flux("health check failed after 5m0.1s: timeout waiting for: [Deployment/orchard/quince status: 'InProgress']"),
    'no more tries': flux('install retries exhausted'),
    'waits for another': flux("dependency 'orchard/infra' is not ready"),
  },
  rulesOut: {
    'deployed since': {
      evidence: { 'terminal.txt': `${late}\n$ helm upgrade quince ./quince\nRelease "quince" has been upgraded. Happy Helming!\n` },
      by: 'since',
    },
  },
  asks: { 'what helm says': { ...found(late), for: 'objects' } },
});
