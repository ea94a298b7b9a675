import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (status: string) => `$ kubectl -n shop get pods
NAME       READY   STATUS             RESTARTS      AGE
ledger-0   ${status}   4m
`;
const log = (words: string) => `$ kubectl -n shop logs ledger-0\n${words}\n`;
const crashing = (words: string) => ({ 'pods.txt': pods('0/1     CrashLoopBackOff   5 (61s ago)'), 'ledger.log': log(words) });
const link =
  '2026-03-04 08:10:57.365 GMT [28] FATAL:  could not link file "pg_wal/xlogtemp.28" to "pg_wal/000000010000000000000001": Operation not permitted';

testCause(cause, {
  finds: {
    'no hard links': { evidence: crashing(link), confidence: 'certain' },
    'no fsync': {
      evidence: crashing('2026-03-04 08:10:57.365 GMT [28] PANIC:  could not fsync file "pg_notify/0000": Invalid argument'),
      confidence: 'certain',
    },
    'no locks': {
      evidence: crashing('2026-03-04T08:10:57.921Z 1 [ERROR] [MY-012574] [InnoDB] Unable to lock ./ibdata1 error: 37'),
      confidence: 'certain',
    },
    'with its volume': {
      evidence: {
        ...crashing(link),
        'pod.yaml':
          'apiVersion: v1\nkind: Pod\nmetadata:\n  name: ledger-0\n  namespace: shop\nspec:\n  containers:\n  - name: ledger\n    image: ledger:1\n  volumes:\n  - name: data\n    nfs:\n      server: stor.example\n      path: /srv/ledger\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it runs by now': { evidence: { 'pods.txt': pods('1/1     Running            0            '), 'ledger.log': log(link) }, by: 'well' },
  },
  asks: { 'what the pod mounts': { evidence: crashing(link), for: 'pod.volume' } },
});
