import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const waits =
  'user: warning: [2025-03-04T08:10:57Z]: [talos] etcd is waiting to join the cluster, if this node is the first node of the cluster, please run `talosctl bootstrap` against one of the following IPs: [192.0.2.5]\n';

testCause(cause, {
  finds: {
    'it waits': { evidence: { 'dmesg.txt': waits }, confidence: 'possible' },
  },
  rulesOut: {
    'it runs': {
      evidence: { 'dmesg.txt': `${waits}user: warning: [2025-03-04T08:14:57Z]: [talos] service[etcd](Running): Health check successful\n` },
      by: 'running',
    },
  },
  asks: { 'the log of the machine': { evidence: { 'dmesg.txt': waits }, for: 'system-log' } },
});
