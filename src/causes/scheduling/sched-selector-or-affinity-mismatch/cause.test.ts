import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

function describePod(message: string, more = ''): string {
  return `Name:             indexer-6f7c8d9b5d-m4x8q
Namespace:        search
Node:             <none>
Status:           Pending
Controlled By:    ReplicaSet/indexer-6f7c8d9b5d
Containers:
  indexer:
    Image:      registry.example/indexer:2
Node-Selectors:              disktype=nvme
Tolerations:                 node.kubernetes.io/not-ready:NoExecute op=Exists for 300s
Events:
  Type     Reason            Age   From               Message
  ----     ------            ----  ----               -------
  Warning  FailedScheduling  29s   default-scheduler  ${message}
${more}`;
}

const newWording =
  "0/6 nodes are available: 1 node(s) had untolerated taint {team: search}, 5 node(s) didn't match Pod's node affinity/selector. preemption: 0/6 nodes are available: 1 No preemption victims found for incoming pod, 5 Preemption is not helpful for scheduling.";

testCause(cause, {
  finds: {
    'most nodes lack the label': {
      evidence: { 'describe.txt': describePod(newWording) },
      confidence: 'probable',
      place: 'Deployment search/indexer',
      cites: ['describe.txt:14', 'describe.txt:9'],
      victims: 1,
    },
    'wording of 1.19': {
      evidence: { 'describe.txt': describePod("0/3 nodes are available: 3 node(s) didn't match node selector.") },
      confidence: 'certain',
    },
    'wording of 1.20': {
      evidence: {
        'describe.txt': describePod(
          "0/3 nodes are available: 1 node(s) had taint {node-role.kubernetes.io/master: }, that the pod didn't tolerate, 2 node(s) didn't match Pod's node affinity.",
        ),
      },
      confidence: 'certain',
    },
    'wording of 1.8': {
      evidence: {
        'describe.txt': describePod(
          'No nodes are available that match all of the following predicates:: MatchNodeSelector (3), PodToleratesNodeTaints (1).',
        ),
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'placed after a node was labelled': {
      evidence: {
        'describe.txt': describePod(
          newWording,
          '  Normal   Scheduled         5s    default-scheduler  Successfully assigned search/indexer-6f7c8d9b5d-m4x8q to fast-1\n',
        ),
      },
      by: 'placed',
    },
    'running and ready now': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON             OBJECT                         MESSAGE
34m         Warning   FailedScheduling   pod/indexer-6f7c8d9b5d-m4x8q   0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.
`,
        'pods.txt': `$ kubectl get pods -n search
NAME                       READY   STATUS    RESTARTS   AGE
indexer-6f7c8d9b5d-m4x8q   1/1     Running   0          40m
`,
      },
      by: 'pending',
    },
  },
  asks: {
    'the selector of the pod': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON             OBJECT                         MESSAGE
4m          Warning   FailedScheduling   pod/indexer-6f7c8d9b5d-m4x8q   0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.
`,
      },
      for: 'pod.scheduling',
    },
  },
});

it('names selector and numbers in its title', async () => {
  const { incidents } = await diagnose([{ name: 'describe.txt', text: describePod(newWording) }], { causes: [cause] });
  expect(incidents[0]?.title).toBe('No node matches the nodeSelector disktype=nvme of indexer (5 of 6 nodes)');
});

it('leaves it to the reason that holds back most nodes', async () => {
  const text = describePod("0/6 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 5 Insufficient cpu.");
  const { incidents } = await diagnose([{ name: 'describe.txt', text }], { causes: [cause] });
  expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
});
