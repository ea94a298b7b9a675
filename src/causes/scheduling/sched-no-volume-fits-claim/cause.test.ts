import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describePod = (message: string, more = '') => `Name:             journal-0
Namespace:        audit
Node:             <none>
Status:           Pending
Controlled By:    StatefulSet/journal
Containers:
  journal:
    Image:      registry.example/journal:1
Volumes:
  data:
    Type:       PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)
    ClaimName:  data-journal-0
    ReadOnly:   false
Events:
  Type     Reason            Age                  From               Message
  ----     ------            ----                 ----               -------
  Warning  FailedScheduling  12s (x6 over 6m2s)   default-scheduler  ${message}
${more}`;
const NONE = "0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind.";
const events = (message: string) =>
  `$ kubectl -n audit get events\nLAST SEEN   TYPE      REASON             OBJECT          MESSAGE\n12s         Warning   FailedScheduling   pod/journal-0   ${message}\n`;

testCause(cause, {
  finds: {
    'no local volume left': {
      evidence: { 'describe.txt': describePod(NONE) },
      confidence: 'certain',
      place: 'StatefulSet audit/journal',
      cites: ['describe.txt:17'],
      victims: 1,
    },
    'beside a control plane': {
      evidence: {
        'describe.txt': describePod(
          "0/3 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 2 node(s) didn't find available persistent volumes to bind. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
        ),
      },
      confidence: 'certain',
    },
    'beside nodes that are full': {
      evidence: {
        'describe.txt': describePod(
          "0/5 nodes are available: 2 Insufficient memory, 3 node(s) didn't find available persistent volumes to bind.",
        ),
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'placed since': {
      evidence: {
        'describe.txt': describePod(
          NONE,
          '  Normal   Scheduled         4s                   default-scheduler  Successfully assigned audit/journal-0 to gamma-2\n',
        ),
      },
      by: 'placed',
    },
    'most nodes are full': {
      evidence: {
        'describe.txt': describePod(
          "0/6 nodes are available: 1 node(s) didn't find available persistent volumes to bind, 5 Insufficient memory.",
        ),
      },
      by: 'leading',
    },
  },
  asks: {
    'the description of the pod': { evidence: { 'events.txt': events(NONE) }, for: 'pod-spec' },
  },
});
