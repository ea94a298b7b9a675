import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

function describePod(message: string, more = ''): string {
  return `Name:             ledger-7c9d8b6f5c-q8x2z
Namespace:        billing
Node:             <none>
Status:           Pending
Controlled By:    ReplicaSet/ledger-7c9d8b6f5c
Containers:
  ledger:
    Image:      registry.example/ledger:4.1
    Requests:
      cpu:        6
      memory:     8Gi
Conditions:
  Type           Status
  PodScheduled   False
Events:
  Type     Reason            Age                  From               Message
  ----     ------            ----                 ----               -------
  Warning  FailedScheduling  40s (x5 over 9m12s)  default-scheduler  ${message}
${more}`;
}

const workersFull =
  '0/4 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 3 Insufficient cpu. preemption: 0/4 nodes are available: 1 Preemption is not helpful for scheduling, 3 No preemption victims found for incoming pod.';
const schedulerLog =
  'I0611 08:14:02.113094       1 schedule_one.go:867] "Unable to schedule pod; no fit; waiting" pod="billing/ledger-7c9d8b6f5c-q8x2z" err="0/3 nodes are available: 3 Insufficient example.com/fpga. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod."\n';

testCause(cause, {
  finds: {
    'all nodes, one of them also full of pods': {
      evidence: { 'describe.txt': describePod('0/3 nodes are available: 1 Too many pods, 3 Insufficient cpu.') },
      confidence: 'certain',
    },
    'nodes that are out for other reasons': {
      evidence: {
        'describe.txt': describePod('0/5 nodes are available: 2 node(s) had untolerated taint {dedicated: batch}, 3 Insufficient cpu.'),
      },
      confidence: 'probable',
    },
    'workers full, control plane tainted as usual': {
      evidence: { 'describe.txt': describePod(workersFull) },
      confidence: 'certain',
      place: 'Deployment billing/ledger',
      cites: ['describe.txt:18'],
      victims: 1,
    },
    'one worker among three control planes': {
      evidence: {
        'describe.txt': describePod(
          '0/4 nodes are available: 1 Insufficient memory, 3 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }.',
        ),
      },
      confidence: 'certain',
    },
    'wording of 1.18 in a listing of events': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON              OBJECT                        MESSAGE
2m1s        Warning   FailedScheduling    pod/ledger-7c9d8b6f5c-q8x2z   0/3 nodes are available: 1 node(s) had taint {node-role.kubernetes.io/master: }, that the pod didn't tolerate, 2 Insufficient cpu, 2 Insufficient memory.
2m1s        Normal    NotTriggerScaleUp   pod/ledger-7c9d8b6f5c-q8x2z   pod didn't trigger scale-up: 1 max node group size reached
`,
      },
      confidence: 'certain',
      cites: ['events.txt:2', 'events.txt:3'],
    },
    'wording of 1.8': {
      evidence: {
        'describe.txt': describePod(
          'No nodes are available that match all of the predicates: Insufficient cpu (2), PodToleratesNodeTaints (1).',
        ),
      },
      confidence: 'probable',
    },
    'the log of the scheduler alone': { evidence: { 'scheduler.log': schedulerLog }, confidence: 'possible' },
  },
  rulesOut: {
    'refused at first, placed since': {
      evidence: {
        'describe.txt': describePod(
          workersFull,
          '  Normal   Scheduled         30s                  default-scheduler  Successfully assigned billing/ledger-7c9d8b6f5c-q8x2z to worker-2\n',
        ),
      },
      by: 'placed',
    },
    'running and ready now': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON              OBJECT                        MESSAGE
22m         Warning   FailedScheduling    pod/ledger-7c9d8b6f5c-q8x2z   0/3 nodes are available: 3 Insufficient cpu.
`,
        'pods.txt': `$ kubectl get pods -n billing
NAME                      READY   STATUS    RESTARTS   AGE
ledger-7c9d8b6f5c-q8x2z   1/1     Running   0          31m
`,
      },
      by: 'pending',
    },
  },
  asks: {
    'the state of the pod': { evidence: { 'scheduler.log': schedulerLog }, for: 'pod-events' },
  },
});

it('leaves it to the reason that holds back most nodes', async () => {
  const text = describePod('0/9 nodes are available: 1 Insufficient cpu, 8 Too many pods.');
  const { incidents } = await diagnose([{ name: 'describe.txt', text }], { causes: [cause] });
  expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
});

it('names resource and numbers in its title', async () => {
  const { incidents } = await diagnose([{ name: 'describe.txt', text: describePod(workersFull) }], { causes: [cause] });
  expect(incidents[0]?.title).toBe('No node has enough free cpu for ledger: Insufficient cpu on 3 of 4 nodes');
});

it('stands before a selector that other nodes do not match', async () => {
  const text = describePod("0/9 nodes are available: 1 Insufficient cpu, 8 node(s) didn't match Pod's node affinity/selector.");
  const { incidents } = await diagnose([{ name: 'describe.txt', text }], { causes: [cause] });
  expect(incidents.map((incident) => incident.cause)).toContain(cause.id);
});
