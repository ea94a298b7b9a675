import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = (status: string) => `$ kubectl -n shop get pods
NAME                     READY   STATUS             RESTARTS      AGE
ledger-6d8f7c9b5d-4xk2v   ${status}   4m
`;
const CRASHING = '0/1     CrashLoopBackOff   5 (61s ago)';
const log = (words: string) => `$ kubectl -n shop logs ledger-6d8f7c9b5d-4xk2v\n${words}\n`;
const initdb =
  'Data page checksums are disabled.\n\ninitdb: error: directory "/var/lib/postgresql/data" exists but is not empty\ninitdb: detail: It contains a lost+found directory, perhaps due to it being a mount point.';

testCause(cause, {
  finds: {
    'a folder taken for data': {
      evidence: {
        'pods.txt': pods(CRASHING),
        'ledger.log': log(
          "[2026-03-04 08:10:57,604] ERROR Fatal error during startup. Found directory /var/lib/ledger/data/lost+found, 'lost+found' is not in the form of topic-partition",
        ),
      },
      confidence: 'certain',
    },
    'a fresh volume': {
      evidence: { 'pods.txt': pods(CRASHING), 'ledger.log': log(initdb) },
      confidence: 'certain',
      cites: ['ledger.log:4'],
    },
    'the log alone': { evidence: { 'ledger.log': log(initdb) }, confidence: 'probable' },
    'another database': {
      evidence: {
        'pods.txt': pods(CRASHING),
        'ledger.log': log(
          '2026-03-04T08:10:57.604Z 0 [ERROR] [MY-010457] [Server] --initialize specified but the data directory has files in it. Aborting.',
        ),
      },
      confidence: 'certain',
    },
    'with its claim': {
      evidence: {
        'pods.txt': pods(CRASHING),
        'ledger.log': log(initdb),
        'pod.yaml':
          'apiVersion: v1\nkind: Pod\nmetadata:\n  name: ledger-6d8f7c9b5d-4xk2v\n  namespace: shop\nspec:\n  containers:\n  - name: ledger\n    image: ledger:1\n  volumes:\n  - name: data\n    persistentVolumeClaim:\n      claimName: ledger-data\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it runs by now': { evidence: { 'pods.txt': pods('1/1     Running            0            '), 'ledger.log': log(initdb) }, by: 'well' },
  },
  asks: {
    'the log of the container': {
      evidence: { 'paste.txt': 'initdb: detail: It contains a lost+found directory, perhaps due to it being a mount point.\n' },
      for: 'container-log',
    },
  },
});
