import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  5m                 default-scheduler  Successfully assigned load/worker-84b6c7d9f-p9x2v to fig-8
  Warning  Failed     3m (x4 over 5m)    kubelet            Failed to pull image "registry.example.net/load/worker:2": ${message}
  Warning  Failed     3m (x4 over 5m)    kubelet            Error: ErrImagePull
  Normal   BackOff    5s (x21 over 5m)   kubelet            Back-off pulling image "registry.example.net/load/worker:2"
`;
const pods = (state: string) => `NAMESPACE   NAME                     READY   STATUS    RESTARTS   AGE   IP       NODE
load        worker-84b6c7d9f-p9x2v   ${state}   0          7m    <none>   fig-8
load        worker-84b6c7d9f-z4k7c   ${state}   0          7m    <none>   fig-8
`;

testCause(cause, {
  finds: {
    'the event': {
      evidence: { 'events.txt': events('pull QPS exceeded') },
      confidence: 'certain',
      place: 'node fig-8',
      cites: ['events.txt:5'],
      victims: 1,
    },
    'two pods of the node': {
      evidence: { 'pods.txt': pods('0/1     ImagePullBackOff'), 'events.txt': events('pull QPS exceeded.') },
      confidence: 'certain',
      place: 'node fig-8',
      victims: 2,
    },
  },
  rulesOut: {
    'the registry throttles': {
      evidence: {
        'events.txt': events(
          'rpc error: code = Unknown desc = Error response from daemon: toomanyrequests: You have reached your pull rate limit.',
        ),
      },
      by: 'failed',
    },
    'over by now': {
      evidence: {
        'pods.txt': pods('1/1     Running'),
        'events.txt': `${events('pull QPS exceeded')}  Normal   Pulled     2s                 kubelet            Successfully pulled image "registry.example.net/load/worker:2" in 3.1s\n  Normal   Started    1s                 kubelet            Started container worker\n`,
      },
      by: 'stuck',
    },
  },
  asks: { 'a listing alone': { evidence: { 'pods.txt': pods('0/1     ImagePullBackOff') }, for: 'pod-events' } },
});
