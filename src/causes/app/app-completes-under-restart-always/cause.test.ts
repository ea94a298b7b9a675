import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describe = (
  more: { last?: string; events?: string; state?: string; status?: string; command?: string } = {},
) => `Name:           tool-7b6c8d9f54-x4kzq
Namespace:      lab
Node:           worker-5/10.4.0.15
Status:         ${more.status ?? 'Running'}
Controlled By:  ReplicaSet/tool-7b6c8d9f54
Containers:
  tool:
    Image:          registry.example/lab/tool:1.4
    Command:
      ${more.command ?? '/bin/bash'}
    State:          ${more.state ?? 'Waiting\n      Reason:       CrashLoopBackOff'}
    Last State:     Terminated
${more.last ?? '      Reason:       Completed\n      Exit Code:    0'}
      Started:      Mon, 03 Mar 2025 10:12:13 +0000
      Finished:     Mon, 03 Mar 2025 10:12:14 +0000
    Ready:          False
    Restart Count:  5
QoS Class:       BestEffort
Events:
  Type     Reason     Age                  From               Message
  ----     ------     ----                 ----               -------
  Normal   Scheduled  2m40s                default-scheduler  Successfully assigned lab/tool-7b6c8d9f54-x4kzq to worker-5
  Normal   Started    61s (x5 over 2m39s)  kubelet            Started container tool
${more.events ?? '  Warning  BackOff    9s (x12 over 2m37s)  kubelet            Back-off restarting failed container tool in pod tool-7b6c8d9f54-x4kzq_lab(7c8fd1b1-5a8a-4f35-9b1e-0c7b9a2a7d15)\n'}`;

const job = `apiVersion: v1
kind: Pod
metadata:
  name: nightly-28-x4kzq
  namespace: lab
  ownerReferences:
  - apiVersion: batch/v1
    kind: Job
    name: nightly-28
spec:
  restartPolicy: RESTART
  containers:
  - name: nightly
    image: registry.example/lab/nightly:1
status:
  phase: PHASE
  containerStatuses:
  - name: nightly
    ready: false
    restartCount: 0
    state:
      STATE
`;
const place = 'container tool of Deployment lab/tool';

testCause(cause, {
  finds: {
    'a few lines of a describe': {
      evidence: {
        'paste.txt': '    Last State:     Terminated\n      Reason:       Completed\n      Exit Code:    0\n    Restart Count:  9\n',
      },
      confidence: 'possible',
    },
    'a bare shell in a Deployment': {
      evidence: { 'describe.txt': describe() },
      confidence: 'certain',
      place,
      cites: ['describe.txt:14', 'describe.txt:8'],
      victims: 1,
    },
    'its log ends well': {
      evidence: {
        'describe.txt': describe({ command: 'run-import' }),
        'log.txt': '$ kubectl -n lab logs tool-7b6c8d9f54-x4kzq -c tool --previous\nimported 12 rows\ndone\n',
      },
      confidence: 'certain',
      place,
      cites: ['log.txt:3'],
    },
    'without the events': {
      evidence: { 'describe.txt': describe().replace(/Events:[\s\S]*/, '') },
      confidence: 'probable',
      place,
    },
  },
  rulesOut: {
    'stopped by the kubelet': {
      evidence: {
        'describe.txt': describe({ events: '  Normal   Killing    9s (x5 over 2m37s)  kubelet            Stopping container tool\n' }),
      },
      by: 'killed',
    },
    'the whole pod is stopped': {
      evidence: {
        'describe.txt': describe({
          events:
            '  Normal   SandboxChanged  9s (x5 over 2m37s)  kubelet            Pod sandbox changed, it will be killed and re-created.\n  Normal   Killing    9s (x5 over 2m37s)  kubelet            Stopping container tool\n',
        }),
      },
      by: 'killed',
    },
    'a container that fails': {
      evidence: { 'describe.txt': describe({ state: 'Terminated\n      Reason:       Error\n      Exit Code:    1' }) },
      by: 'failed',
    },
    'a job that has finished': {
      evidence: {
        'job.yaml': job
          .replace('RESTART', 'Never')
          .replace('PHASE', 'Succeeded')
          .replace('STATE', 'terminated:\n        exitCode: 0\n        reason: Completed'),
      },
      by: 'policy',
    },
    'a job without its policy in sight': {
      evidence: {
        'job.yaml': job
          .replace('  restartPolicy: RESTART\n', '')
          .replace('PHASE', 'Succeeded')
          .replace('STATE', 'terminated:\n        exitCode: 0\n        reason: Completed'),
      },
      by: 'loop',
    },
    'long over': {
      evidence: {
        'describe.txt': describe({ state: 'Running\n      Started:      Mon, 03 Mar 2025 10:12:15 +0000', events: '' })
          .replace('Ready:          False', 'Ready:          True')
          .replace('Restart Count:  5', 'Restart Count:  1'),
      },
      by: 'loop',
    },
  },
  asks: {
    'the events': { evidence: { 'describe.txt': describe().replace(/Events:[\s\S]*/, '') }, for: 'pod-events' },
  },
});
