import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = (code: number) => `Name:           store-0
Namespace:      data
Node:           pine-4/10.9.0.14
Status:         Running
Controlled By:  StatefulSet/store
Containers:
  store:
    Image:          registry.example/data/store:3
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    ${code}
    Ready:          False
    Restart Count:  4
Events:
  Type     Reason   Age               From     Message
  ----     ------   ----              ----     -------
  Warning  BackOff  9s (x9 over 2m)   kubelet  Back-off restarting failed container
`;
const log = (text: string) => `$ kubectl -n data logs store-0 -c store --previous\n${text}\n`;
const place = 'container store of StatefulSet data/store';

testCause(cause, {
  finds: {
    PostgreSQL: {
      evidence: {
        'describe.txt': described(1),
        'log.txt': log('ERROR:  could not resize shared memory segment "/PostgreSQL.1804289383" to 8388608 bytes: No space left on device'),
      },
      confidence: 'certain',
      place,
      cites: ['log.txt:2'],
      victims: 1,
    },
    PyTorch: {
      evidence: {
        'log.txt': log(
          "RuntimeError: DataLoader worker (pid 213) is killed by signal: Bus error. It is possible that dataloader's workers are out of shared memory. Please try to raise your shared memory limit.",
        ),
      },
      confidence: 'probable',
    },
    NCCL: {
      evidence: {
        'log.txt': log(
          'node-0:45:112 [0] misc/shmutils.cc:72 NCCL WARN Error: failed to extend /dev/shm/nccl-4bXq: posix_fallocate failed: No space left on device',
        ),
      },
      confidence: 'probable',
    },
    'no huge pages on the nodes': {
      evidence: {
        'events.txt':
          '  Warning  FailedScheduling  31s (x4 over 9m)   default-scheduler  0/3 nodes are available: 3 Insufficient hugepages-2Mi.\n',
      },
      confidence: 'probable',
    },
    DPDK: {
      evidence: { 'log.txt': log('EAL: No free hugepages reported in hugepages-1048576kB\nEAL: FATAL: Cannot get hugepage information.') },
      confidence: 'probable',
    },
    'a bus error, and the disk in memory is full': {
      evidence: {
        'describe.txt': described(135),
        'log.txt': log(
          'Bus error (core dumped)\nshm              64M   64M     0 100% /dev/shm\nwrite /dev/shm/segment: No space left on device',
        ),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'killed for memory': {
      evidence: {
        'describe.txt': described(135),
        'kernel.log': 'Nov 02 08:01:12 pine-4 kernel: store: Cannot allocate memory; Killed process 4711 (store)\n',
      },
      by: 'offHugePages',
    },
    well: {
      evidence: {
        'pods.txt': 'NAMESPACE   NAME      READY   STATUS    RESTARTS   AGE\ndata        store-0   1/1     Running   0          6m\n',
        'log.txt': log('ERROR:  could not resize shared memory segment "/PostgreSQL.1804289383" to 8388608 bytes: No space left on device'),
      },
      by: 'well',
    },
    'long over': {
      evidence: {
        'pods.txt': 'NAMESPACE   NAME      READY   STATUS    RESTARTS     AGE\ndata        store-0   1/1     Running   3 (7d ago)   9d\n',
        'log.txt': log('Bus error (core dumped)'),
      },
      by: 'over',
    },
  },
  asks: { 'its log': { evidence: { 'describe.txt': described(135) }, for: 'container-log' } },
});
