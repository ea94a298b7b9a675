import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describe = `$ kubectl -n logs describe pod shipper-x7k2q
Name:           shipper-x7k2q
Namespace:      logs
Node:           worker-5/10.4.0.15
Status:         Running
Controlled By:  DaemonSet/shipper
Containers:
  shipper:
    Image:          registry.example/shipper:3
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    1
    Ready:          False
    Restart Count:  5
Events:          <none>
`;
const log = (text: string) => `$ kubectl -n logs logs shipper-x7k2q -c shipper --previous\n${text}\n`;
const finds = (text: string) => ({
  evidence: { 'describe.txt': describe, 'log.txt': log(text) },
  confidence: 'certain' as const,
  place: 'node worker-5',
  cites: ['log.txt:2'],
  victims: 1,
});

testCause(cause, {
  finds: {
    'a Go program': finds(
      'level=error caller=main.go:55 msg="error creating shipper" error="failed to make file target manager: failed to create fsnotify watcher: too many open files"',
    ),
    'bare inotify': finds('inotifyd: inotify_init: Too many open files'),
    '.NET': finds(
      'Unhandled exception. System.IO.IOException: The configured user limit (128) on the number of inotify instances has been reached, or the per-process limit on the number of open file descriptors has been reached.',
    ),
    'node.js': finds("Error: ENOSPC: System limit for number of file watchers reached, watch '/app/src'"),
    'a watch': finds('inotifyd: add watch (/data) failed: No space left on device'),
    'the kubelet': {
      evidence: {
        'kubelet.log':
          'Nov 02 08:01:12 worker-5 kubelet[911]: E1102 08:01:12.447705     911 kubelet.go:1480] "Failed to start cAdvisor" err="inotify_add_watch /sys/fs/cgroup/kubepods.slice: no space left on device"\n',
      },
      confidence: 'probable',
      place: 'node worker-5',
    },
  },
  rulesOut: {
    'it polls instead': {
      evidence: {
        'describe.txt': describe,
        'log.txt': log('tail: inotify cannot be used, reverting to polling: Too many open files\ninotify_init: too many open files'),
      },
      by: 'polling',
    },
    'the disk is full': {
      evidence: {
        'describe.txt': describe,
        'log.txt': log('write /data/position.yaml: no space left on device\ninotify_add_watch /data: no space left on device'),
      },
      by: 'diskFull',
    },
    'it runs well': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME            READY   STATUS    RESTARTS   AGE\nlogs        shipper-x7k2q   1/1     Running   0          3d\n',
        'log.txt': log('failed to create fsnotify watcher: too many open files'),
      },
      by: 'well',
    },
  },
  asks: {
    'how the pod is': { evidence: { 'log.txt': log('failed to create fsnotify watcher: too many open files') }, for: 'pod-status' },
  },
});
