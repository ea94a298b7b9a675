import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = `Events:
  Type     Reason          Age                   From               Message
  ----     ------          ----                  ----               -------
  Normal   Scheduled       31m                   default-scheduler  Successfully assigned kube-system/kube-proxy-7xk2p to worker-3
  Normal   Pulled          95s (x3 over 4m10s)   kubelet            Container image "registry.k8s.io/kube-proxy:v1.30.2" already present on machine
  Normal   Created         95s (x3 over 4m10s)   kubelet            Created container kube-proxy
  Normal   Started         95s (x3 over 4m10s)   kubelet            Started container kube-proxy
  Normal   Killing         31s (x3 over 3m20s)   kubelet            Stopping container kube-proxy
  Normal   SandboxChanged  30s (x4 over 4m12s)   kubelet            Pod sandbox changed, it will be killed and re-created.
  Warning  BackOff         2s (x9 over 3m19s)    kubelet            Back-off restarting failed container kube-proxy in pod kube-proxy-7xk2p_kube-system(5f0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11)
`;

const containerdFalse = `version = 2
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
    SystemdCgroup = false
`;

const kubeletSystemd = `apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
cgroupDriver: systemd
clusterDNS:
- 10.96.0.10
`;

const colonPath =
  '0::/system.slice/kubepods-burstable-pod5f0c2a54_8e0e_4c6f_9d25_0f6f6f6f0a11.slice:cri-containerd:3f4ab3cf8d1b3a0e5d64c4d2f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1\n';

testCause(cause, {
  finds: {
    'both settings and the silent stops': {
      evidence: { 'describe.txt': events, 'config.toml': containerdFalse, 'kubelet.yaml': kubeletSystemd },
      confidence: 'certain',
      place: 'node worker-3',
      cites: ['config.toml:5', 'kubelet.yaml:3'],
      victims: 1,
    },
    'the kubelet setting not shown': {
      evidence: { 'describe.txt': events, 'config.toml': containerdFalse },
      confidence: 'probable',
      place: 'node worker-3',
      cites: ['config.toml:5'],
    },
    'a container under a path with colons': {
      evidence: { 'describe.txt': events, 'cgroup.txt': colonPath, 'kubelet.yaml': kubeletSystemd },
      confidence: 'certain',
    },
    'kubelet complains of missing controllers': {
      evidence: {
        'describe.txt': events,
        'kubelet.log': `Sep 03 11:22:38 worker-3 kubelet[733]: I0903 11:22:38.120331     733 cgroup_manager_linux.go:260] The Cgroup [kubepods besteffort pod5f0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11] has some missing controllers: map[cpuset:{}]
Sep 03 11:22:39 worker-3 kubelet[733]: E0903 11:22:39.310275     733 pod_workers.go:1298] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"agent\\" with CrashLoopBackOff: \\"back-off 5m0s restarting failed container=agent pod=node-agent-x9k7d_ops(6b1f0d3e-2a4c-4e5f-9a7b-1c2d3e4f5a6b)\\"" pod="ops/node-agent-x9k7d" podUID="6b1f0d3e-2a4c-4e5f-9a7b-1c2d3e4f5a6b"
`,
        'version.txt': '$ kubelet --version\nKubernetes v1.30.2\n',
        'story.txt': 'We use the containerd that came in with the docker packages.\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'kubelet on cgroupfs as well': {
      evidence: { 'describe.txt': events, 'config.toml': containerdFalse, 'kubelet.yaml': kubeletSystemd.replace('systemd', 'cgroupfs') },
      by: 'kubeletCgroupfs',
    },
    'containerd 2 and kubelet 1.34 cannot differ': {
      evidence: {
        'describe.txt': events,
        'config.toml': containerdFalse,
        'nodes.txt': `NAME       STATUS   ROLES    AGE   VERSION   INTERNAL-IP   EXTERNAL-IP   OS-IMAGE             KERNEL-VERSION     CONTAINER-RUNTIME
worker-3   Ready    <none>   40d   v1.34.1   10.1.0.13     <none>        Ubuntu 24.04.2 LTS   6.8.0-50-generic   containerd://2.1.4
`,
      },
      by: 'followsRuntime',
    },
    'a node whose pods are run by Docker': {
      evidence: {
        'describe.txt': events,
        'config.toml': containerdFalse,
        'kubelet.yaml': kubeletSystemd,
        'nodes.txt': `NAME       STATUS   ROLES    AGE   VERSION    INTERNAL-IP   EXTERNAL-IP   OS-IMAGE                         KERNEL-VERSION   CONTAINER-RUNTIME
worker-3   Ready    <none>   90d   v1.23.17   10.8.0.1      <none>        Debian GNU/Linux 12 (bookworm)   6.1.0-50-amd64   docker://20.10.24
`,
      },
      by: 'byDocker',
    },
    'a liveness probe': {
      evidence: {
        'describe.txt': events.replace('Stopping container kube-proxy', 'Container kube-proxy failed liveness probe, will be restarted'),
        'config.toml': containerdFalse,
      },
      by: 'probe',
    },
    'one burst after a reboot': {
      evidence: {
        'describe.txt': events
          .replace('30s (x4 over 4m12s) ', '25m                 ')
          .replace('31s (x3 over 3m20s)', '25m                ')
          .replace(/.*BackOff.*\n/, ''),
        'config.toml': containerdFalse,
      },
      by: 'oneBurst',
    },
    'the reverse mismatch': {
      evidence: {
        'describe.txt': `${events}  Warning  FailedCreatePodSandBox  5s  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: expected cgroupsPath to be of format "slice:prefix:name" for systemd cgroups, got "/kubepods/besteffort/pod5f0c/3f4a" instead: unknown\n`,
        'config.toml': containerdFalse,
      },
      by: 'reverse',
    },
  },
  asks: {
    'the kubelet setting': { evidence: { 'describe.txt': events, 'config.toml': containerdFalse }, for: 'kubelet.cgroup-driver' },
    'only the events': { evidence: { 'describe.txt': events }, for: 'runtime.cgroup-driver' },
  },
});
