import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (text: string) => `$ kubectl -n kube-system logs kube-scheduler-cp-1\n${text}\n`;
const pods =
  '$ kubectl -n kube-system get pods\nNAME                  READY   STATUS             RESTARTS        AGE\nkube-scheduler-cp-1   0/1     CrashLoopBackOff   14 (2m1s ago)   51d\n';
const crictl = `$ crictl ps -a
CONTAINER           IMAGE               CREATED             STATE               NAME                ATTEMPT             POD ID              POD                    NAMESPACE
3f2a1b9c8d7e6       c42f13656d0b2       2 minutes ago       Exited              kube-scheduler      12                  9a8b7c6d5e4f3       kube-scheduler-cp-1    kube-system
`;
const flag = 'Error: unknown flag: --port';

testCause(cause, {
  finds: {
    'a flag that only it had, without its name': {
      evidence: { 'paste.txt': 'Error: unknown flag: --policy-config-file\n' },
      confidence: 'certain',
    },
    'a removed flag': {
      evidence: { 'scheduler.log': log(flag), 'pods.txt': pods },
      confidence: 'certain',
      place: 'the cluster',
      cites: ['scheduler.log:2', 'pods.txt:3'],
    },
    'its kubeconfig, in a log of no name': {
      evidence: {
        'log.txt':
          'E0304 08:10:57.118402       1 run.go:74] "command failed" err="failed to get delegated authentication kubeconfig: failed to get delegated authentication kubeconfig: stat /etc/kubernetes/scheduler.conf: no such file or directory"\n',
      },
      confidence: 'certain',
    },
    'its configuration': {
      evidence: {
        'scheduler.log': log(
          'E0304 08:10:57.118402       1 run.go:74] "command failed" err="no kind \\"KubeSchedulerConfiguration\\" is registered for version \\"kubescheduler.config.k8s.io/v1beta1\\" in scheme \\"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme/scheme.go:30\\""',
        ),
      },
      confidence: 'certain',
    },
    'exited, and its pod is down': { evidence: { 'crictl.txt': crictl, 'pods.txt': pods }, confidence: 'probable' },
    'it may not take its lease': {
      evidence: {
        'scheduler.log': log(
          'E0304 08:10:57.118402       1 leaderelection.go:330] error retrieving resource lock kube-system/kube-scheduler: leases.coordination.k8s.io "kube-scheduler" is forbidden: User "system:anonymous" cannot get resource "leases"',
        ),
      },
      confidence: 'possible',
    },
    'component status': {
      evidence: {
        'terminal.txt':
          '$ kubectl get cs\nNAME                 STATUS      MESSAGE                                                                                       ERROR\nscheduler            Unhealthy   Get "http://127.0.0.1:10251/healthz": dial tcp 127.0.0.1:10251: connect: connection refused\ncontroller-manager   Healthy     ok\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it worked, and lost its lease': {
      evidence: {
        'pods.txt': pods,
        'own.log': log(
          'I0304 08:20:32.118402       1 leaderelection.go:260] successfully acquired lease kube-system/kube-scheduler\nI0304 08:20:47.118402       1 leaderelection.go:287] failed to renew lease kube-system/kube-scheduler: timed out waiting for the condition\nF0304 08:20:47.118402       1 server.go:264] leaderelection lost',
        ),
      },
      by: 'lostLease',
    },
  },
  asks: { 'its log': { evidence: { 'pods.txt': pods }, for: 'control-plane-log' } },
});
