import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) =>
  `NAMESPACE   LAST SEEN   TYPE      REASON         OBJECT            MESSAGE\ngauges      12s         Warning   FailedCreate   daemonset/probe   Error creating: ${message}\n`;
const scopes = 'insufficient quota to match these scopes: [{PriorityClass In [system-node-critical system-cluster-critical]}]';

testCause(cause, {
  finds: {
    'no quota with that scope': { evidence: { 'events.txt': events(scopes) }, confidence: 'certain', place: 'DaemonSet gauges/probe' },
    'an old version': {
      evidence: {
        'events.txt': events(
          'pods "probe-x2v6l" is forbidden: pods with system-node-critical priorityClass is not permitted in gauges namespace',
        ),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a quota that is used up': {
      evidence: {
        'events.txt': `${events(scopes)}gauges      2s          Warning   FailedCreate   daemonset/probe   Error creating: pods "probe-x2v6l" is forbidden: exceeded quota: critical, requested: pods=1, used: pods=4, limited: pods=4\n`,
      },
      by: 'usedUp',
    },
  },
  asks: { events: { evidence: { 'note.txt': `Error creating: ${scopes}\n` }, for: 'object-events' } },
});
