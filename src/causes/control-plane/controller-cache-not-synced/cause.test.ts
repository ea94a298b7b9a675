import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (status: string) => `$ kubectl -n ops get pods
NAME                       READY   STATUS             RESTARTS      AGE
keeper-7c9d8b6f5d-x2v4q    ${status}   14m
`;
const log = (words: string) => `$ kubectl -n ops logs keeper-7c9d8b6f5d-x2v4q\n${words}\n`;
const words =
  '2026-03-04T08:10:57Z\tERROR\tCould not wait for Cache to sync\t{"controller": "orchard", "error": "failed to wait for orchard caches to sync: timed out waiting for cache to be synced for Kind *v1.Orchard"}';

testCause(cause, {
  finds: {
    'again and again': {
      evidence: { 'pods.txt': pods('0/1     CrashLoopBackOff   5 (61s ago)'), 'keeper.log': log(words) },
      confidence: 'probable',
    },
    'the log alone, in older words': {
      evidence: {
        'keeper.log':
          'level=error ts=2026-03-04T08:10:57Z msg="problem running manager" err="failed to wait for node caches to sync: timed out waiting for cache to be synced"\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it runs by now': { evidence: { 'pods.txt': pods('1/1     Running            0            '), 'keeper.log': log(words) }, by: 'well' },
  },
  asks: {
    'how the pod is doing': { evidence: { 'keeper.log': log(words) }, for: 'pod-status' },
  },
});
