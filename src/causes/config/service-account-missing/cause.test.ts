import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describe = (replicas: string, message: string) => `Name:           scanner-6f7d8c9b5
Namespace:      audit
Selector:       app=scanner,pod-template-hash=6f7d8c9b5
Controlled By:  Deployment/scanner
Replicas:       ${replicas}
Events:
  Type     Reason        Age                 From                   Message
  ----     ------        ----                ----                   -------
  Warning  FailedCreate  30s (x14 over 3m)   replicaset-controller  Error creating: pods "scanner-6f7d8c9b5-" is forbidden: ${message}
`;
const notFound = 'error looking up service account audit/scanner: serviceaccount "scanner" not found';
const listed = `LAST SEEN   TYPE      REASON         OBJECT                         MESSAGE
30s         Warning   FailedCreate   replicaset/scanner-6f7d8c9b5   Error creating: pods "scanner-6f7d8c9b5-" is forbidden: ${notFound}
`;

testCause(cause, {
  finds: {
    'the ReplicaSet cannot create pods': {
      evidence: { 'describe.txt': describe('0 current / 2 desired', notFound) },
      confidence: 'certain',
      cites: ['describe.txt:9'],
    },
    'a listing of events': { evidence: { 'events.txt': listed }, confidence: 'probable', cites: ['events.txt:2'] },
    'deleted under its pods': {
      evidence: {
        'events.txt': `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    4m                default-scheduler  Successfully assigned audit/scanner-6f7d8c9b5-k2v9x to onyx-1
  Warning  FailedMount  9s (x12 over 4m)  kubelet            MountVolume.SetUp failed for volume "kube-api-access-8xk2p" : failed to fetch token: serviceaccounts "scanner" not found
`,
      },
      confidence: 'probable',
      place: 'Deployment audit/scanner',
      victims: 1,
    },
  },
  rulesOut: {
    'a quota': {
      evidence: {
        'describe.txt': `${describe('0 current / 2 desired', notFound)}  Warning  FailedCreate  10s  replicaset-controller  Error creating: pods "scanner-6f7d8c9b5-x" is forbidden: exceeded quota: small, requested: pods=1, used: pods=4, limited: pods=4\n`,
      },
      by: 'other',
    },
    'created since': {
      evidence: {
        'describe.txt': describe('2 current / 2 desired', notFound),
        'rs.txt':
          'NAMESPACE   NAME                                DESIRED   CURRENT   READY   AGE\naudit       replicaset.apps/scanner-6f7d8c9b5   2         2         2       5m\n',
      },
      by: 'allThere',
    },
  },
  asks: { 'how many replicas there are': { evidence: { 'events.txt': listed }, for: 'workload' } },
});
