import type { Report } from '../../src/model/report.ts';
import { ask, cite, incident, reason, report, told, victim } from './build.ts';

const SYNC_ERROR =
  'Mar 03 04:11:27 worker-2 kubelet[1187]: E0303 04:11:27.301554    1187 pod_workers.go:1298] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"kube-proxy\\" with CrashLoopBackOff: \\"back-off 5m0s restarting failed container=kube-proxy pod=kube-proxy-7xk2m_kube-system(1f0c)\\"" pod="kube-system/kube-proxy-7xk2m"';

export const cgroupReport: Report = report({
  verdict: 'found',
  incidents: [
    incident({
      number: 1,
      cause: 'cgroup-driver-mismatch',
      area: 'runtime',
      title: 'kubelet and containerd disagree on the cgroup driver',
      why: 'systemd takes the cgroups away that containerd made on its own, so the kubelet finds the sandbox changed and stops the pod. Nothing logs an error, because nobody sees one.',
      place: 'node worker-2',
      placeId: 'Node/worker-2',
      confidence: 'probable',
      victims: [
        victim(
          'kube-system',
          'kube-proxy-7xk2m',
          'crash-loop',
          [cite('pods.txt', 4, 'kube-proxy-7xk2m   0/1   CrashLoopBackOff   41 (2m ago)   3h')],
          {
            detail: '41 restarts',
            node: 'worker-2',
          },
        ),
        victim(
          'kube-flannel',
          'kube-flannel-ds-q9wnt',
          'crash-loop',
          [cite('kubelet.log', 4, SYNC_ERROR.replaceAll('kube-proxy', 'kube-flannel'))],
          {
            node: 'worker-2',
          },
        ),
        victim('storage', 'nfs-provisioner-6d5c9b7f4-hx8zp', 'crash-loop', [cite('kubelet.log', 2, SYNC_ERROR)], { node: 'worker-2' }),
      ],
      because: [
        reason('runtimeOwnCgroups', 'needs', 'containerd manages cgroups itself', [cite('config.toml', 12, 'SystemdCgroup = false')]),
        reason('kubeletDefault', 'supports', 'a kubelet 1.30 from kubeadm uses systemd', [
          cite('proxy.log', 17, 'I0303 04:09:40.118420       1 server.go:872] "Version info" version="v1.30.2"'),
        ]),
        reason('silentStops', 'proves', 'pods are stopped, they do not crash', [
          cite('describe.txt', 9, 'Normal   Killing         4m29s (x3 over 7m28s)  kubelet  Stopping container kube-proxy'),
          cite(
            'describe.txt',
            10,
            'Normal   SandboxChanged  4m28s (x4 over 7m28s)  kubelet  Pod sandbox changed, it will be killed and re-created.',
          ),
        ]),
        reason(
          'unrelated',
          'supports',
          'three unrelated workloads on one node restart',
          [cite('kubelet.log', 2, SYNC_ERROR), cite('kubelet.log', 4, SYNC_ERROR), cite('kubelet.log', 6, SYNC_ERROR)],
          19,
        ),
        told(
          reason('newNode', 'supports', 'the node was set up last week', [
            cite('describe.txt', 1, 'we added this worker last week and since then nothing stays up'),
          ]),
        ),
      ],
      not: [
        {
          says: 'an application crash: the log ends cleanly',
          cited: [cite('flannel.log', 13, 'I0303 04:10:51.000000       1 main.go:523] shutdownHandler sent cancel signal...')],
          looked: [],
        },
        { says: 'a failing probe: no Unhealthy event', cited: [], looked: ['describe.txt:1-11'] },
        {
          says: 'a reboot: stops go on for seven minutes',
          cited: [cite('describe.txt', 9, 'Normal   Killing         4m29s (x3 over 7m28s)')],
          looked: [],
        },
      ],
      rivals: [
        {
          cause: 'two-kubelets',
          title: 'a second kubelet runs on the node',
          place: 'node worker-2',
          confidence: 'possible',
          because: [
            reason('sandbox', 'supports', 'sandboxes change without an error', [
              cite('describe.txt', 10, 'Pod sandbox changed, it will be killed and re-created.'),
            ]),
          ],
        },
      ],
      asks: [
        ask('which driver the kubelet uses', 'grep cgroupDriver /var/lib/kubelet/config.yaml', 'worker-2', 'kubelet-config', [
          'cgroup-driver-mismatch',
          'two-kubelets',
        ]),
        ask(
          'under which cgroups the containers sit',
          "find /sys/fs/cgroup -maxdepth 4 -type d -name 'cri-containerd*' | head",
          'worker-2',
          'cgroup-paths',
          ['cgroup-driver-mismatch'],
        ),
        ask('whether a second kubelet runs', 'pgrep -a kubelet', 'worker-2', 'unit-state', ['two-kubelets']),
      ],
      fixes: [
        {
          title: 'let containerd use systemd for cgroups',
          risk: 'touches-node',
          steps: [
            {
              say: 'write the key',
              command: "sudo sed -i 's/SystemdCgroup = false/SystemdCgroup = true/' /etc/containerd/config.toml",
              on: 'node',
            },
            { say: 'restart both; every pod on the node restarts once', command: 'sudo systemctl restart containerd kubelet', on: 'node' },
          ],
          verified: 'containers sit in a .scope below kubepods.slice and nothing restarts for 10 minutes',
        },
        {
          title: 'drain the node first, then change the driver',
          risk: 'moves-pods',
          steps: [
            { say: 'move its pods away', command: 'kubectl drain worker-2 --ignore-daemonsets --delete-emptydir-data', on: 'cluster' },
            { say: 'then follow the steps above and bring it back', command: 'kubectl uncordon worker-2', on: 'cluster' },
          ],
        },
      ],
      timeline: [
        {
          ago: 448,
          untilAgo: 269,
          what: 'Stopping container kube-proxy',
          about: 'kube-system/kube-proxy-7xk2m',
          tone: 'warn',
          count: 3,
          cited: [cite('describe.txt', 9, 'Killing')],
        },
        {
          ago: 448,
          untilAgo: 268,
          what: 'Pod sandbox changed',
          about: 'kube-system/kube-proxy-7xk2m',
          tone: 'warn',
          count: 4,
          cited: [cite('describe.txt', 10, 'SandboxChanged')],
        },
      ],
    }),
  ],
  ruledOut: [
    {
      cause: 'memory-limit-too-low',
      name: 'Memory limit too low',
      place: 'Pod/kube-system/kube-proxy-7xk2m',
      because: { says: 'no container was killed for memory', cited: [], looked: ['describe.txt:1-40'] },
    },
  ],
  coverage: {
    documents: 5,
    lines: 214,
    bytes: 31_884,
    pods: 3,
    nodes: 1,
    redactions: 1,
    looked: [
      { channel: 'pod-events', about: 'kube-system/kube-proxy-7xk2m', extent: 'whole', docs: ['describe.txt'] },
      { channel: 'kubelet-log', about: 'worker-2', extent: 'excerpt', docs: ['kubelet.log'] },
      { channel: 'containerd-config', about: 'worker-2', extent: 'excerpt', docs: ['config.toml'] },
    ],
    pieces: [
      { doc: 'pods.txt', lines: [1, 8], what: 'kubectl get pods' },
      { doc: 'describe.txt', lines: [2, 40], what: 'kubectl describe pod' },
      { doc: 'kubelet.log', lines: [1, 60], what: 'kubelet journal' },
      { doc: 'config.toml', lines: [1, 30], what: 'containerd config.toml' },
    ],
    unrecognised: [{ doc: 'describe.txt', lines: [41, 58], bytes: 1_420, firstLine: 'things we already tried' }],
    unread: [],
  },
  excerpts: [
    {
      doc: 'config.toml',
      first: 10,
      lines: ['[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]', '  BinaryName = ""', '  SystemdCgroup = false'],
    },
  ],
});
