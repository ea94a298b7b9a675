import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const VOLUME = 'pvc-1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b';
const drbd = (words: string) => ({ 'dmesg.txt': `$ dmesg -T\n[Wed Mar  4 08:10:57 2026] drbd ${VOLUME}: ${words}\n` });
const event = (words: string, more = '') => ({
  'describe.txt': `Events:
  Type     Reason              Age              From                     Message
  ----     ------              ----             ----                     -------
  Warning  FailedAttachVolume  8s (x4 over 2m)  attachdetach-controller  AttachVolume.Attach failed for volume "${VOLUME}" : rpc error: code = Internal desc = ${words}
${more}`,
});
const gone = `Operation failed: GenericOperation("error in response: status code '412 Precondition Failed', content: 'RestJsonError { details: \\"No online replicas are available for Volume '1f2e'\\", kind: FailedPrecondition }'")`;

testCause(cause, {
  finds: {
    'a peer refuses': { evidence: drbd('Auto-promote failed: State change was refused by peer node (-10)'), confidence: 'certain' },
    'no current copy': { evidence: drbd('State change failed: Need access to UpToDate data'), confidence: 'certain' },
    'two sides': { evidence: drbd('Split-Brain detected but unresolved, dropping connection!'), confidence: 'certain' },
    'Mayastor without a replica': { evidence: event(gone), confidence: 'certain' },
    'only the quorum': { evidence: drbd('quorum( yes -> no )'), confidence: 'possible' },
  },
  rulesOut: {
    'it came since': {
      evidence: event(gone, '  Normal   Started             2s               kubelet                  Started container ledger\n'),
      by: 'started',
    },
  },
  asks: { 'the kernel log': { evidence: event(gone), for: 'kernel-log' } },
});
