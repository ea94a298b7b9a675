import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const event =
  'Warning  Failed  12s (x3 over 40s)  kubelet  Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: unable to join session keyring: unable to create session key: disk quota exceeded: unknown\n';

testCause(cause, {
  finds: { 'the event': { evidence: { 'events.txt': event }, confidence: 'probable' } },
  rulesOut: {
    'the quota was raised': {
      evidence: { 'events.txt': event, 'sysctl.txt': '$ sysctl kernel.keys.maxkeys\nkernel.keys.maxkeys = 20000\n' },
      by: 'raised',
    },
  },
  asks: { 'the setting': { evidence: { 'events.txt': event }, for: 'host-state' } },
});
