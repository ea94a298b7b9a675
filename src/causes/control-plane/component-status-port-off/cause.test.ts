import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listed = `[root@birch ~]# kubectl get cs
Warning: v1 ComponentStatus is deprecated in v1.19+
NAME                 STATUS      MESSAGE                                                                                       ERROR
scheduler            Unhealthy   Get "http://127.0.0.1:10251/healthz": dial tcp 127.0.0.1:10251: connect: connection refused
controller-manager   Unhealthy   Get "http://127.0.0.1:10252/healthz": dial tcp 127.0.0.1:10252: connect: connection refused
etcd-0               Healthy     {"health":"true"}
`;

testCause(cause, {
  finds: { 'both are called unhealthy': { evidence: { 'terminal.txt': listed }, confidence: 'probable', cites: ['terminal.txt:4'] } },
  rulesOut: {
    'the scheduler crashes': {
      evidence: {
        'terminal.txt': `${listed}[root@birch ~]# kubectl get pods -n kube-system
NAME                   READY   STATUS             RESTARTS   AGE
kube-scheduler-birch   0/1     CrashLoopBackOff   12         40m
`,
      },
      by: 'scheduler',
    },
  },
  asks: { 'their pods': { evidence: { 'terminal.txt': listed }, for: 'pod.symptom' } },
});
