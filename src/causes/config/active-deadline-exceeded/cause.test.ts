import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pod = `Name:           reindex-x7k2p
Namespace:      search
Node:           oak-2/10.1.0.12
Status:         Failed
Reason:         DeadlineExceeded
Message:        Pod was active on the node longer than the specified deadline
Controlled By:  Job/reindex
Containers:
  run:
    Image:      registry.example/search/reindex:7
Events:
  Type    Reason            Age   From     Message
  ----    ------            ----  ----     -------
  Normal  Killing           4m    kubelet  Stopping container run
  Normal  DeadlineExceeded  4m    kubelet  Pod was active on the node longer than the specified deadline
`;
const job = `$ kubectl -n search describe job reindex
Name:             reindex
Namespace:        search
Completions:      1
Pods Statuses:    0 Active / 0 Succeeded / 1 Failed
Events:
  Type     Reason            Age   From            Message
  ----     ------            ----  ----            -------
  Normal   SuccessfulCreate  15m   job-controller  Created pod: reindex-x7k2p
  Warning  DeadlineExceeded  5m    job-controller  Job was active longer than specified deadline
`;

testCause(cause, {
  finds: {
    'the pod': {
      evidence: { 'describe.txt': pod },
      confidence: 'certain',
      place: 'Job search/reindex',
      cites: ['describe.txt:6'],
      victims: 1,
    },
    'the Job': { evidence: { 'job.txt': job }, confidence: 'certain', place: 'Job search/reindex', cites: ['job.txt:10'] },
    'a listing': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME            READY   STATUS             RESTARTS   AGE\nsearch      reindex-x7k2p   0/1     DeadlineExceeded   0          14m\n',
      },
      confidence: 'certain',
    },
    'a Job object, with helm waiting for it': {
      evidence: {
        'job.yaml': `apiVersion: batch/v1
kind: Job
metadata:
  name: reindex
  namespace: search
spec:
  activeDeadlineSeconds: 600
  template:
    spec:
      containers:
        - name: run
          image: registry.example/search/reindex:7
status:
  failed: 1
  conditions:
    - type: Failed
      status: "True"
      reason: DeadlineExceeded
      message: Job was active longer than specified deadline
`,
      },
      confidence: 'certain',
    },
    helm: {
      evidence: {
        'paste.txt':
          'Error: UPGRADE FAILED: pre-upgrade hooks failed: job failed: DeadlineExceeded\nError: failed pre-install: timed out waiting for the condition\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a rollout that does not get on': {
      evidence: {
        'paste.txt':
          'error: deployment "web" exceeded its progress deadline\nPod was active on the node longer than the specified deadline\n',
      },
      by: 'rollout',
    },
  },
  asks: {
    'what the workload says': { evidence: { 'describe.txt': pod }, for: 'workload' },
  },
});
