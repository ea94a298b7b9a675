import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const event = `NAMESPACE   LAST SEEN   TYPE      REASON      OBJECT       MESSAGE
safe        8s          Warning   Unhealthy   pod/safe-0   Readiness probe failed: Key Value --- ----- Seal Type shamir Initialized false Sealed true Total Shares 0 Threshold 0 Unseal Progress 0/0 Unseal Nonce n/a
`;
const log = (words: string) => `$ kubectl -n safe logs safe-0\n${words}\n`;

testCause(cause, {
  finds: {
    'never initialised': { evidence: { 'events.txt': event }, confidence: 'certain', cites: ['events.txt:2'] },
    'in its own log': {
      evidence: { 'safe.log': log('2026-03-04T08:10:57.094Z [INFO]  core: security barrier not initialized') },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'unsealed since': {
      evidence: { 'events.txt': event, 'safe.log': log('2026-03-04T08:12:57.094Z [INFO]  core: vault is unsealed') },
      by: 'opened',
    },
  },
  asks: { 'its log': { evidence: { 'events.txt': event }, for: 'container-log' } },
});
