import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = `Name:           index-0
Namespace:      search
Node:           fir-5/10.4.0.15
Status:         Running
Controlled By:  StatefulSet/index
Containers:
  index:
    Image:          registry.example/search/index:8
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    78
    Ready:          False
    Restart Count:  5
Events:
  Type     Reason   Age               From     Message
  ----     ------   ----              ----     -------
  Warning  BackOff  9s (x9 over 2m)   kubelet  Back-off restarting failed container
`;
const log = (text: string) => `$ kubectl -n search logs index-0 -c index --previous\n${text}\n`;
const check =
  'bootstrap check failure [1] of [1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]';

testCause(cause, {
  finds: {
    Elasticsearch: {
      evidence: { 'describe.txt': described, 'log.txt': log(check) },
      confidence: 'certain',
      place: 'container index of StatefulSet search/index',
      cites: ['log.txt:2'],
      victims: 1,
    },
    'an older release, and a script that may not set it': {
      evidence: {
        'log.txt': log(
          "sysctl: error setting key 'vm.max_map_count': Read-only file system\n[1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]",
        ),
      },
      confidence: 'probable',
    },
    threads: {
      evidence: { 'log.txt': log('[2]: max number of threads [1024] for user [elasticsearch] is too low, increase to at least [4096]') },
      confidence: 'probable',
    },
  },
  rulesOut: {
    well: {
      evidence: {
        'pods.txt': 'NAMESPACE   NAME      READY   STATUS    RESTARTS   AGE\nsearch      index-0   1/1     Running   0          6m\n',
        'log.txt': log(check),
      },
      by: 'well',
    },
    'long over': {
      evidence: {
        'pods.txt': 'NAMESPACE   NAME      READY   STATUS    RESTARTS     AGE\nsearch      index-0   1/1     Running   3 (7d ago)   9d\n',
        'log.txt': log(check),
      },
      by: 'over',
    },
  },
  asks: { 'how the pod is': { evidence: { 'log.txt': log(check) }, for: 'pod-status' } },
});
