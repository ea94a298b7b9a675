import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describePod = (message: string, more = '') => `Name:             ring-84b6d9c7f-2hq8d
Namespace:        store
Node:             <none>
Status:           Pending
Controlled By:    ReplicaSet/ring-84b6d9c7f
Containers:
  ring:
    Image:      registry.example/ring:5
Events:
  Type     Reason            Age                From               Message
  ----     ------            ----               ----               -------
  Warning  FailedScheduling  31s (x4 over 9m)   default-scheduler  ${message}
${more}`;

const away =
  "0/4 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 3 node(s) didn't match pod anti-affinity rules. preemption: 0/4 nodes are available: 1 Preemption is not helpful for scheduling, 3 No preemption victims found for incoming pod.";

testCause(cause, {
  finds: {
    'nodes that are out for other reasons': {
      evidence: {
        'describe.txt': describePod("0/5 nodes are available: 2 Insufficient cpu, 3 node(s) didn't match pod anti-affinity rules."),
      },
      confidence: 'probable',
    },
    'one replica per node': {
      evidence: {
        'describe.txt': describePod(away),
        'deployments.txt':
          '$ kubectl -n store get deployments\nNAME   READY   UP-TO-DATE   AVAILABLE   AGE\nring   3/4     4            3           9m\n',
      },
      confidence: 'certain',
      place: 'Deployment store/ring',
      cites: ['describe.txt:12', 'deployments.txt:3'],
      victims: 1,
    },
    'nobody to be beside': {
      evidence: { 'describe.txt': describePod("0/2 nodes are available: 2 node(s) didn't match pod affinity rules.") },
      confidence: 'certain',
    },
    'pods that run object': {
      evidence: { 'describe.txt': describePod("0/2 nodes are available: 2 node(s) didn't satisfy existing pods anti-affinity rules.") },
      confidence: 'certain',
    },
    'wording of 1.18': {
      evidence: {
        'describe.txt': describePod(
          "0/2 nodes are available: 2 node(s) didn't match pod affinity/anti-affinity, 2 node(s) didn't satisfy existing pods anti-affinity rules.",
        ),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'placed since': {
      evidence: {
        'describe.txt': describePod(
          away,
          '  Normal   Scheduled         4s                 default-scheduler  Successfully assigned store/ring-84b6d9c7f-2hq8d to red-2\n',
        ),
      },
      by: 'placed',
    },
    'another reason holds back more nodes': {
      evidence: {
        'describe.txt': describePod("0/6 nodes are available: 1 node(s) didn't match pod anti-affinity rules, 5 Insufficient cpu."),
      },
      by: 'leading',
    },
  },
  asks: {
    'how many replicas run': { evidence: { 'describe.txt': describePod(away) }, for: 'workload' },
  },
});

it('says which of the rules it is', async () => {
  const title = async (message: string) =>
    (await diagnose([{ name: 'a.txt', text: describePod(message) }], { causes: [cause] })).incidents[0]?.title;
  expect(await title(away)).toBe('No node satisfies its pod anti-affinity for ring (3 of 4 nodes)');
  expect(await title("0/2 nodes are available: 2 node(s) didn't match pod affinity rules.")).toBe(
    'No node satisfies its pod affinity for ring (2 of 2 nodes)',
  );
  expect(
    await title(
      "0/3 nodes are available: 3 node(s) didn't match pod affinity/anti-affinity, 3 node(s) didn't satisfy existing pods anti-affinity rules.",
    ),
  ).toBe('No node satisfies its pod anti-affinity for ring (3 of 3 nodes)');
});
