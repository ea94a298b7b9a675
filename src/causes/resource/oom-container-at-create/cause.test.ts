import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = (message: string, limit = '') => `Name:           mailer-6d5f8b9c7-kx2vq
Namespace:      shop
Node:           pine-4/10.9.0.14
Status:         Running
Controlled By:  ReplicaSet/mailer-6d5f8b9c7
Containers:
  mailer:
    Image:          registry.example/shop/mailer:3
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       StartError
      Exit Code:    128
    Ready:          False
    Restart Count:  4
${limit}Events:
  Type     Reason  Age               From     Message
  ----     ------  ----              ----     -------
  Warning  Failed  3s (x6 over 4m)   kubelet  Error: ${message}
`;
const place = 'Deployment shop/mailer';

testCause(cause, {
  finds: {
    'current runc': {
      evidence: {
        'describe.txt': described(
          'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: container init was OOM-killed (memory limit too low?): unknown',
          '    Limits:\n      memory:  2Mi\n',
        ),
      },
      confidence: 'certain',
      place,
      cites: ['describe.txt:21'],
      victims: 1,
    },
    'CRI-O, one line': {
      evidence: { 'paste.txt': 'Error: set memory limit 134217 too low; should be at least 12582912\n' },
      confidence: 'probable',
    },
    Docker: {
      evidence: { 'describe.txt': described('Error response from daemon: Minimum memory limit allowed is 6MB') },
      confidence: 'certain',
    },
    'older runc': {
      evidence: {
        'describe.txt': described(
          'failed to start container "mailer": Error response from daemon: OCI runtime create failed: container_linux.go:380: starting container process caused: process_linux.go:402: getting the final child\'s pid from pipe caused: EOF: unknown',
        ),
        'kernel.log':
          'Nov 02 08:01:12 pine-4 kernel: Memory cgroup out of memory: Killed process 4711 (runc:[2:INIT]) total-vm:1100000kB\n',
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'no user namespaces': {
      evidence: {
        'describe.txt': described(
          "process_linux.go:402: getting the final child's pid from pipe caused: EOF: user namespaces are not enabled in /proc/sys/user/max_user_namespaces",
        ),
      },
      by: 'namespaces',
    },
    'well by now': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                     READY   STATUS    RESTARTS   AGE\nshop        mailer-6d5f8b9c7-kx2vq   1/1     Running   0          6m\n',
        'events.txt':
          'NAMESPACE   LAST SEEN   TYPE      REASON   OBJECT                       MESSAGE\nshop        5m          Warning   Failed   pod/mailer-6d5f8b9c7-kx2vq   Error: container init was OOM-killed (memory limit too low?)\n',
      },
      by: 'well',
    },
  },
  asks: {
    'the limit': { evidence: { 'paste.txt': 'container init was OOM-killed (memory limit too low?)\n' }, for: 'container.memory-limit' },
  },
});
