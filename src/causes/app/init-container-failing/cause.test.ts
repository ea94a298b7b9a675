import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describePod = (state: string, status = 'Pending') => `$ kubectl -n pay describe pod bill-6b7c8d9f54-x4kzq
Name:           bill-6b7c8d9f54-x4kzq
Namespace:      pay
Node:           worker-5/10.4.0.15
Status:         ${status}
Controlled By:  ReplicaSet/bill-6b7c8d9f54
Init Containers:
  migrate:
    Image:          registry.example/pay/migrate:1.4
${state}
    Ready:          False
    Restart Count:  4
Containers:
  bill:
    Image:          registry.example/pay/bill:1.4
    State:          Waiting
      Reason:       PodInitializing
    Ready:          False
    Restart Count:  0
QoS Class:       BestEffort
Events:          <none>
`;
const ended = (reason: string, code: number) => `    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       ${reason}
      Exit Code:    ${code}
      Started:      Mon, 03 Mar 2025 10:12:13 +0000
      Finished:     Mon, 03 Mar 2025 10:12:15 +0000`;
const failing = describePod(ended('Error', 3));
const log =
  '$ kubectl -n pay logs bill-6b7c8d9f54-x4kzq -c migrate --previous\napplying 0007_totals\nERROR: relation "totals" already exists\n';
const listing =
  '$ kubectl -n pay get pods\nNAME                     READY   STATUS                  RESTARTS      AGE\nbill-6b7c8d9f54-x4kzq    0/1     Init:CrashLoopBackOff   4 (61s ago)   4m\n';

testCause(cause, {
  finds: {
    'its state and its log': {
      evidence: { 'describe.txt': failing, 'log.txt': log },
      confidence: 'probable',
      place: 'Deployment pay/bill',
      cites: ['describe.txt:14', 'log.txt:3'],
      victims: 1,
    },
    'the state alone': { evidence: { 'describe.txt': failing }, confidence: 'possible', place: 'Deployment pay/bill' },
    'a listing and the log': { evidence: { 'pods.txt': listing, 'log.txt': log }, confidence: 'possible', place: 'Deployment pay/bill' },
  },
  rulesOut: {
    'killed for memory': { evidence: { 'describe.txt': describePod(ended('OOMKilled', 137)) }, by: 'oom' },
    'the runtime cannot start it': { evidence: { 'describe.txt': describePod(ended('StartError', 128)) }, by: 'notStarted' },
    'it still runs': {
      evidence: {
        'pods.txt': listing.replace('Init:CrashLoopBackOff', 'Init:0/1             '),
        'describe.txt': describePod(
          '    State:          Running\n      Started:      Mon, 03 Mar 2025 10:12:13 +0000\n    Last State:     Terminated\n      Reason:       Error\n      Exit Code:    3',
        ),
      },
      by: 'waits',
    },
    'it failed once, the pod runs since': {
      evidence: {
        'pods.txt':
          '$ kubectl -n pay get pods\nNAME                     READY   STATUS    RESTARTS   AGE\nbill-6b7c8d9f54-x4kzq    1/1     Running   0          3d\n',
        'state.txt': describePod(
          '    State:          Terminated\n      Reason:       Completed\n      Exit Code:    0\n    Last State:     Terminated\n      Reason:       Error\n      Exit Code:    3',
          'Running',
        )
          .replace('Waiting\n      Reason:       PodInitializing', 'Running\n      Started:      Mon, 03 Mar 2025 10:13:15 +0000')
          .replaceAll('Ready:          False', 'Ready:          True'),
      },
      by: 'well',
    },
  },
  asks: {
    'the log of the init container': { evidence: { 'describe.txt': failing }, for: 'container-log' },
  },
});

describe('the words of init-container-failing', () => {
  it('names the init container, its exit code and its last words', async () => {
    const { incidents } = await diagnose(
      [
        { name: 'describe.txt', text: failing },
        { name: 'log.txt', text: log },
      ],
      { causes: [cause] },
    );
    expect(incidents[0]?.title).toBe('Init container migrate fails (exit code 3): ERROR: relation "totals" already exists');
  });
});
