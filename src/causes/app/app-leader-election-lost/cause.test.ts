import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = `Name:           snapshotter-7d9f8c6b5-x2k4p
Namespace:      storage
Node:           fir-5/10.4.0.15
Status:         Running
Controlled By:  ReplicaSet/snapshotter-7d9f8c6b5
Containers:
  snapshotter:
    Image:          registry.example/csi/snapshotter:6
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    1
    Ready:          False
    Restart Count:  31
Events:
  Type     Reason   Age               From     Message
  ----     ------   ----              ----     -------
  Warning  BackOff  9s (x9 over 2m)   kubelet  Back-off restarting failed container
`;
const log = (text: string) => `$ kubectl -n storage logs snapshotter-7d9f8c6b5-x2k4p -c snapshotter --previous\n${text}\n`;
const renewal = `E1102 08:01:07.447705       1 leaderelection.go:327] error retrieving resource lock storage/snapshot-leader: Get "https://10.96.0.1:443/apis/coordination.k8s.io/v1/namespaces/storage/leases/snapshot-leader": context deadline exceeded
I1102 08:01:12.447705       1 leaderelection.go:280] failed to renew lease storage/snapshot-leader: timed out waiting for the condition`;

testCause(cause, {
  finds: {
    'a CSI sidecar': {
      evidence: {
        'describe.txt': described,
        'log.txt': log(`${renewal}\nF1102 08:01:12.447705       1 leader_election.go:182] stopped leading`),
      },
      confidence: 'possible',
      cites: ['log.txt:3'],
    },
    'an operator': {
      evidence: {
        'describe.txt': described,
        'log.txt': log(
          `${renewal}\n{"level":"error","ts":"2026-11-02T08:01:12Z","logger":"setup","msg":"problem running manager","error":"leader election lost"}`,
        ),
      },
      confidence: 'certain',
      place: 'container snapshotter of Deployment storage/snapshotter',
      victims: 1,
    },
    'the controller manager, one line': {
      evidence: { 'paste.txt': 'F1102 08:01:12.447705       1 controllermanager.go:294] leaderelection lost\n' },
      confidence: 'probable',
    },
    'with etcd': {
      evidence: { 'describe.txt': described, 'log.txt': log('leader election lost\netcdserver: request timed out') },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a crash of its own': {
      evidence: { 'log.txt': log('panic: runtime error: invalid memory address or nil pointer dereference\nleader election lost') },
      by: 'panic',
    },
    well: {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                          READY   STATUS    RESTARTS   AGE\nstorage     snapshotter-7d9f8c6b5-x2k4p   1/1     Running   0          6m\n',
        'log.txt': log('leader election lost'),
      },
      by: 'well',
    },
    'long over': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                          READY   STATUS    RESTARTS     AGE\nstorage     snapshotter-7d9f8c6b5-x2k4p   1/1     Running   3 (7d ago)   9d\n',
        'log.txt': log('leader election lost'),
      },
      by: 'over',
    },
  },
  asks: { 'how the pod is': { evidence: { 'log.txt': log('leader election lost') }, for: 'pod-status' } },
});
