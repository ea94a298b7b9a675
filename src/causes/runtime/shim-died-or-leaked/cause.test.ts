import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  9m                 default-scheduler  Successfully assigned web/front-84b6c7d9f-p9x2v to pine-2
  Warning  Failed     9s (x31 over 5m)   kubelet            ${message}
`;
const found = (message: string) =>
  ({
    evidence: { 'events.txt': events(message) },
    confidence: 'certain',
    place: 'node pine-2',
    cites: ['events.txt:5'],
    victims: 1,
  }) as const;
const closed = 'Error: failed to create containerd task: failed to create shim task: ttrpc: closed: unknown';
const log = (rest: string) => `Jun 03 10:11:12 pine-2 containerd[880]: time="2024-06-03T10:11:12.309515034Z" ${rest}\n`;

testCause(cause, {
  finds: {
    'the connection is closed': found(closed),
    'its socket is gone': found(
      'Error: failed to create containerd task: failed to start shim: start failed: dial unix /run/containerd/s/6ce9d405aaae9dfae615: connect: connection refused: unknown',
    ),
    'two versions mixed': found(
      'Error: failed to create containerd task: failed to start shim: start failed: unsupported shim version (3): not implemented',
    ),
    'the sandbox is gone': found(
      'Error: failed to create containerd container: failed to get sandbox container task: no running task found: task 6ce9d405aaae9dfae615 not found: not found',
    ),
    'the sandbox is gone, Docker': found(
      'Error: Error response from daemon: cannot join network of a non running container: 6ce9d405aaae9dfae615',
    ),
    'the sandbox is gone, runc': found(
      'Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to create new parent process: namespace path: lstat /proc/4711/ns/ipc: no such file or directory: unknown',
    ),
    'the sandbox is gone before its network is set up': found(
      'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to set up sandbox container "0d1f" network for pod "cart": NetworkPlugin cni failed to set up pod "cart_shop" network: failed to Statfs "/proc/4711/ns/net": no such file or directory',
    ),
    'killed for memory': {
      evidence: {
        'events.txt': events(closed),
        'kernel.txt': `Jun 03 10:11:10 pine-2 kernel: Out of memory: Killed process 4711 (containerd-shim) total-vm:112000kB, anon-rss:9000kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:80kB oom_score_adj:-998
`,
      },
      confidence: 'certain',
      place: 'node pine-2',
    },
    'a container that ended unseen, and the log of it': {
      evidence: {
        'describe.txt': `Name:             front-0
Namespace:        web
Node:             pine-2/10.0.0.5
Controlled By:    StatefulSet/front
Containers:
  front:
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Unknown
      Exit Code:    255
    Ready:          False
    Restart Count:  3
`,
        'containerd.log':
          log('level=info msg="shim disconnected" id=6ce9d405aaae9dfae615') +
          log(
            'level=error msg="failed to handle container TaskExit event &TaskExit{ContainerID:6ce9d405,}" error="failed to stop container: context deadline exceeded"',
          ),
      },
      confidence: 'probable',
      place: 'node pine-2',
    },
  },
  rulesOut: {
    'no more processes': {
      evidence: {
        'events.txt': events(
          'Error: failed to create containerd task: failed to start shim: start failed: fork/exec /usr/bin/containerd-shim-runc-v2: resource temporarily unavailable: unknown',
        ),
      },
      by: 'noFork',
    },
    'another handler is not installed': {
      evidence: {
        'events.txt': events(
          'Error: failed to create containerd task: failed to start shim: failed to resolve runtime path: runtime "io.containerd.kata.v2" binary not installed "containerd-shim-kata-v2": file does not exist: unknown',
        ),
      },
      by: 'handlerBinary',
    },
  },
  asks: { 'the log of containerd': { evidence: { 'events.txt': events(closed) }, for: 'containerd-log' } },
});
