import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = `$ kubectl -n ingress get pods
NAME          READY   STATUS             RESTARTS      AGE
gate-9wq4k    0/1     CrashLoopBackOff   5 (61s ago)   4m
`;

const describe = `$ kubectl -n ingress describe pod gate-9wq4k
Name:           gate-9wq4k
Namespace:      ingress
Node:           worker-5/10.4.0.15
Status:         Running
IP:             10.4.0.15
Controlled By:  DaemonSet/gate
Containers:
  gate:
    Image:          registry.example/ingress/gate:1.4
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    1
    Ready:          False
    Restart Count:  5
QoS Class:       BestEffort
Events:          <none>
`;

const log = (text: string) => `$ kubectl -n ingress logs gate-9wq4k -c gate\n${text}\n`;
const place = 'container gate of DaemonSet ingress/gate';

const found = (text: string) => ({
  evidence: { 'describe.txt': describe, 'log.txt': log(text) },
  confidence: 'certain' as const,
  place,
  cites: ['log.txt:2', 'describe.txt:6'],
});

testCause(cause, {
  finds: {
    Go: found('2025/03/03 10:12:13 listen tcp 0.0.0.0:8443: bind: address already in use'),
    nginx: found('nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)'),
    Node: found('Error: listen EADDRINUSE: address already in use :::3000'),
    Python: found("ERROR:    [Errno 98] error while attempting to bind on address ('0.0.0.0', 8000): address already in use"),
    Spring: found('Web server failed to start. Port 8080 was already in use.'),
    'a plain listing and the log': {
      evidence: { 'pods.txt': listing, 'log.txt': log('java.net.BindException: Address already in use (Bind failed)') },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a healthy pod': {
      evidence: {
        'pods.txt': listing.replace('0/1     CrashLoopBackOff   5 (61s ago)   4m', '1/1     Running            0             4m'),
        'log.txt': log('WARN metrics: listen tcp :9090: bind: address already in use, metrics are off'),
      },
      by: 'well',
    },
    'the kubelet itself': {
      evidence: {
        'pods.txt': listing,
        'kubelet.log': `Mar 03 10:12:13 worker-5 kubelet[871]: E0303 10:12:13.120001     871 server.go:247] "Failed to listen and serve" err="listen tcp 0.0.0.0:10250: bind: address already in use"\n`,
      },
      by: 'ofDaemon',
    },
    'long over': {
      evidence: {
        'pods.txt': listing.replace('0/1     CrashLoopBackOff   5 (61s ago)   4m', '1/1     Running            5 (3d ago)    3d'),
        'log.txt': log('listen tcp :9090: bind: address already in use').replace(' -c gate', ' -c gate --previous'),
      },
      by: 'over',
    },
  },
  asks: {
    'how the pod is doing, with the log alone': {
      evidence: { 'log.txt': log('Error: listen EADDRINUSE: address already in use :::3000') },
      for: 'pod-status',
    },
  },
});
