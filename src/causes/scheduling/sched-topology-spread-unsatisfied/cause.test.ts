import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describePod = (message: string, more = '') => `Name:             ledger-84b6d9c7f-2hq8d
Namespace:        bank
Node:             <none>
Status:           Pending
Controlled By:    ReplicaSet/ledger-84b6d9c7f
Containers:
  ledger:
    Image:      registry.example/ledger:5
Events:
  Type     Reason            Age                From               Message
  ----     ------            ----               ----               -------
  Warning  FailedScheduling  31s (x4 over 9m)   default-scheduler  ${message}
${more}`;
const uneven =
  "0/5 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 4 node(s) didn't match pod topology spread constraints. preemption: 0/5 nodes are available: 1 Preemption is not helpful for scheduling, 4 No preemption victims found for incoming pod.";

testCause(cause, {
  finds: {
    'nodes that are out for other reasons': {
      evidence: {
        'describe.txt': describePod("0/5 nodes are available: 2 Insufficient cpu, 3 node(s) didn't match pod topology spread constraints."),
      },
      confidence: 'probable',
    },
    uneven: {
      evidence: {
        'describe.txt': describePod(uneven),
        'deployments.txt':
          '$ kubectl -n bank get deployments\nNAME     READY   UP-TO-DATE   AVAILABLE   AGE\nledger   3/4     4            3           9m\n',
      },
      confidence: 'certain',
      place: 'Deployment bank/ledger',
      cites: ['describe.txt:12', 'deployments.txt:3'],
      victims: 1,
    },
    'nodes without the label': {
      evidence: {
        'describe.txt': describePod(
          "0/3 nodes are available: 3 node(s) didn't match pod topology spread constraints (missing required label).",
        ),
      },
      confidence: 'certain',
    },
    'one line': {
      evidence: { 'paste.txt': "0/3 nodes are available: 3 node(s) didn't match pod topology spread constraints.\n" },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'placed since': {
      evidence: {
        'describe.txt': describePod(
          uneven,
          '  Normal   Scheduled         4s                 default-scheduler  Successfully assigned bank/ledger-84b6d9c7f-2hq8d to red-2\n',
        ),
      },
      by: 'placed',
    },
    'another reason holds back more nodes': {
      evidence: {
        'describe.txt': describePod("0/6 nodes are available: 1 node(s) didn't match pod topology spread constraints, 5 Insufficient cpu."),
      },
      by: 'leading',
    },
  },
  asks: { 'how many replicas run': { evidence: { 'describe.txt': describePod(uneven) }, for: 'workload' } },
});
