import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = (events: string) => `Name:           queue-0
Namespace:      mail
Node:           birch-1/10.3.0.11
Status:         Running
Controlled By:  StatefulSet/queue
Containers:
  broker:
    Image:          registry.example/mail/broker:2
    State:          Waiting
      Reason:       CrashLoopBackOff
    Ready:          False
    Restart Count:  6
Events:
  Type     Reason               Age               From     Message
  ----     ------               ----              ----     -------
  Normal   Started              40s               kubelet  Started container broker
${events}`;
const old =
  '  Warning  FailedPostStartHook  38s (x3 over 2m)  kubelet  Exec lifecycle hook ([/bin/sh -c /opt/join.sh]) for Container "broker" in Pod "queue-0_mail(0b7e4f6a-51c1-4a52-9f0e-0a8c1f6f2f11)" failed - error: command \'/bin/sh -c /opt/join.sh\' exited with 127: /bin/sh: /opt/join.sh: not found, message: "/bin/sh: /opt/join.sh: not found\\n"\n  Normal   Killing              38s (x3 over 2m)  kubelet  FailedPostStartHook\n';

testCause(cause, {
  finds: {
    'the hook before its end': {
      evidence: {
        'describe.txt': described(
          `${old.split('\n')[0]}\n`.replace('FailedPostStartHook', 'FailedPreStopHook').replaceAll('/opt/join.sh', '/opt/leave.sh'),
        ),
      },
      confidence: 'probable',
    },
    'a kubelet before 1.25': {
      evidence: { 'describe.txt': described(old) },
      confidence: 'certain',
      place: 'StatefulSet mail/queue',
      cites: ['describe.txt:17'],
      victims: 1,
    },
    'a current kubelet': {
      evidence: {
        'describe.txt': described(
          '  Warning  FailedPostStartHook  38s (x3 over 2m)  kubelet  PostStartHook failed\n  Normal   Killing              38s (x3 over 2m)  kubelet  FailedPostStartHook\n',
        ),
      },
      confidence: 'certain',
    },
    'the waiting reason of an object': {
      evidence: {
        'pod.json': JSON.stringify({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'queue-0', namespace: 'mail' },
          spec: { containers: [{ name: 'broker', image: 'registry.example/mail/broker:2' }] },
          status: {
            phase: 'Running',
            containerStatuses: [
              {
                name: 'broker',
                ready: false,
                restartCount: 3,
                state: { waiting: { reason: 'PostStartHookError', message: "command '/opt/join.sh' exited with 1: " } },
              },
            ],
          },
        }),
      },
      confidence: 'probable',
    },
    "the kubelet's journal": {
      evidence: {
        'kubelet.log': `Nov 02 08:01:12 birch-1 kubelet[911]: E1102 08:01:12.447705     911 pod_workers.go:1301] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"broker\\" with PostStartHookError: \\"command '/opt/join.sh' exited with 126: \\"" pod="mail/queue-0" podUID="0b7e4f6a-51c1-4a52-9f0e-0a8c1f6f2f11"\n`,
      },
      confidence: 'probable',
    },
    'a listing': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME      READY   STATUS               RESTARTS   AGE\nmail        queue-0   0/1     PostStartHookError   3          4m\n',
      },
      confidence: 'probable',
    },
    'a preStop hook': {
      evidence: {
        'events.txt': '  Warning  FailedPreStopHook  20s  kubelet  PreStopHook failed\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'killed by its probe': {
      evidence: {
        'describe.txt': described(
          `${old}  Normal   Killing              9s (x4 over 5m)   kubelet  Container broker failed liveness probe, will be restarted\n`,
        ),
      },
      by: 'byProbe',
    },
    'it runs well again': {
      evidence: {
        'pods.txt': 'NAMESPACE   NAME      READY   STATUS    RESTARTS   AGE\nmail        queue-0   1/1     Running   0          4m\n',
        'events.txt':
          'LAST SEEN   TYPE      REASON                OBJECT        MESSAGE\n50m         Warning   FailedPostStartHook   pod/queue-0   PostStartHook failed\n',
      },
      by: 'well',
    },
  },
  asks: {
    'what the kubelet saw': {
      evidence: { 'events.txt': '  Warning  FailedPreStopHook  20s  kubelet  PreStopHook failed\n' },
      for: 'kubelet-log',
    },
  },
});
