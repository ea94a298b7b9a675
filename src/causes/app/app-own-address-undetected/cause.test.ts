import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (row: string) => `NAMESPACE   NAME      READY   STATUS             RESTARTS      AGE
watch       bell-0    ${row}
`;
const crashing = pods('0/1     CrashLoopBackOff   6 (41s ago)   9m');
const log = (words: string) => `$ kubectl -n watch logs bell-0\n${words}\n`;
const finds = (words: string) => ({
  evidence: { 'pods.txt': crashing, 'bell.log': log(words) },
  confidence: 'certain' as const,
  cites: ['bell.log:2'],
});

testCause(cause, {
  finds: {
    Consul: finds('==> No private IPv4 address found'),
    'Consul on a host with several cards': finds('==> Multiple private IPv4 addresses found. Please configure one.'),
    Alertmanager: finds(
      'ts=2025-03-04T08:10:57.331Z caller=main.go:240 level=error msg="unable to initialize gossip mesh" err="create memberlist: Failed to get final advertise address: No private IP address found, and explicit IP not provided"',
    ),
    Loki: finds(
      'level=error ts=2025-03-04T08:10:57.331Z caller=log.go:230 msg="error running loki" err="no useable address found for interfaces [eth0 en0]"',
    ),
  },
  rulesOut: {
    'it runs': {
      evidence: { 'pods.txt': pods('1/1     Running            0             9m'), 'bell.log': log('==> No private IPv4 address found') },
      by: 'well',
    },
  },
  asks: { 'the state of the pod': { evidence: { 'paste.txt': '==> No private IPv4 address found\n' }, for: 'pod-status' } },
});
