import type { Report } from '../../src/model/report.ts';
import { cite, pointer } from './cite.ts';
import { NODE_INCIDENT } from './node-incident.ts';
import { WORKLOAD_INCIDENT } from './workload-incident.ts';

const DESCRIBE = [
  'Events:',
  '  Type     Reason          Age                     From     Message',
  '  ----     ------          ----                    ----     -------',
  '  Normal   Killing         2m11s (x3 over 6m40s)   kubelet  Stopping container kube-proxy',
  '  Normal   SandboxChanged  2m10s (x4 over 6m41s)   kubelet  Pod sandbox changed, it will be killed and re-created.',
  '  Normal   Created         2m8s (x4 over 8m2s)     kubelet  Created container kube-proxy',
  '  Normal   Started         2m8s (x4 over 8m2s)     kubelet  Started container kube-proxy',
  '  Warning  BackOff         12s (x9 over 5m30s)     kubelet  Back-off restarting failed container kube-proxy in pod kube-proxy-x7k2m_kube-system(5f0c2a6e-1b1d-4c39-9d0e-6a1f3f1f7c10)',
];

const CONFIG = [
  '    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]',
  '      runtime_type = "io.containerd.runc.v2"',
  '      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]',
  '        SystemdCgroup = false',
];

const KUBELET = [
  'May 04 09:12:31 heron-2 kubelet[811]: I0504 09:12:31.100201     811 scope.go:117] "RemoveContainer" containerID="1f0c9d"',
  'May 04 09:12:31 heron-2 kubelet[811]: E0504 09:12:31.104410     811 pod_workers.go:1298] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"kube-proxy\\" with CrashLoopBackOff" pod="kube-system/kube-proxy-x7k2m"',
  'May 04 09:12:33 heron-2 kubelet[811]: E0504 09:12:33.220145     811 pod_workers.go:1298] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"flannel\\" with CrashLoopBackOff" pod="net/flannel-9dkqz"',
  'May 04 09:12:36 heron-2 kubelet[811]: E0504 09:12:36.871002     811 pod_workers.go:1298] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"provisioner\\" with CrashLoopBackOff" pod="default/nfs-provisioner-6f7d9c-jm4wt"',
];

export const FOUND: Report = {
  version: 1,
  tool: { name: 'podcause', version: '0.1.0' },
  verdict: 'found',
  incidents: [NODE_INCIDENT, WORKLOAD_INCIDENT],
  undecided: [
    {
      says: 'billing/invoice-0 waits for a volume; nothing given says why.',
      victims: [
        {
          id: 'Pod/billing/invoice-0',
          name: 'billing/invoice-0',
          symptoms: ['creating'],
          cited: [cite('pods.txt', 12, 'invoice-0   0/1   ContainerCreating   0   31m')],
        },
      ],
      open: [
        { cause: 'volume-in-use', name: 'volume still attached elsewhere' },
        { cause: 'csi-driver-missing', name: 'CSI driver not on the node' },
      ],
      asks: [
        {
          tells: 'what the volume waits for',
          command: 'kubectl -n billing describe pod invoice-0',
          where: 'anywhere',
          channel: 'pod-events',
          settles: ['volume-in-use', 'csi-driver-missing'],
        },
      ],
    },
  ],
  ruledOut: [
    {
      cause: 'disk-full',
      name: 'disk full',
      place: 'node heron-2',
      because: {
        says: 'DiskPressure is False',
        cited: [pointer('nodes.json', '/items/1/status/conditions/1', '"type": "DiskPressure", "status": "False"')],
        looked: [],
      },
    },
    {
      cause: 'kernel-oom',
      name: 'node out of memory',
      place: 'node heron-2',
      because: { says: 'no OOM line in the kernel log', cited: [], looked: ['kern.log:1-412'] },
    },
  ],
  history: [
    {
      says: 'restarted once 4 h ago, at the reboot of the node',
      about: 'kube-system/coredns-5d78c9869d-4w9rt',
      cited: [cite('pods.txt', 4, 'coredns-5d78c9869d-4w9rt   1/1   Running   1 (4h2m ago)   19d')],
    },
  ],
  coverage: {
    documents: 9,
    lines: 1214,
    bytes: 148_220,
    looked: [
      { channel: 'pod-status', about: 'Pod/kube-system/kube-proxy-x7k2m', extent: 'whole', docs: ['describe.txt', 'pods.txt'] },
      { channel: 'kubelet-log', about: 'Node/heron-2', extent: 'excerpt', docs: ['kubelet.log'] },
      { channel: 'containerd-config', about: 'Node/heron-2', extent: 'whole', docs: ['config.toml'] },
      { channel: 'node-events', about: 'Node/heron-2', extent: 'denied', docs: [] },
    ],
    pieces: [
      { doc: 'describe.txt', lines: [1, 38], what: 'kubectl describe pod' },
      { doc: 'kubelet.log', lines: [1, 50], what: 'kubelet journal' },
    ],
    unrecognised: [{ doc: 'notes.md', lines: [1, 9], bytes: 512, firstLine: 'what we tried so far' }],
    unread: [{ doc: 'core.1234', why: 'binary file', size: 41_000_000 }],
    pods: 48,
    nodes: 3,
    redactions: 2,
  },
  excerpts: [
    { doc: 'describe.txt', first: 31, lines: DESCRIBE },
    { doc: 'config.toml', first: 125, lines: CONFIG },
    { doc: 'kubelet.log', first: 2, lines: KUBELET },
    {
      doc: 'proxy.log',
      first: 11,
      lines: [
        'I0504 09:12:20.001201 1 config.go:319] "Starting node config controller"',
        'I0504 09:12:29.554100 1 server.go:722] "Received signal" signal="terminated"',
        'I0504 09:12:29.554980 1 server.go:730] "Exiting gracefully"',
      ],
    },
    {
      doc: 'kern.log',
      first: 2,
      lines: [
        '[81231.112] worker invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0',
        '[81231.119] Memory cgroup out of memory: Killed process 30412 (worker) total-vm:912340kB, anon-rss:261120kB',
      ],
    },
    {
      doc: 'pods.txt',
      first: 3,
      lines: [
        'NAME                       READY   STATUS    RESTARTS       AGE',
        'coredns-5d78c9869d-4w9rt   1/1   Running   1 (4h2m ago)   19d',
      ],
    },
    { doc: 'pods.txt', first: 12, lines: ['invoice-0   0/1   ContainerCreating   0   31m'] },
  ],
  failures: [{ cause: 'coredns-loop', message: 'clue seenTwice threw a TypeError' }],
  timings: { milliseconds: 112, lookups: 4120, facts: 812 },
};

export const HEALTHY: Report = {
  ...FOUND,
  verdict: 'healthy',
  incidents: [],
  undecided: [],
  failures: [],
  coverage: { ...FOUND.coverage, unrecognised: [], unread: [] },
  excerpts: FOUND.excerpts.slice(5, 6),
};

export const UNDECIDED: Report = {
  ...FOUND,
  verdict: 'undecided',
  incidents: [],
  undecided: FOUND.undecided.map((one) => ({
    ...one,
    asks: [
      ...one.asks,
      {
        tells: 'whether the volume is attached to another node',
        command: 'kubectl get volumeattachments',
        where: 'anywhere',
        channel: 'objects',
        settles: ['volume-in-use'],
      },
    ],
  })),
  excerpts: FOUND.excerpts.slice(5),
};
