import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = `Name:           search-6d5f8b9c7-kx2vq
Namespace:      shop
Node:           pine-4/10.9.0.14
Status:         Running
Controlled By:  ReplicaSet/search-6d5f8b9c7
Containers:
  search:
    Image:          registry.example/shop/search:3
    State:          Running
      Started:      Mon, 02 Nov 2026 08:00:00 +0000
    Ready:          False
    Restart Count:  7
    Limits:
      cpu:     100m
Conditions:
  Type              Status
  Ready             False
Events:
  Type     Reason     Age                From     Message
  ----     ------     ----               ----     -------
  Normal   Killing    3s (x7 over 10m)   kubelet  Container search failed liveness probe, will be restarted
  Warning  Unhealthy  3s (x60 over 10m)  kubelet  Liveness probe failed: Get "http://10.1.2.3:8080/live": context deadline exceeded (Client.Timeout exceeded while awaiting headers)
`;
const log = (text: string) => `$ kubectl -n shop logs search-6d5f8b9c7-kx2vq -c search\n${text}\n`;

testCause(cause, {
  finds: {
    'threads starve and probes time out': {
      evidence: {
        'describe.txt': described,
        'log.txt': log('2026-11-02 08:00:31 WARN HikariPool-1 - Thread starvation or clock leap detected (housekeeper delta=58s).'),
      },
      confidence: 'probable',
      place: 'Deployment shop/search',
      cites: ['log.txt:2'],
    },
    'the cgroup counts': {
      evidence: { 'describe.txt': described, 'stat.txt': log('nr_periods 22110\nnr_throttled 20984\nthrottled_usec 1690558421') },
      confidence: 'probable',
    },
    'the alert': {
      evidence: {
        'describe.txt': described,
        'alert.txt': log('CPUThrottlingHigh: 87.5% throttling of CPU in namespace shop for container search in pod search-6d5f8b9c7-kx2vq'),
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'the node hangs': {
      evidence: {
        'describe.txt': described,
        'kernel.log': 'Nov 02 08:01:12 pine-4 kernel: watchdog: BUG: soft lockup - CPU#3 stuck for 23s! [java:4711]\n',
      },
      by: 'nodeBusy',
    },
    well: {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                     READY   STATUS    RESTARTS   AGE\nshop        search-6d5f8b9c7-kx2vq   1/1     Running   0          6m\n',
        'log.txt': log('Thread starvation or clock leap detected (housekeeper delta=58s).'),
      },
      by: 'well',
    },
  },
  asks: { 'the counters of the cgroup': { evidence: { 'describe.txt': described }, for: 'cgroup-paths' } },
});
