import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE         NAME                        READY   STATUS             RESTARTS       AGE
longhorn-system   longhorn-manager-7m2kx      0/1     CrashLoopBackOff   12 (70s ago)   58m
longhorn-system   longhorn-manager-9q4wz      0/1     CrashLoopBackOff   12 (55s ago)   58m
longhorn-system   longhorn-ui-5f8c8d9b7-z2k4b 1/1     Running            0              58m
`;
const command = '$ kubectl -n longhorn-system logs longhorn-manager-7m2kx\n';
const fatal =
  'time="2025-05-01T10:02:00Z" level=fatal msg="Error starting webhooks: admission webhook service is not accessible on cluster after 2m0s sec: timed out waiting for endpoint https://longhorn-admission-webhook.longhorn-system.svc:9502/v1/healthz to be available" func=main.main.DaemonCmd.func3 file="daemon.go:105"\n';
const tries =
  'time="2025-05-01T10:00:05Z" level=warning msg="Failed to check endpoint https://longhorn-conversion-webhook.longhorn-system.svc:9501/v1/healthz" func=webhook.isServiceAvailable file="webhook.go:78" error="Get \\"https://longhorn-conversion-webhook.longhorn-system.svc:9501/v1/healthz\\": context deadline exceeded"\n';

testCause(cause, {
  finds: {
    'a recent manager': {
      evidence: { 'pods.txt': pods, 'log.txt': command + fatal },
      confidence: 'certain',
      place: 'namespace longhorn-system',
      cites: ['log.txt:2'],
      victims: 2,
    },
    'the older words': {
      evidence: {
        'pods.txt': pods,
        'log.txt': `${command}time="2023-05-01T10:02:00Z" level=fatal msg="Error starting manager: conversion webhook service is not accessible after 60 sec"\n`,
      },
      confidence: 'certain',
    },
    'it still tries': {
      evidence: { 'pods.txt': pods, 'log.txt': command + tries },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'the host lacks iscsiadm': {
      evidence: {
        'pods.txt': pods,
        'log.txt': command + fatal,
        'other.txt':
          '$ kubectl -n longhorn-system logs longhorn-manager-9q4wz\ntime="2025-05-01T10:00:00Z" level=fatal msg="Error starting manager: failed to check environment, please make sure you have iscsiadm/open-iscsi installed on the host: nsenter: failed to execute iscsiadm: No such file or directory"\n',
      },
      by: 'noIscsi',
    },
  },
  asks: {
    'the log of a manager': {
      evidence: { 'pods.txt': pods, 'log.txt': command.replace('\n', ' --tail=1\n') + tries },
      for: 'container-log',
    },
  },
});
