import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const journal = (...lines: readonly string[]) =>
  lines.map((words, at) => `Mar 04 08:10:${String(10 + at)} worker-3 containerd[812]: ${words}\n`).join('');
const panic = 'panic: assertion failed: Page expected to be: 41, but self identifies as 7305437148953469184';

testCause(cause, {
  finds: {
    'it reads nonsense': {
      evidence: {
        'terminal.txt': `[root@birch ~]# containerd
panic: runtime error: slice bounds out of range [::2407710372] with length 2147483647

goroutine 24 [running]:
go.etcd.io/bbolt.unsafeByteSlice(...)
`,
      },
      confidence: 'possible',
    },
    'its state does not fit together': {
      evidence: {
        'paste.txt':
          'time="2025-03-04T08:10:57.118273Z" level=fatal msg="Failed to run CRI service" error="failed to recover state: failed to reserve sandbox name \\"coredns-1_kube-system_01c1_3\\": name \\"coredns-1_kube-system_01c1_3\\" is reserved for \\"4c1f0e8b7e3f\\""\n',
      },
      confidence: 'certain',
    },
    'a panic at the start of containerd': {
      evidence: { 'containerd.log': journal(panic, 'goroutine 12 [running]:', 'go.etcd.io/bbolt._assert(...)') },
      confidence: 'certain',
      cites: ['containerd.log:1'],
    },
    'the list of free pages, below Docker': {
      evidence: {
        'docker.log':
          'Mar 04 08:10:12 worker-3 dockerd[812]: panic: freepages: failed to get all reachable pages (page 41: multiple references)\nMar 04 08:10:13 worker-3 dockerd[812]: time="2026-03-04T08:10:13Z" level=error msg="containerd did not exit successfully" error="signal: aborted (core dumped)" module=libcontainerd\n',
      },
      confidence: 'certain',
    },
    'a file that cannot be opened': {
      evidence: {
        'containerd.log': journal(
          'time="2026-03-04T08:10:12Z" level=warning msg="failed to load plugin io.containerd.metadata.v1.bolt" error="/var/lib/containerd/io.containerd.metadata.v1.bolt/meta.db: invalid database"',
        ),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it came up since': {
      evidence: {
        'containerd.log': journal(panic, 'time="2026-03-04T08:12:12Z" level=info msg="containerd successfully booted in 0.2s"'),
      },
      by: 'cameUp',
    },
    'etcd with its own': {
      evidence: {
        'paste.txt': `${journal(panic)}\n{"level":"info","caller":"etcdmain/etcd.go:117","msg":"server has been already initialized","data-dir":"/var/lib/etcd"}\n`,
      },
      by: 'etcd',
    },
  },
  asks: {
    'the journal of the runtime': {
      evidence: {
        'docker.log':
          'Mar 04 08:10:13 worker-3 dockerd[812]: time="2026-03-04T08:10:13Z" level=error msg="containerd did not exit successfully" error="signal: aborted (core dumped)" module=libcontainerd\n',
      },
      for: 'containerd-log',
    },
  },
});
