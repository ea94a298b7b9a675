import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const waits =
  '192.0.2.5: user: warning: [2025-03-04T08:10:57Z]: [talos] service[kubelet](Waiting): Waiting for service "cri" to be "up", time sync, network\n';
const fails =
  '192.0.2.5: user: warning: [2025-03-04T08:11:12Z]: [talos] time query error with server "pool.ntp.org" {"component": "controller-runtime", "controller": "time.SyncController", "error": "lookup pool.ntp.org on 192.0.2.1:53: i/o timeout"}\n';

testCause(cause, {
  finds: { 'no answer': { evidence: { 'dmesg.txt': waits + fails }, confidence: 'certain' } },
  rulesOut: {
    'the time is set': {
      evidence: {
        'dmesg.txt': `${waits}${fails}192.0.2.5: user: warning: [2025-03-04T08:12:12Z]: [talos] setting time to 2025-03-04 08:12:12\n`,
      },
      by: 'synced',
    },
  },
  asks: { 'its log': { evidence: { 'dmesg.txt': waits }, for: 'system-log' } },
});
