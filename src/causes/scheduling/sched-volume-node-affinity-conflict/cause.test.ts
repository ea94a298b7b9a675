import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

function describePod(message: string, more = ''): string {
  return `Name:             journal-0
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
}

const zonal =
  '0/6 nodes are available: 2 node(s) were unschedulable, 4 node(s) had volume node affinity conflict. preemption: 0/6 nodes are available: 6 Preemption is not helpful for scheduling.';

testCause(cause, {
  finds: {
    'without the count of nodes': {
      evidence: { 'describe.txt': describePod('1 node(s) had volume node affinity conflict') },
      confidence: 'certain',
    },
    'zone without a free node': {
      evidence: { 'describe.txt': describePod(zonal) },
      confidence: 'probable',
      place: 'StatefulSet audit/journal',
      cites: ['describe.txt:17'],
      victims: 1,
    },
    'wording of 1.33': {
      evidence: { 'describe.txt': describePod("0/2 nodes are available: 2 node(s) didn't match PersistentVolume's node affinity.") },
      confidence: 'certain',
    },
    'by zone labels': {
      evidence: { 'describe.txt': describePod('0/2 nodes are available: 2 node(s) had no available volume zone.') },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'placed since': {
      evidence: {
        'describe.txt': describePod(
          zonal,
          '  Normal   Scheduled         4s                   default-scheduler  Successfully assigned audit/journal-0 to gamma-2\n',
        ),
      },
      by: 'placed',
    },
    'most nodes are full': {
      evidence: {
        'describe.txt': describePod('0/6 nodes are available: 1 node(s) had volume node affinity conflict, 5 Insufficient memory.'),
      },
      by: 'leading',
    },
  },
  asks: {
    'the claim': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON             OBJECT          MESSAGE
50s         Warning   FailedScheduling   pod/journal-0   0/3 nodes are available: 3 node(s) had volume node affinity conflict.
`,
      },
      for: 'pod.volume',
    },
  },
});

it('tells what keeps the nodes of the right zone out', async () => {
  const { incidents } = await diagnose([{ name: 'describe.txt', text: describePod(zonal) }], { causes: [cause] });
  expect(incidents[0]?.why).toContain('2 node(s) were unschedulable');
});
