import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (row: string) => `NAMESPACE   NAME                    READY   STATUS             RESTARTS      AGE
gate        gate-5d9c7b6f8-q2w4z    ${row}
`;
const crashing = pods('0/1     CrashLoopBackOff   6 (41s ago)   9m');
const log = (words: string) => `$ kubectl -n gate logs gate-5d9c7b6f8-q2w4z\n${words}\n`;
const absent =
  'F0304 08:10:57.331207       7 main.go:84] No service with name gate-controller found in namespace gate: services "gate-controller" not found';

testCause(cause, {
  finds: {
    'the Service does not exist': {
      evidence: { 'pods.txt': crashing, 'gate.log': log(absent) },
      confidence: 'certain',
      cites: ['gate.log:2'],
    },
    'in words of old': {
      evidence: {
        'pods.txt': crashing,
        'gate.log': log(
          'F0304 08:10:57.331207       5 main.go:86] no service with name gate/fallback found: services "fallback" not found',
        ),
      },
      confidence: 'certain',
    },
    'the Service has no address': {
      evidence: {
        'pods.txt': crashing,
        'gate.log': log('F0304 08:10:57.331207       5 launch.go:161] service gate/gate does not (yet) have ingress points'),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it may not read': {
      evidence: {
        'pods.txt': crashing,
        'gate.log': log(
          `${absent}\nE0304 08:10:57.331207       7 main.go:84] services "gate-controller" is forbidden: User "system:serviceaccount:gate:gate" cannot get resource "services"`,
        ),
      },
      by: 'forbidden',
    },
    'it runs': { evidence: { 'pods.txt': pods('1/1     Running            0             9m'), 'gate.log': log(absent) }, by: 'well' },
  },
  asks: { 'the state of the pod': { evidence: { 'paste.txt': `${absent}\n` }, for: 'pod-status' } },
});
