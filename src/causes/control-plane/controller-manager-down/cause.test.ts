import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (text: string) => `$ kubectl -n kube-system logs kube-controller-manager-cp-1\n${text}\n`;
const pods =
  '$ kubectl -n kube-system get pods\nNAME                           READY   STATUS             RESTARTS        AGE\nkube-controller-manager-cp-1   0/1     CrashLoopBackOff   14 (2m1s ago)   51d\n';
const flag = 'Error: unknown flag: --pod-eviction-timeout';

testCause(cause, {
  finds: {
    'a CA it does not find, in the journal': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 cp-1 kube-controller-manager[938]: E0304 08:10:57.118402     938 controllermanager.go:558] Failed to start certificate controller: open /etc/kubernetes/ca/ca.pem: no such file or directory\n',
      },
      confidence: 'certain',
    },
    'a folder it may not make': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 cp-1 kube-controller-manager[938]: error creating self-signed certificates: mkdir /var/run/kubernetes: permission denied\nMar 04 08:10:57 cp-1 systemd[1]: kube-controller-manager.service: Main process exited, code=exited, status=1/FAILURE\n',
      },
      confidence: 'certain',
    },
    'a removed flag': {
      evidence: { 'kcm.log': log(flag), 'pods.txt': pods },
      confidence: 'certain',
      place: 'pod kube-system/kube-controller-manager-cp-1',
      cites: ['kcm.log:2', 'pods.txt:3'],
      victims: 1,
    },
    'its last words': {
      evidence: {
        'kcm.log': log(
          'E0304 08:10:57.118402       1 run.go:74] "command failed" err="failed to initialize: open /etc/kubernetes/pki/ca.key: no such file or directory"',
        ),
      },
      confidence: 'certain',
    },
    'a node with a foreign pod CIDR': {
      evidence: {
        'kcm.log': log(
          'F0304 08:10:57.118402       1 controllermanager.go:250] error running controllers: failed to mark cidr[192.168.4.0/24] at idx [0] as occupied for node: birch: cidr 192.168.4.0/24 is out the range of cluster cidr 10.244.0.0/16',
        ),
      },
      confidence: 'certain',
    },
    'it may not take its lease': {
      evidence: {
        'kcm.log': log(
          'E0304 08:10:57.118402       1 leaderelection.go:330] error retrieving resource lock kube-system/kube-controller-manager: leases.coordination.k8s.io "kube-controller-manager" is forbidden: User "system:anonymous" cannot get resource "leases"',
        ),
      },
      confidence: 'possible',
    },
    'component status': {
      evidence: {
        'terminal.txt':
          '$ kubectl get cs\nNAME                 STATUS      MESSAGE                                                                                       ERROR\ncontroller-manager   Unhealthy   Get "http://127.0.0.1:10252/healthz": dial tcp 127.0.0.1:10252: connect: connection refused\nscheduler            Healthy     ok\n',
      },
      confidence: 'possible',
    },
    'only its pod': { evidence: { 'pods.txt': pods }, confidence: 'possible' },
  },
  rulesOut: {
    'it worked, and lost its lease': {
      evidence: {
        'pods.txt': pods,
        'own.log': log(
          'I0304 08:20:32.118402       1 leaderelection.go:260] successfully acquired lease kube-system/kube-controller-manager\nI0304 08:20:47.118402       1 leaderelection.go:287] failed to renew lease kube-system/kube-controller-manager: timed out waiting for the condition\nF0304 08:20:47.118402       1 server.go:264] leaderelection lost',
        ),
      },
      by: 'lostLease',
    },
  },
  asks: { 'its log': { evidence: { 'pods.txt': pods }, for: 'control-plane-log' } },
});
