import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

function describePod(message: string, more = ''): string {
  return `Name:             mailer-84b7d6c5f9-zk4wd
Namespace:        crm
Node:             <none>
Status:           Pending
Controlled By:    ReplicaSet/mailer-84b7d6c5f9
Containers:
  mailer:
    Image:      registry.example/mailer:7
Events:
  Type     Reason            Age                  From               Message
  ----     ------            ----                 ----               -------
  Warning  FailedScheduling  58s (x3 over 7m40s)  default-scheduler  ${message}
${more}`;
}

const cordoned =
  '0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable. preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.';
const nodes = `$ kubectl get nodes
NAME      STATUS                     ROLES    AGE   VERSION
alpha-1   Ready                      <none>   90d   v1.31.2
alpha-2   Ready,SchedulingDisabled   <none>   90d   v1.31.2
alpha-3   Ready,SchedulingDisabled   <none>   90d   v1.31.2
`;
const describeNode = `Name:               alpha-2
Roles:              <none>
Taints:             node.kubernetes.io/unschedulable:NoSchedule
Unschedulable:      true
`;

testCause(cause, {
  finds: {
    'all nodes': {
      evidence: {
        'describe.txt': describePod(
          '0/3 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 2 node(s) were unschedulable.',
        ),
      },
      confidence: 'certain',
    },
    'two of three nodes cordoned': {
      evidence: { 'describe.txt': describePod(cordoned), 'nodes.txt': nodes },
      confidence: 'probable',
      place: 'the cluster',
      cites: ['describe.txt:12', 'nodes.txt:4'],
      victims: 1,
    },
    'one describe stands for all that wait': {
      evidence: {
        'describe.txt': describePod(cordoned),
        'pods.txt': `$ kubectl get pods -n crm
NAME                      READY   STATUS    RESTARTS   AGE
mailer-84b7d6c5f9-zk4wd   0/1     Pending   0          8m
portal-5c6d7f8b9d-2xv5q   0/1     Pending   0          8m
`,
      },
      confidence: 'probable',
      victims: 2,
    },
    'as a taint': {
      evidence: {
        'describe.txt': describePod('0/1 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/unschedulable: }.'),
        'node.txt': describeNode,
      },
      confidence: 'certain',
      cites: ['node.txt:3'],
    },
  },
  rulesOut: {
    'uncordoned since': {
      evidence: {
        'describe.txt': describePod(
          cordoned,
          '  Normal   Scheduled         9s                   default-scheduler  Successfully assigned crm/mailer-84b7d6c5f9-zk4wd to alpha-2\n',
        ),
      },
      by: 'placed',
    },
    'one cordoned node among many full ones': {
      evidence: {
        'describe.txt': describePod('0/9 nodes are available: 1 node(s) were unschedulable, 8 Insufficient memory.'),
        'nodes.txt': nodes,
      },
      by: 'otherReason',
    },
    'nothing waits any more': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON             OBJECT                        MESSAGE
41m         Warning   FailedScheduling   pod/mailer-84b7d6c5f9-zk4wd   0/2 nodes are available: 2 node(s) were unschedulable.
`,
        'pods.txt': `$ kubectl get pods -n crm
NAME                      READY   STATUS    RESTARTS   AGE
mailer-84b7d6c5f9-zk4wd   1/1     Running   0          45m
`,
      },
      by: 'pending',
    },
  },
  asks: {
    'which nodes': { evidence: { 'describe.txt': describePod(cordoned) }, for: 'node.status' },
  },
});
